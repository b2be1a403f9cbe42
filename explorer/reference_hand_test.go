package explorer_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// The reference explorer on systems that are counted by hand.

// kept is a scripted agent that keeps half of its state over a restart.
type kept struct{ scripted[int, ticket] }

func (kept) Persist(s int) int { return s / 2 }

func (kept) Restart(_ model.ID, _ []model.ID, _ int, half int) (int, []model.Message[ticket]) {
	return half, nil
}

// pair is a system in which agent 1 sends tickets to agent 2, which remembers
// the last.
func pair(tickets ...int) model.System {
	sender := scripted[int, ticket]{fresh: func(self model.ID, _ int) (int, []model.Message[ticket]) {
		var sent []model.Message[ticket]
		for _, n := range tickets {
			sent = append(sent, send(2, ticket{n})...)
		}
		return 0, sent
	}}
	receiver := scripted[int, ticket]{receive: func(_ int, m model.Message[ticket]) (int, []model.Message[ticket]) { return m.Body.N, nil }}
	return systemOf(model.Of(sender), model.Of(receiver))
}

// greatest is a system in which agent 2 remembers the greatest ticket.
func greatest(tickets ...int) model.System {
	s := pair(tickets...)
	s.Agents[1] = model.Of(scripted[int, ticket]{receive: func(n int, m model.Message[ticket]) (int, []model.Message[ticket]) {
		return max(n, m.Body.N), nil
	}})
	return s
}

func TestReferenceCountsByHand(t *testing.T) {
	with := func(s model.System, change func(s *model.System)) model.System {
		change(&s)
		return s
	}
	for _, c := range []struct {
		name   string
		system model.System
		want   size
	}{
		// Which of the two is left, and which came last: 0 {1 2}; 1 {2}; 2 {1}; 2 {}; 1 {}.
		{"two messages on a bag", pair(1, 2), size{5, 4, 2, 2}},
		{"in order", with(pair(1, 2), func(s *model.System) { s.Network = model.Fifo }), size{3, 2, 2, 1}},
		// They stay: 0, 1 and 2, from each of which both are delivered.
		{"for ever", with(pair(1, 2), func(s *model.System) { s.Network = model.Set }), size{3, 6, 1, 0}},
		{"two copies", pair(1, 1), size{3, 2, 2, 1}},
		// Left 0, 1 or 2 copies; the last state 0 as long as none was delivered:
		// 0 {1 1}; 1 {1}; 0 {1}; 1 {}; 0 {}.
		{"two copies that may be lost", with(pair(1, 1), func(s *model.System) { s.Lossy = true }), size{5, 6, 2, 2}},
		// The same, and a loss is spent or not: 0 {1 1} 1; 1 {1} 1; 0 {1} 0; 1 {} 1; 1 {} 0.
		{"one of which may be lost", with(pair(1, 1), func(s *model.System) {
			s.Lossy, s.Budgets = true, map[model.Budget]int{model.Drops: 1}
		}), size{5, 5, 2, 2}},
		// 0 {1} 1; 1 {} 1; 0 {1 1} 0; 1 {1} 0; 1 {} 0.
		{"one that may be doubled", with(pair(1), func(s *model.System) {
			s.Budgets = map[model.Budget]int{model.Duplicates: 1}
		}), size{5, 4, 3, 2}},
		// Crashed or not with the message; or not crashed, and crashed, without.
		{"to an agent that may crash", with(pair(1), func(s *model.System) { s.Crash = []model.ID{2} }), size{4, 3, 2, 2}},
		// 0 to 3, each but the last counts on, and each is restarted: to 0, 0, 1, 1.
		{"restarts", systemWithRestarts(nil), size{4, 7, 3, 0}},
		// With one restart left as before; without, reached from 0 and 1: all four.
		{"one restart", systemWithRestarts(map[model.Budget]int{model.Restarts: 1}), size{8, 10, 4, 1}},
		// Of copies one is as good as the other: 0, 1 or 2 moves.
		{"an observer that counts", with(pair(1, 1), func(s *model.System) {
			s.Observer = model.Observe(0, func(n int, _ model.Event) int { return n + 1 })
		}), size{3, 2, 2, 1}},
		// 0 {1 2}; 1 {2}; 2 {1}; 2 {}: what came first is forgotten, but by the
		// observer: 0 {1 2}; 1 {2} 1; 2 {1} 2; 2 {} 1; 2 {} 2.
		{"the greater of two", greatest(1, 2), size{4, 4, 2, 1}},
		{"an observer that remembers the first", with(greatest(1, 2), func(s *model.System) {
			s.Observer = model.Observe(0, func(first int, e model.Event) int {
				if first == 0 && e.Move.Kind == model.Deliver {
					return e.Move.Body.(ticket).N
				}
				return first
			})
		}), size{5, 4, 2, 2}},
		// Seen at the start: that agent 1 began, with two messages, and agent 2.
		{"an observer that counts what begins", with(pair(1, 1), func(s *model.System) {
			s.Observer = model.Observe(0, func(n int, e model.Event) int {
				if e.Move.Kind == model.Beginning && e.Before == nil {
					return n + int(e.Agent) + 10*len(e.Sent)
				}
				return n
			})
			s.Properties = []model.Property{model.Always("begun", func(v model.View) error {
				if n := model.ObserverOf[int](v); n != 23 {
					return errors.New("it saw something else begin")
				}
				return nil
			})}
		}), size{3, 2, 2, 1}},
		{"a boundary", with(systemWithRestarts(nil), func(s *model.System) {
			s.Restart = nil
			s.Boundary = func(v model.View) bool { return model.StateOf[int](v, 1) < 2 }
		}), size{3, 2, 2, 0}},
	} {
		got := reference(c.system)
		if found := (size{int64(got.States), int64(got.Transitions), got.Depth, int64(got.Terminal)}); found != c.want || got.Inconsistent > 0 {
			t.Errorf("%s: %+v and %d inconsistent, want %+v", c.name, found, got.Inconsistent, c.want)
		}
	}
}

// systemWithRestarts counts to three, and keeps half.
func systemWithRestarts(budgets map[model.Budget]int) model.System {
	s := systemOf(model.Of(kept{scripted[int, ticket]{actions: countTo[ticket](3)}}))
	s.Restart, s.Budgets = []model.ID{1}, budgets
	return s
}

// 0 {1 2}; 1 {2}; 2 {1}; 2 {}: where ignored deliveries are none, 2 {1} is an
// end.
func TestReferenceIgnores(t *testing.T) {
	s := greatest(1, 2)
	for _, c := range []struct {
		ignored bool
		want    size
	}{{false, size{4, 4, 2, 1}}, {true, size{4, 3, 2, 2}}} {
		got := referenceTo(s, never, c.ignored)
		if found := (size{int64(got.States), int64(got.Transitions), got.Depth, int64(got.Terminal)}); found != c.want {
			t.Errorf("ignored is %t: %+v, want %+v", c.ignored, found, c.want)
		}
	}
}

// Properties over moves and ends, where a counter goes to three.
func TestReferenceJudgesByHand(t *testing.T) {
	at := func(v model.View) int { return model.StateOf[int](v, 1) }
	when := func(so bool) error {
		if so {
			return errors.New("it is so")
		}
		return nil
	}
	s := systemOf(model.Of(scripted[int, ticket]{actions: countTo[ticket](3)}))
	s.Properties = []model.Property{
		model.EveryStep("never from 1", func(before, _ model.View) error { return when(at(before) == 1) }),
		model.AtEnd("not at 3", func(v model.View) error { return when(at(v) == 3) }),
		model.AtEnd("not at 2", func(v model.View) error { return when(at(v) == 2) }),
		model.Sometimes("at 1", func(v model.View) bool { return at(v) == 1 }),
		model.Always("below 3", func(v model.View) error { return when(at(v) >= 3) }).When(func(v model.View) bool { return at(v) < 3 }),
	}
	got := reference(s)
	if want := map[string]int{"never from 1": 2, "not at 3": 3}; !maps.Equal(got.Violations, want) {
		t.Errorf("violated: %v, want %v", got.Violations, want)
	}
	if want := map[string]int{"never from 1": 3, "not at 3": 1, "not at 2": 1, "at 1": 4, "below 3": 3}; !maps.Equal(got.Tested, want) {
		t.Errorf("tested: %v, want %v", got.Tested, want)
	}
	if got.ShortestViolation != 2 || got.Sometimes["at 1"] != 1 {
		t.Errorf("the nearest violation is after %d moves, the witness after %d", got.ShortestViolation, got.Sometimes["at 1"])
	}
}

// Runs of a clock that ticks round, and may be let go.
func TestReferenceJudgesRunsByHand(t *testing.T) {
	at := func(n int) func(v model.View) bool {
		return func(v model.View) bool { return model.StateOf[int](v, 1) == n }
	}
	tick := func(s int) (int, []model.Message[ticket], bool) { return (s + 1) % 3, nil, s < 3 }
	leave := func(s int) (int, []model.Message[ticket], bool) { return 3, nil, s == 2 }
	leaveAlways := func(s int) (int, []model.Message[ticket], bool) { return 3, nil, s < 3 }
	action := func(name string, fair bool, do func(int) (int, []model.Message[ticket], bool)) model.Action[int, ticket] {
		return model.Action[int, ticket]{Name: name, Fair: fair, Do: do}
	}
	for _, c := range []struct {
		name     string
		actions  []model.Action[int, ticket]
		property model.Property
		want     explorer.Verdict
	}{
		{"it need not tick", []model.Action[int, ticket]{action("tick", false, tick)}, model.Eventually("2", at(2)), explorer.Violated},
		{"it must tick", []model.Action[int, ticket]{action("tick", true, tick)}, model.Eventually("2", at(2)), explorer.Holds},
		{"again and again", []model.Action[int, ticket]{action("tick", true, tick)}, model.LeadsTo("2 to 1", at(2), at(1)), explorer.Holds},
		{"it may be let go", []model.Action[int, ticket]{action("tick", true, tick), action("leave", false, leave)}, model.LeadsTo("2 to 1", at(2), at(1)), explorer.Violated},
		// Leaving is not possible throughout the round, so that it is not due.
		{"it need not be let go", []model.Action[int, ticket]{action("tick", true, tick), action("leave", true, leave)}, model.Eventually("3", at(3)), explorer.Violated},
		{"it must be let go", []model.Action[int, ticket]{action("tick", true, tick), action("leave", true, leaveAlways)}, model.Eventually("3", at(3)), explorer.Holds},
	} {
		s := systemOf(model.Of(scripted[int, ticket]{actions: c.actions}))
		if got := runsOf(&s).verdict(c.property); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
