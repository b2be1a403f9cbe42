package cli

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

const faultCategory = "The faults"

// faultFlags say what may go wrong, and how often.
func faultFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.BoolFlag{Name: "lossy", Category: faultCategory, Usage: "the network may lose messages: on fifo the head of a queue, else any"},
		&urfave.StringFlag{Name: "wipe", Category: faultCategory, Usage: "`IDS` agents that may lose everything and start afresh, at any point: 1,3 or all"},
		&urfave.StringFlag{Name: "restart", Category: faultCategory, Usage: "`IDS` agents that may start anew with what they persisted, at any point"},
		&urfave.StringFlag{Name: "crash", Category: faultCategory, Usage: "`IDS` agents that may crash for good, at any point"},
		&urfave.StringFlag{Name: "max-wipes", Category: faultCategory, Usage: "`K` wipes at most, over all agents (default: any number)"},
		&urfave.StringFlag{Name: "max-restarts", Category: faultCategory, Usage: "`K` restarts at most"},
		&urfave.StringFlag{Name: "max-crashes", Category: faultCategory, Usage: "`K` crashes at most"},
		&urfave.StringFlag{Name: "max-drops", Category: faultCategory, Usage: "`K` messages lost at most, with --lossy"},
		&urfave.StringFlag{Name: "max-duplicates", Category: faultCategory, Usage: "`K` a message on a bag may be doubled, K times at most (default: never)"},
		&urfave.StringFlag{Name: "max-timeouts", Category: faultCategory, Usage: "`K` timers run out K times at most, over all agents (default: any number)"},
	}
}

// settleFaults says which agents may suffer what, and what may happen to the
// network.
func settleFaults(p *program, c *urfave.Context, base *trace.Setting, sys *model.System) error {
	sys.Lossy = c.Bool("lossy") || sys.Lossy
	if base.Algo != "" {
		sys.Lossy = c.Bool("lossy") || base.Lossy
	}
	for _, fault := range []struct {
		flag string
		base []model.ID
		into *[]model.ID
	}{
		{"wipe", base.Wipe, &sys.Wipe},
		{"restart", base.Restart, &sys.Restart},
		{"crash", base.Crash, &sys.Crash},
	} {
		if base.Algo != "" {
			*fault.into = fault.base
		}
		text := faultText(c, fault.flag)
		if text == "" {
			continue
		}
		ids, err := agentList(text, sys)
		if err != nil {
			return usagef("--%s %s: %s", fault.flag, text, err)
		}
		*fault.into = ids
	}
	if text := faultText(c, "restart"); text != "" {
		return p.checkRestart(text, sys)
	}
	return nil
}

// faultText is the agents that a flag names. The flags of run say when, too, and are
// lists: see events.
func faultText(c *urfave.Context, flag string) string {
	text, _ := c.Value(flag).(string)
	return text
}

// checkRestart refuses to restart whom nothing survives.
func (p *program) checkRestart(text string, sys *model.System) error {
	persists := func(id model.ID) bool { return sys.Node(id).Persists() }
	lost := slices.DeleteFunc(slices.Clone(sys.Restart), persists)
	if len(lost) == 0 {
		return nil
	}
	able := slices.DeleteFunc(sys.Population(), func(id model.ID) bool { return !persists(id) })
	if len(able) == 0 {
		return &usageError{fmt.Sprintf("--restart %s: nothing persists in %s, whose agents have no methods Persist and Restart", text, sys.Name),
			"to lose everything is --wipe " + text}
	}
	return &usageError{fmt.Sprintf("--restart %s: nothing of %s persists", text, agentsText(lost)),
		fmt.Sprintf("what persists is of %s", agentsText(able))}
}

// settleBudgets says how often things may go wrong. What cannot happen at all
// has no budget.
func settleBudgets(p *program, c *urfave.Context, base *trace.Setting, sys *model.System) error {
	budgets := maps.Clone(sys.Budgets)
	if base.Algo != "" {
		budgets = nil
		for _, name := range sortedKeys(base.Budgets) {
			b, err := model.ParseBudget(name)
			if err != nil {
				return err
			}
			budgets = with(budgets, b, base.Budgets[name])
		}
	}
	sys.Budgets = nil
	if err := sys.Check(); err != nil {
		return fmt.Errorf("%s: %w", sys.Name, err)
	}
	for _, b := range model.AllBudgets() {
		flag := "max-" + b.String()
		text := c.String(flag)
		if text == "" {
			continue
		}
		n, err := wholeNumber(text, 0, math.MaxInt32)
		if err != nil {
			return usagef("--%s: %s", flag, err)
		}
		alone := *sys
		alone.Budgets = with(nil, b, int(n))
		if err := alone.Check(); err != nil {
			return &usageError{fmt.Sprintf("--%s %s: %s", flag, text, innermost(err)), p.budgetHint(b, sys)}
		}
		budgets = with(budgets, b, int(n))
	}
	sys.Budgets = budgets
	return nil
}

func with(budgets map[model.Budget]int, b model.Budget, limit int) map[model.Budget]int {
	if budgets == nil {
		budgets = map[model.Budget]int{}
	}
	budgets[b] = limit
	return budgets
}

// budgetHint is what to do about a budget of what cannot happen.
func (p *program) budgetHint(b model.Budget, sys *model.System) string {
	switch b {
	case model.Wipes:
		return "add --wipe IDS"
	case model.Restarts:
		return "add --restart IDS"
	case model.Crashes:
		return "add --crash IDS"
	case model.Drops:
		return "add --lossy"
	case model.Duplicates:
		return "it goes with --network bag"
	}
	return trace.CommandLine(p.name, "algos", sys.Name) + " tells what it has"
}

func innermost(err error) error {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err
}

// agentsText names agents in the order of the list: "agent 3", "agents 1 and
// 3", or "agents 2 to 5" where no ID between is missing.
func agentsText(ids []model.ID) string {
	first, last := ids[0], ids[len(ids)-1]
	switch {
	case len(ids) == 1:
		return fmt.Sprintf("agent %d", first)
	case len(ids) > 2 && slices.IsSorted(ids) && int(last-first) == len(ids)-1:
		return fmt.Sprintf("agents %d to %d", first, last)
	}
	return "agents " + enumerate(idTexts(ids), "and")
}

func idTexts(ids []model.ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = fmt.Sprint(id)
	}
	return texts
}
