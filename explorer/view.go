package explorer

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

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
		if p.Kind == model.KindLeadsTo && p.Check(v) == nil {
			return metElsewhere
		}
		return elsewhere
	}
	if p.Check(v) != nil {
		return fails
	}
	return holds
}

// askStep asks a property about a move.
func askStep(p *model.Property, before, after model.View) (a answer) {
	defer func() {
		if recover() != nil {
			a = fails
		}
	}()
	if p.Applies != nil && !p.Applies(before) {
		return elsewhere
	}
	if p.CheckStep(before, after) != nil {
		return fails
	}
	return holds
}

// askBoundary asks whether a state is within. A boundary that panics is found
// out when the batch ends.
func (s *search) askBoundary(v model.View) answer {
	within := false
	err := call.Guard(call.Site{What: "the boundary"}, s.handlerTime, func() { within = s.sys.Boundary(v) })
	if err != nil && s.broken == nil {
		s.broken = err
	}
	if err == nil && within {
		return holds
	}
	return fails
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

	network bool // the network was read: also bits that are not known yet
}

func (v *view[K]) Population() []model.ID { return v.s.sys.Population() }

func (v *view[K]) StateType(id model.ID) reflect.Type { return v.s.sys.Node(id).StateType() }

func (v *view[K]) State(id model.ID) any {
	agent := &v.s.agents[v.s.tables.agent(id)]
	v.read[agent.word] |= agent.clear[agent.word]
	v.s.tables.agents[id-1].read = true
	return v.s.tables.value(int(id)-1, get(v.k, agent.field))
}

func (v *view[K]) Crashed(id model.ID) bool {
	agent := &v.s.agents[v.s.tables.agent(id)]
	v.read[agent.word] |= agent.clear[agent.word]
	return v.s.tables.agents[id-1].states[get(v.k, agent.field)].traits.Crashed
}

func (v *view[K]) Observer() any {
	if v.s.tables.observer == nil {
		return v.s.tables.memory(0)
	}
	f := v.s.layout.extras[v.s.tables.observerAt()]
	v.read[f.word] |= f.mask()
	return v.s.tables.memory(get(v.k, f))
}

func (v *view[K]) InFlight() []model.Message[any] {
	v.network = true
	for i := 0; i < len(v.read); i++ {
		v.read[i] |= v.s.networkBits[i]
	}
	var f flat
	v.s.unpack(v.k, &f)
	return v.s.tables.inFlightOf(f)
}

// flatView is a flat state as a property sees it.
type flatView struct {
	t *tables
	f *flat

	network bool // it was read
}

func (v *flatView) Population() []model.ID { return v.t.sys.Population() }

func (v *flatView) StateType(id model.ID) reflect.Type { return v.t.sys.Node(id).StateType() }

func (v *flatView) State(id model.ID) any {
	a := v.t.agent(id)
	return v.t.value(a, v.f.states[a])
}

func (v *flatView) Crashed(id model.ID) bool {
	a := v.t.agent(id)
	return v.t.agents[a].states[v.f.states[a]].traits.Crashed
}

func (v *flatView) Observer() any {
	if v.t.observer == nil {
		return v.t.memory(0)
	}
	return v.t.memory(v.f.more(v.t.observerAt()))
}

func (v *flatView) InFlight() []model.Message[any] {
	v.network = true
	return v.t.inFlightOf(*v.f)
}

// inFlightOf is the messages in flight as properties see them: private copies.
func (t *tables) inFlightOf(f flat) []model.Message[any] {
	ids := t.inFlight(f)
	if t.sys.Network == model.Fifo {
		slices.SortStableFunc(ids, func(x, y uint32) int {
			m, n := t.messages[x], t.messages[y]
			return cmp.Or(cmp.Compare(m.From, n.From), cmp.Compare(m.To, n.To))
		})
	} else {
		t.sortMessages(ids)
	}
	messages := make([]model.Message[any], len(ids))
	for i, m := range ids {
		e := &t.messages[m].Envelope
		messages[i] = model.Message[any]{From: e.From, To: e.To, Body: t.caller.Body(e.Body)}
	}
	return messages
}

// agent is the index of an agent that a property asks for. An ID that is not
// in the population panics in the property, which then is reported.
func (t *tables) agent(id model.ID) int {
	if err := t.sys.Has(id); err != nil {
		panic(fmt.Sprintf("it asks for agent %d: %s", id, err))
	}
	return int(id) - 1
}
