package cli_test

import (
	"fmt"
	"os"
	"sync"

	"github.com/caulk-go/caulk/model"
)

// Toys are algorithms that go wrong in ways in which caulk's own do not.

// toy is an agent whose state is one value.
type toy[S any] struct {
	fresh   S
	actions []model.Action[S, string]
	receive func(s S, m model.Message[string]) (S, []model.Message[string])
}

func (t toy[S]) Fresh(model.ID, []model.ID, int) (S, []model.Message[string]) { return t.fresh, nil }

func (t toy[S]) Receive(s S, m model.Message[string]) (S, []model.Message[string]) {
	return t.receive(s, m)
}

func (t toy[S]) Actions() []model.Action[S, string] { return t.actions }

// ticking is a toy of one action, which calls tick and is always possible.
func ticking[S any](tick func(S) S) toy[S] {
	return toy[S]{actions: []model.Action[S, string]{{
		Name: "tick",
		Do:   func(s S) (S, []model.Message[string], bool) { return tick(s), nil, true },
	}}}
}

func alone[S any](name, summary string, t toy[S], properties ...model.Property) model.Algorithm {
	return model.Algorithm{Name: name, Summary: summary, Agents: 1, Make: func(c model.Config) model.System {
		s := model.System{Properties: properties}
		for range c.Agents {
			s.Agents = append(s.Agents, model.Of(t))
		}
		return s
	}}
}

// toys lists them. Some signal their own process: they are for programs that
// the tests start.
func toys() []model.Algorithm {
	calls := 0
	var once sync.Once
	return append(features(), []model.Algorithm{
		alone("endless", "counts for ever", ticking(func(n int) int { return n + 1 })),
		alone("panics", "panics at three", ticking(func(n int) int {
			return []int{1, 2, 3}[n]
		})),
		alone("impure", "answers differently each time", ticking(func(n int) int { calls++; return calls })),
		alone("stuck", "never returns", ticking(func(int) int { select {} })),
		alone("channel", "has a channel in its state", ticking(func(c chan int) chan int { return c })),
		alone("grid", "many states: each agent counts to nine", ticking(func(n int) int { return min(n+1, 9) })),
		unreachable(),
		odd(),
		alone("interrupted", "sends its process one interrupt, then counts for ever", ticking(func(n int) int {
			if n == 0 {
				once.Do(interrupt) // a handler is called more than once
			}
			return n + 1
		})),
		removesFolder(),
		alone("killed", "sends its process interrupts for ever", ticking(func(int) int {
			for {
				interrupt()
			}
		})),
	}...)
}

func interrupt() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(os.Interrupt)
	}
}

// unreachable has properties that are never reached, or never put to the test.
func unreachable() model.Algorithm {
	counts := func(v model.View) int { return model.StateOf[int](v, 1) }
	return alone("unreachable", "promises what it does not do",
		ticking(func(n int) int { return min(n+1, 3) }),
		model.Sometimes("reaches three", func(v model.View) bool { return counts(v) == 3 }),
		model.Sometimes("reaches nine", func(v model.View) bool { return counts(v) == 9 }),
		model.Always("nothing, never", func(model.View) error { return fmt.Errorf("always wrong") }).
			When(func(v model.View) bool { return counts(v) == 7 }),
	)
}

// odd takes parameters, and starts with values that a shell must quote.
func odd() model.Algorithm {
	type state struct{ Value string }
	return model.Algorithm{
		Name:    "odd one",
		Summary: "has a name that needs quotes",
		Params:  []model.Param{{Name: "bias", Doc: "may be negative", Default: -1, Min: -3, Max: 3}},
		Starts:  map[model.ID]string{2: "it's; $x"},
		Make: func(model.Config) model.System {
			node := model.Of(starter[state]{toy[state]{}, func(_ state, value string) state { return state{value} }})
			return model.System{Agents: []model.Node{model.Of(toy[state]{}), node}}
		},
	}
}

type starter[S any] struct {
	toy[S]
	start func(S, string) S
}

func (t starter[S]) Start(s S, value string) (S, []model.Message[string]) {
	return t.start(s, value), nil
}

// removesFolder has a property that takes away the folder called folder.
func removesFolder() model.Algorithm {
	return alone("removes folder", "and counts for ever", ticking(func(n int) int { return n + 1 }),
		model.Always("there is no folder", func(v model.View) error {
			_ = v.State(1)
			_ = os.Remove("folder")
			return nil
		}))
}
