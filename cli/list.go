package cli

import (
	"cmp"
	"fmt"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
)

// listCommand lists what goes awry.
func (p *program) listCommand() *urfave.Command {
	return &urfave.Command{
		Name:  "list",
		Usage: "list every pair of agent state and message that goes awry",
		Description: `An agent that meets a message it did not foresee halts, and the pair of its state and that message goes awry. Each pair is listed with the shortest path to it, the nearest first: the next holes to caulk. The search goes on past violations. A FILE of - is standard output; the readable list then goes to standard error.

The exit status is 0 whatever is found, unless the search itself was ended early (3) or a handler panics (1).`,
		Flags:  slices.Concat(systemFlags(), []urfave.Flag{fromFlag()}, faultFlags(), boundFlags(), reportFlags()),
		Action: p.list,
	}
}

func (p *program) list(c *urfave.Context) error {
	if err := p.noArguments(c); err != nil {
		return err
	}
	base, err := p.base(c, nil)
	if err != nil {
		return err
	}
	sys, err := p.system(c, base)
	if err != nil {
		return err
	}
	options, err := searchOptions(c, &sys)
	if err != nil {
		return err
	}
	outs, err := p.outputs(c)
	if err != nil {
		return err
	}
	options.KeepGoing = true
	options.Graph = explorer.LabelGraph // pairs are gathered along with it, however large the system
	report, err := p.search(c, &sys, options, outs)
	if err != nil {
		return err
	}
	if v := report.Violation; v != nil && v.Property == noPanic {
		p.status = statusViolated
		w := walk.Along(&sys, v.Start, v.Path, options.HandlerTime)
		return outs.deliver(c.Context, report, func(page *page) { page.report(report, &sys, w, p.commandLine(c, c.Command)) })
	}
	if endedEarly(report) {
		p.status = statusEnded
	}
	return outs.deliver(c.Context, report, func(page *page) {
		page.pairs(report, &sys, p.commandLine(c, p.exploreCommand()))
	})
}

// pairTitle says who halts on what. The path's last move is the fatal one.
func pairTitle(pair explorer.Awry) string {
	who := "an agent"
	if n := len(pair.Path); n > 0 {
		who = fmt.Sprintf("agent %d", pair.Path[n-1].To)
	}
	return fmt.Sprintf("%s in %s receives %s and halts, after %s:", who, printable.Line(pair.AgentState), printable.Line(pair.Message), plural(int64(pair.Moves), "move"))
}

// pairs writes what goes awry, and last how much that is. Exploring is the
// command that shows the path to a violation.
func (p *page) pairs(r *explorer.Report, sys *model.System, exploring string) {
	p.line("%s", p.paint(bold, describe(sys)))
	var pairs []explorer.Awry
	if r.Awry != nil {
		pairs = slices.Clone(*r.Awry)
	}
	slices.SortStableFunc(pairs, func(a, b explorer.Awry) int { return cmp.Compare(a.Moves, b.Moves) })
	for _, pair := range pairs {
		p.line("")
		p.line("%s", p.paint(bold, pairTitle(pair)))
		p.path(pair.Path, walk.Walk{})
	}
	p.line("")
	p.bounds(r)
	if r.Violation != nil {
		p.line("Besides, %s is violated: %s", printable.Line(r.Violation.Property), exploring)
	}
	text := awryPairs(r)
	if r.Halted == 0 {
		text = "no agent halts"
	}
	seen := "in all " + plural(r.States, "state")
	switch {
	case !r.Complete && r.States == 1:
		seen = "in the only state that was explored; there may be more"
	case !r.Complete:
		seen = "in the " + plural(r.States, "state") + " that were explored; there may be more"
	case r.States == 1:
		seen = "in the only state"
	}
	p.line("%s, %s", text, seen)
}
