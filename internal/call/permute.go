package call

import (
	"github.com/caulk-go/caulk/internal/permute"
	"github.com/caulk-go/caulk/model"
)

// PermuteLocal is an agent's local state with every ID replaced by its image: a
// local state of the image of the agent, which must be of the same type.
func (c *Caller) PermuteLocal(id model.ID, local string, image func(model.ID) model.ID) (string, error) {
	l := c.Local(id, local)
	l.State = permute.Apply(l.State, image)
	b, err := c.appendLocal(nil, image(id), l)
	return string(b), err
}

// PermuteBody is a message's body with every ID replaced by its image.
func (c *Caller) PermuteBody(body string, image func(model.ID) model.ID) (string, error) {
	b, err := c.body.Append(nil, permute.Apply(c.Body(body), image))
	return string(b), err
}

// PermuteMemory is an observer's state with every ID replaced by its image.
func (c *Caller) PermuteMemory(memory string, image func(model.ID) model.ID) (string, error) {
	b, err := c.memory.Append(nil, permute.Apply(c.Memory(memory), image))
	return string(b), err
}
