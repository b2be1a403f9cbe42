package raft

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// properties are the paper's figure 3, as far as states show it, and what shows
// that something happens at all.
func (r server) properties() []model.Property {
	list := []model.Property{
		electionSafety(), logMatching(), leaderCompleteness(), stateMachineSafety(), committedStays(),
		some("a leader", func(s Server) bool { return s.Role == Leader }),
		some("an entry committed", func(s Server) bool { return s.Commit > 0 }),
	}
	if r.terms > 1 {
		list = append(list, some("one of term 2 committed", func(s Server) bool {
			return slices.ContainsFunc(s.Log[:s.Commit], func(e Entry) bool { return e.Term == 2 })
		}))
	}
	if r.removable > 0 {
		list = append(list, some("a change committed", func(s Server) bool {
			return lastChange(s.Log[:s.Commit]) > 0
		}))
	}
	return list
}

func some(name string, is func(Server) bool) model.Property {
	return model.Sometimes(name, func(v model.View) bool {
		for _, s := range model.StatesOf[Server](v) {
			if is(s) {
				return true
			}
		}
		return false
	})
}

// always is a property of every two servers, in either order.
func always(name, doc string, check func(a, b Server) error) model.Property {
	p := model.Always(name, func(v model.View) error {
		for id, a := range model.StatesOf[Server](v) {
			for other, b := range model.StatesOf[Server](v) {
				if id == other {
					continue
				}
				if err := check(a, b); err != nil {
					return err
				}
			}
		}
		return nil
	})
	p.Doc = doc
	return p
}

func electionSafety() model.Property {
	return always("election safety", "no two servers lead in the same term", func(a, b Server) error {
		if a.Role == Leader && b.Role == Leader && a.Term == b.Term {
			return fmt.Errorf("agents %d and %d both lead in term %d", a.Self, b.Self, a.Term)
		}
		return nil
	})
}

func logMatching() model.Property {
	const doc = "two logs with an entry of the same index and term are equal up to there"
	return always("log matching", doc, func(a, b Server) error {
		for n := min(len(a.Log), len(b.Log)); n > 0; n-- {
			if a.Log[n-1].Term == b.Log[n-1].Term && !begins(a.Log, b.Log[:n]) {
				return fmt.Errorf("entry %d is of the same term at agents %d and %d, but the logs differ: %s and %s",
					n, a.Self, b.Self, show(a.Log, a.Commit), show(b.Log, b.Commit))
			}
		}
		return nil
	})
}

func leaderCompleteness() model.Property {
	const doc = "who leads has every entry that a server of the same or an earlier term knows to be committed"
	return always("leader completeness", doc, func(a, b Server) error {
		if b.Role == Leader && b.Term >= a.Term && !begins(b.Log, a.Log[:a.Commit]) {
			return fmt.Errorf("agent %d leads in term %d with %s, without what agent %d has committed: %s",
				b.Self, b.Term, show(b.Log, b.Commit), a.Self, show(a.Log, a.Commit))
		}
		return nil
	})
}

func stateMachineSafety() model.Property {
	return always("state machine safety", "no two servers have committed different entries at one index", func(a, b Server) error {
		if n := min(a.Commit, b.Commit); !begins(a.Log, b.Log[:n]) {
			return fmt.Errorf("agents %d and %d have committed different entries: %s and %s",
				a.Self, b.Self, show(a.Log, a.Commit), show(b.Log, b.Commit))
		}
		return nil
	})
}

func committedStays() model.Property {
	p := model.EveryStep("committed stays", func(before, after model.View) error {
		for id, s := range model.StatesOf[Server](before) {
			if t := model.StateOf[Server](after, id); !begins(t.Log, s.Log[:s.Commit]) {
				return fmt.Errorf("what agent %d has committed is overwritten: %s by %s", id, show(s.Log, s.Commit), show(t.Log, t.Commit))
			}
		}
		return nil
	})
	p.Doc = "an entry that a server knows to be committed stays in its log"
	return p
}
