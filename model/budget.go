package model

import (
	"fmt"
	"slices"
	"strings"
)

// Budget is something of which a system may have only so much, over all its
// agents. What is left is part of the system state.
type Budget int

// The budgets.
const (
	NoBudget   Budget = iota
	Wipes             // agents wiped
	Restarts          // agents restarted
	Crashes           // agents crashed for good
	Drops             // messages lost
	Duplicates        // messages doubled
	Timeouts          // own actions that are a Timer
)

var budgetNames = []string{"", "wipes", "restarts", "crashes", "drops", "duplicates", "timeouts"}

func (b Budget) String() string { return budgetNames[b] }

// AllBudgets lists the budgets in order.
func AllBudgets() []Budget {
	return []Budget{Wipes, Restarts, Crashes, Drops, Duplicates, Timeouts}
}

// ParseBudget is the inverse of String.
func ParseBudget(name string) (Budget, error) {
	if i := slices.Index(budgetNames, name); i > 0 {
		return Budget(i), nil
	}
	return NoBudget, fmt.Errorf("there is no budget %q: it is one of %s", name, strings.Join(budgetNames[1:], ", "))
}

// checkBudgets says which budgets make no sense: below zero, or of what cannot
// happen in the system.
func (s *System) checkBudgets() error {
	for _, b := range AllBudgets() {
		limit, limited := s.Budgets[b]
		if !limited {
			continue
		}
		if limit < 0 {
			return fmt.Errorf("a budget of %d %s: it is 0 or more", limit, b)
		}
		if err := s.checkBudget(b); err != nil {
			return fmt.Errorf("a budget of %d %s: %w", limit, b, err)
		}
	}
	if n := len(s.Budgets); n > 0 && s.Budgets[NoBudget] != 0 {
		return fmt.Errorf("a budget of nothing: use one of %s", strings.Join(budgetNames[1:], ", "))
	}
	return nil
}

func (s *System) checkBudget(b Budget) error {
	may := func(agents []ID, what string) error {
		if len(agents) == 0 {
			return fmt.Errorf("no agent may be %s", what)
		}
		return nil
	}
	switch b {
	case Wipes:
		return may(s.Wipe, "wiped")
	case Restarts:
		return may(s.Restart, "restarted")
	case Crashes:
		return may(s.Crash, "crashed")
	case Drops:
		if !s.Lossy {
			return fmt.Errorf("the network loses nothing unless it is lossy")
		}
	case Duplicates:
		if s.Network != Bag {
			return fmt.Errorf("only a bag has duplicates, and the network is a %s", s.Network)
		}
	case Timeouts:
		for _, n := range s.Agents {
			if slices.ContainsFunc(n.Actions(), func(a NodeAction) bool { return a.Kind == Timer }) {
				return nil
			}
		}
		return fmt.Errorf("no agent has an own action that is a timer")
	}
	return nil
}
