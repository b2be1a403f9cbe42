package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

const replayCategory = "The path"

// replayCommand makes the moves of a path again.
func (p *program) replayCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "replay",
		Usage:     "make the moves of a path again: does it still lead there?",
		ArgsUsage: "PATH.json",
		Description: `Reads a path file, a report with a violation (as --json writes it), or a JSON list of labels such as ["{Prepare;1->3;n=1}", "Wipe 3"]; - reads standard input. The system is the one that the file names; a flag overrides what the file says, so --algo replays the path on another algorithm. With a list of labels the flags say it all.

The exit status tells what became of the path:

  0    fixed: every move is possible, and nothing fails
  1    still fails: a property fails, an agent halts or a handler panics
  125  diverged: a move is not possible any more; those that are are listed
  2    bad usage, or not a path

These suit git bisect run. A hole is often mended by making a move impossible, though, and then the path diverges wherever the algorithm is right: --leave-out makes that 0, and is what a bisection needs.`,
		Flags: slices.Concat(systemFlags(), faultFlags(), []urfave.Flag{
			&urfave.BoolFlag{Name: "leave-out", Category: replayCategory, Usage: "leave out moves that are not possible any more, and make the rest; the path diverges only where none is possible"},
			quietFlag(),
		}),
		Action: p.replay,
	}
}

func (p *program) replay(c *urfave.Context) error {
	names := c.Args().Slice()
	switch {
	case len(names) == 0:
		return usagef("replay needs the file of a path: %s replay PATH.json", p.name)
	case len(names) > 1:
		return usagef("replay takes one path at a time, but %q follows %q", names[1], names[0])
	}
	path, err := p.readPath(names[0])
	if err != nil {
		return err
	}
	sys, err := p.system(c, path.Setting)
	if err != nil {
		var usage *usageError
		if path.Setting == nil || errors.As(err, &usage) && c.NumFlags() > 0 {
			return err
		}
		return fmt.Errorf("%s: %s", names[0], p.explain(err))
	}
	replay := func(sys *model.System, path trace.Path) (trace.Outcome, []string, error) {
		o, err := trace.Replay(sys, path)
		return o, nil, err
	}
	if c.Bool("leave-out") {
		replay = trace.ReplayPossible
	}
	outcome, left, err := replay(&sys, path)
	if err != nil {
		return err
	}
	p.status = map[trace.Verdict]int{trace.Fixed: statusOK, trace.StillFails: statusViolated, trace.Diverged: statusDiverged}[outcome.Verdict]
	if c.Bool("quiet") {
		return nil
	}
	page := newPage(terminalOf(p.std.Out))
	page.replay(&sys, outcome, left)
	return p.print(page.String())
}

// readPath reads a path from a file, or from standard input for "-".
func (p *program) readPath(name string) (trace.Path, error) {
	in := p.std.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return trace.Path{}, fmt.Errorf("cannot read %s: %w", name, wholefile.Bare(err))
		}
		defer f.Close()
		in = f
	} else {
		name = "standard input"
	}
	path, err := trace.Read(in)
	var io *fs.PathError
	switch {
	case errors.As(err, &io):
		return trace.Path{}, fmt.Errorf("cannot read %s: %w", name, wholefile.Bare(err))
	case err != nil:
		return trace.Path{}, fmt.Errorf("cannot replay %s: %w", name, err)
	}
	return path, nil
}

// replay writes what became of a path, the verdict last; the labels are of
// moves that were left out.
func (p *page) replay(sys *model.System, o trace.Outcome, left []string) {
	p.line("%s", p.paint(bold, describe(sys)))
	p.line("")
	if len(o.Made) > 0 {
		p.path(o.Steps(), walk.Of(sys, o.Stepper, o.Start, o.Made))
		p.line("")
	}
	if o.Panic != nil && o.Panic.Stack != "" {
		p.line("The panic came from")
		p.line("%s", strings.TrimRight(o.Panic.Stack, "\n"))
		p.line("")
	}
	if len(left) > 0 {
		p.line("No longer possible, and left out:")
		for _, label := range left {
			p.line("  %s", printable.Line(label))
		}
		p.line("")
	}
	if len(o.Possible) > 0 {
		p.line("Possible there:")
		for _, label := range o.Possible {
			p.line("  %s", printable.Line(label))
		}
		p.line("")
	}
	if o.Verdict == trace.Fixed && len(left) > 0 {
		p.line("%s: nothing fails in the %s that are possible", p.paint(green, o.Verdict.String()), plural(int64(o.Length), "move"))
		return
	}
	p.line("%s", outcomeText(p, o))
}

// outcomeText is the last line.
func outcomeText(p *page, o trace.Outcome) string {
	verdict := o.Verdict.String()
	switch o.Verdict {
	case trace.Fixed:
		return p.paint(green, verdict) + ": every move is possible, and nothing fails in " + plural(int64(o.Length), "move")
	case trace.Diverged:
		reason := "is not possible"
		if len(o.Bodies) > 0 {
			reason = fmt.Sprintf("stands for %d messages, and the path does not say which: %s", len(o.Bodies), strings.Join(o.Bodies, ", "))
		}
		return fmt.Sprintf("%s at move %d of %d: %s %s", p.paint(yellow, verdict), len(o.Made)+1, o.Length, printable.Line(o.Want.Label), reason)
	}
	_, text, _ := strings.Cut(o.String(), verdict)
	return p.paint(red, verdict) + text
}
