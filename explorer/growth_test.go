package explorer_test

import (
	"fmt"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// peers are pairs of agents, 1 and 2, 3 and 4 and so on. The first of a pair
// sends the numbers up to n one by one, each when the one before has been
// acknowledged. Each pair has 2n+1 states, knows 2n messages, and has one in
// flight at a time.
func peers(pairs, n int) model.System {
	var nodes []model.Node
	for range pairs {
		nodes = append(nodes,
			model.Of(scripted[int, ticket]{
				fresh: func(self model.ID, _ int) (int, []model.Message[ticket]) { return 1, send(self+1, ticket{1}) },
				receive: func(s int, m model.Message[ticket]) (int, []model.Message[ticket]) {
					if m.Body.N == n {
						return n + 1, nil
					}
					return m.Body.N + 1, send(m.From, ticket{m.Body.N + 1})
				},
			}),
			model.Of(scripted[int, ticket]{
				receive: func(_ int, m model.Message[ticket]) (int, []model.Message[ticket]) {
					return m.Body.N, send(m.From, m.Body)
				},
			}))
	}
	return systemOf(nodes...)
}

// The more the search has met, the wider its states: nothing is lost when they
// are packed anew, again and again.
func TestGrowthOfMessagesAndStates(t *testing.T) {
	sizes := []int{1, 2, 10, 33, 60, 300, 1000}
	if testing.Short() {
		sizes = sizes[:6]
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			states := 2*int64(n) + 1
			wantSize(t, peers(1, n), size{States: states, Transitions: states - 1, Depth: 2 * n, Terminal: 1})
		})
	}
}

// The same with levels of many states: those of one pair times those of the
// other.
func TestGrowthWhileThereAreManyStates(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 30
	}
	one := 2*int64(n) + 1
	wantSize(t, peers(2, n), size{States: one * one, Transitions: 2 * one * (one - 1), Depth: 4 * n, Terminal: 1})
}

// Agents' states to the thousands, without any message.
func TestGrowthOfStatesAlone(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 600
	}
	wantSize(t, counters(1, n), size{States: int64(n) + 1, Transitions: int64(n), Depth: n, Terminal: 1})
	wantSize(t, counters(2, 100), size{States: 101 * 101, Transitions: 2 * 100 * 101, Depth: 200, Terminal: 1})
}

// relay passes a token from agent 1 to the last; each remembers that it came.
func relay(agents int) model.System {
	var nodes []model.Node
	for id := model.ID(1); int(id) <= agents; id++ {
		passes := scripted[bool, ticket]{
			receive: func(bool, model.Message[ticket]) (bool, []model.Message[ticket]) {
				if int(id) == agents {
					return true, nil
				}
				return true, send(id+1, ticket{})
			},
		}
		if id == 1 {
			passes.actions = action("begin", func(s bool) (bool, []model.Message[ticket], bool) {
				next, sent := passes.receive(s, model.Message[ticket]{})
				return next, sent, !s
			})
		}
		nodes = append(nodes, model.Of(passes))
	}
	return systemOf(nodes...)
}

func TestManyAgents(t *testing.T) {
	for _, agents := range []int{1, 2, 33, 64, 70} {
		n := int64(agents)
		wantSize(t, relay(agents), size{States: n + 1, Transitions: n, Depth: agents, Terminal: 1})
	}
}

// Any number of agents acting at once: all subsets, up to a depth.
func TestManyAgentsActing(t *testing.T) {
	const upTo2, at3 = 1 + 70 + 70*69/2, 70 * 69 * 68 / 6
	for _, c := range []struct {
		depth, workers           int
		states, transitions, cut int64
	}{
		{2, 1, upTo2, 70 + 70*69, 70 * 69 / 2},
		{3, 3, upTo2 + at3, 70 + 70*69 + 70*69/2*68, at3},
	} {
		if testing.Short() && c.depth > 2 {
			continue
		}
		r := explore(t, counters(70, 1), explorer.Options{Depth: &c.depth, Workers: c.workers})
		if r.States != c.states || r.Transitions != c.transitions || bound(t, r).Cut != c.cut {
			t.Errorf("%d states, %d transitions, %d cut; want %+v", r.States, r.Transitions, bound(t, r).Cut, c)
		}
	}
}

// A system with so many messages in flight that no layout holds them is
// refused in one line.
func TestTooWide(t *testing.T) {
	const want = "the system has too many agents and messages for one state of 4096 bits: bound it, with fewer agents or fewer distinct messages"
	sends := func(n int) model.System {
		return systemOf(model.Of(scripted[int, ticket]{fresh: func(model.ID, int) (int, []model.Message[ticket]) {
			var sent []model.Message[ticket]
			for i := range n {
				sent = append(sent, model.Message[ticket]{To: 1, Body: ticket{i}})
			}
			return 0, sent
		}}))
	}
	fits, tooWide := sends(4000), sends(5000)
	fits.Network, tooWide.Network = model.Set, model.Set
	if r := explore(t, fits, explorer.Options{Workers: 1}); r.States != 1 || r.Transitions != 4000 {
		t.Errorf("%d states, %d transitions, want 1 and 4000", r.States, r.Transitions)
	}
	if err := exploreFails(t, tooWide, explorer.Options{}); err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
	// The same when the search is under way: level d holds 100d messages.
	grows := systemOf(model.Of(scripted[int, ticket]{
		actions: action("send", func(s int) (int, []model.Message[ticket], bool) {
			var sent []model.Message[ticket]
			for i := range 100 {
				sent = append(sent, model.Message[ticket]{To: 2, Body: ticket{100*s + i}})
			}
			return s + 1, sent, true
		}),
	}), model.Of(scripted[int, ticket]{}))
	grows.Network = model.Set
	if err := exploreFails(t, grows, explorer.Options{}); err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
	tooMany := counters(4097, 1)
	if err := exploreFails(t, tooMany, explorer.Options{Depth: new(1)}); err.Error() != want {
		t.Errorf("the error is %q, want %q", err, want)
	}
}
