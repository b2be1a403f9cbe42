package explorer

import (
	"fmt"
	"reflect"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// ask asks a property about a state. One that panics fails; what it panicked
// with is found out again for the report.
func ask(p *model.Property, v model.View) (a answer) {
	defer func() {
		if recover() != nil {
			a = fails
		}
	}()
	if p.Applies != nil && !p.Applies(v) {
		return elsewhere
	}
	if p.Check(v) != nil {
		return fails
	}
	return holds
}

// guardProperties asks properties in a way that notices when one never
// returns.
func (s *search) guardProperties(f func()) error {
	return call.Guard(call.Site{What: "a property"}, s.handlerTime, f)
}

// view is a packed state as a property sees it.
type view[K words] struct {
	s    *space[K]
	k    *K
	read K // the bits of what was read
}

func (v *view[K]) Population() []model.ID { return v.s.sys.Population() }

func (v *view[K]) StateType(id model.ID) reflect.Type { return v.s.sys.Node(id).StateType() }

func (v *view[K]) State(id model.ID) any {
	agent := &v.s.agents[v.s.tables.agent(id)]
	v.read[agent.word] |= agent.clear[agent.word]
	return v.s.tables.value(int(id)-1, get(v.k, agent.field))
}

// flatView is a flat state as a property sees it.
type flatView struct {
	t *tables
	f *flat
}

func (v *flatView) Population() []model.ID { return v.t.sys.Population() }

func (v *flatView) StateType(id model.ID) reflect.Type { return v.t.sys.Node(id).StateType() }

func (v *flatView) State(id model.ID) any {
	a := v.t.agent(id)
	return v.t.value(a, v.f.states[a])
}

// agent is the index of an agent that a property asks for. An ID that is not
// in the population panics in the property, which then is reported.
func (t *tables) agent(id model.ID) int {
	if err := t.sys.Has(id); err != nil {
		panic(fmt.Sprintf("it asks for agent %d: %s", id, err))
	}
	return int(id) - 1
}
