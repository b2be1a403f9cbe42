package abd

import (
	"slices"

	"github.com/caulk-go/caulk/linear"
	"github.com/caulk-go/caulk/model"
)

// History is what the clients called, and what they got.
type History = linear.History[linear.RegisterCall[int], int]

// observe records where a client begins, and where it is done.
func observe(h History, e model.Event) History {
	if e.Before == nil {
		return h
	}
	switch after := e.After.(type) {
	case Writer:
		switch before := e.Before.(Writer); {
		case after.Value > before.Value:
			return h.Invoke(e.Agent, linear.Write(after.Value))
		case before.Writing && !after.Writing:
			return h.Return(e.Agent, 0)
		}
	case Reader:
		switch before := e.Before.(Reader); {
		case before.Phase == Idle && after.Phase != Idle:
			return h.Invoke(e.Agent, linear.Read[int]())
		case before.Phase != Done && after.Phase == Done:
			return h.Return(e.Agent, after.Value)
		}
	}
	return h
}

func (r reader) system(c model.Config) model.System {
	r.replicas = c.Params["replicas"]
	s := model.System{Agents: slices.Repeat([]model.Node{model.Of(replica{})}, r.replicas)}
	s.Agents = append(s.Agents, model.Of(writer{r.replicas, c.Params["writes"]}))
	for range c.Params["readers"] {
		s.Agents = append(s.Agents, model.Of(r))
	}
	s.Observer = model.Observe(History{}, observe, s.Population()[r.replicas:]...)
	s.Properties = []model.Property{linearizable(), model.Sometimes("the new value is read before it is written", readEarly)}
	s.Bodies = []any{Ask{}, Has{}, Store{}, Stored{}}
	return s
}

func linearizable() model.Property {
	p := linear.Property("linearizable", linear.Register(0))
	p.Doc = "what the readers get is what one register, asked one call at a time, could have answered"
	return p
}

// readEarly says whether a reader has returned what is still being written.
func readEarly(v model.View) bool {
	writing := 0
	for _, w := range model.StatesOf[Writer](v) {
		if w.Writing {
			writing = w.Value
		}
	}
	for _, s := range model.StatesOf[Reader](v) {
		if s.Phase == Done && writing > 0 && s.Value == writing {
			return true
		}
	}
	return false
}
