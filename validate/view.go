package validate

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// view is what a property sees of the system at one point of the walk. A state
// read from it is shared.
type view struct {
	g       *global
	states  []any
	memory  any
	network *network
	at      int // by the network's clock
}

func (g *global) view(n *network, at int) *view {
	return &view{g, slices.Clone(g.states), g.memory, n, at}
}

func (v *view) Population() []model.ID             { return v.g.sys.Population() }
func (v *view) StateType(id model.ID) reflect.Type { return v.g.sys.Node(id).StateType() }
func (v *view) State(id model.ID) any              { return v.states[id-1] }
func (v *view) Crashed(model.ID) bool              { return false } // who crashed for good makes no steps

func (v *view) Observer() any {
	if v.g.sys.Observer == nil {
		panic("it asks for the observer, and the system has none")
	}
	return v.memory
}

func (v *view) InFlight() []model.Message[any] {
	list := v.network.inFlight(v.at)
	if v.network.sys.Network != model.Fifo {
		slices.SortStableFunc(list, func(a, b *flight) int {
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), bytes.Compare(a.body, b.body))
		})
	}
	if v.network.sys.Network == model.Set {
		list = slices.CompactFunc(list, func(a, b *flight) bool {
			return a.from == b.from && a.to == b.to && bytes.Equal(a.body, b.body)
		})
	}
	messages := make([]model.Message[any], len(list))
	for i, f := range list {
		messages[i] = model.Message[any]{From: f.from, To: f.to, Body: v.g.decode(f.body)}
	}
	return messages
}
