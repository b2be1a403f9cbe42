package synod

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// History is what was ever proposed and decided, also by agents that have lost
// it since.
type History struct {
	Proposed map[string]bool
	Decided  map[Decision]bool
}

// Decision is an agent that has learned, or seen, that a value is decided.
type Decision struct {
	By    model.ID
	Value string
}

// observe remembers what agents propose and decide; agent finds it in a state.
func observe[S any](agent func(S) Agent) model.Observer {
	start := History{map[string]bool{}, map[Decision]bool{}}
	return model.Observe(start, func(h History, e model.Event) History {
		a := agent(e.After.(S))
		if a.Wish != "" {
			h.Proposed = with(h.Proposed, a.Wish)
		}
		if a.Decided != "" {
			h.Decided = with(h.Decided, Decision{a.Self, a.Decided})
		}
		return h
	})
}

func properties() []model.Property {
	agreement := model.Always("agreement", func(v model.View) error {
		all := decisions(v)
		for _, d := range all {
			if d.Value != all[0].Value {
				return fmt.Errorf("agent %d has decided %s, and agent %d %s", all[0].By, all[0].Value, d.By, d.Value)
			}
		}
		return nil
	})
	agreement.Doc = "no two agents ever decide differently"
	validity := model.Always("validity", func(v model.View) error {
		proposed := model.ObserverOf[History](v).Proposed
		for _, d := range decisions(v) {
			if !proposed[d.Value] {
				return fmt.Errorf("agent %d has decided %s, which nobody has proposed", d.By, d.Value)
			}
		}
		return nil
	})
	validity.Doc = "what is decided was proposed"
	return []model.Property{
		agreement,
		validity,
		model.Sometimes("decided", func(v model.View) bool { return len(decisions(v)) > 0 }),
	}
}

// decisions are in order of agents, then of values.
func decisions(v model.View) []Decision {
	return slices.SortedFunc(maps.Keys(model.ObserverOf[History](v).Decided), func(a, b Decision) int {
		return cmp.Or(cmp.Compare(a.By, b.By), cmp.Compare(a.Value, b.Value))
	})
}

// with is a set with one more element.
func with[E comparable](set map[E]bool, e E) map[E]bool {
	set = maps.Clone(set)
	set[e] = true
	return set
}
