package cli

import (
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// exploreCommand searches every state of a system: the main job.
func (p *program) exploreCommand() *urfave.Command {
	return &urfave.Command{
		Name:  "explore",
		Usage: "search every state of a system for a violated property",
		Description: `Delivers every message in every order, lets agents and the network fail at every point as the flags allow, and halts at the first state in which a property fails. The report shows the path there, and its last line is the verdict. A FILE of - is standard output; the readable report then goes to standard error.

The exit status tells the verdict:

  0  holds: every property, in every state; or incomplete, but only
     because of --depth or the system's own boundary, and no
     violation was found
  1  violated: a property, or a handler panics
  2  bad usage; or the search is impossible, since a handler is not a
     pure function, does not return, or gives what is no plain value
  3  incomplete: a limit or an interrupt ended the search early

A random search is never complete: without a violation it ends with 3, by the limit that it needs.

The first interrupt ends the search with a report of what was seen, the second kills it. With --checkpoint a search can be taken up again where it ended, and reports what it would have reported; limits, workers and outputs may then be others. With --max-memory the search ends before the process takes more; drawing a diagram comes after the search, and is not counted.`,
		Flags:  slices.Concat(systemFlags(), []urfave.Flag{fromFlag()}, faultFlags(), orderFlags(), boundFlags(), checkpointFlags(), diagramFlags(), []urfave.Flag{sequenceFlag()}, ciFlags(), reportFlags()),
		Action: p.explore,
	}
}

func (p *program) explore(c *urfave.Context) error {
	if err := p.noArguments(c); err != nil {
		return err
	}
	kept, err := p.kept(c)
	if err != nil {
		return err
	}
	base, err := p.base(c, settingOf(c, kept))
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
	if options.Cover, err = coverOption(c); err != nil {
		return err
	}
	ci, err := p.ciOutputs(&sys)
	if err != nil {
		return err
	}
	outs, err := p.outputsOf(c, slices.Concat(reportOutputs(), []output{sequenceOutput(c, &sys, options.HandlerTime)}, ci))
	if err != nil {
		return err
	}
	if err := outs.keep(c, &options, kept); err != nil {
		return err
	}
	options.Graph = outs.graph
	report, err := p.search(c, &sys, options, outs)
	unsaved := unsavedIn(err)
	if err != nil && unsaved == nil {
		return err
	}
	p.status = statusOf(report)
	var w walk.Walk
	if report.Violation != nil && !outs.quiet {
		w = walk.Along(&sys, report.Violation.Start, report.Violation.Path, options.HandlerTime)
	}
	listing := p.commandLine(c, p.listCommand())
	if base != nil { // the flags do not say it all
		listing = trace.CommandLine(append([]string{p.name, p.listCommand().Name}, trace.SettingOf(&sys).Flags()...)...)
	}
	err = outs.deliver(c.Context, report, func(page *page) { page.report(report, &sys, w, listing) })
	if !outs.quiet || unsaved != nil {
		p.tellKept(options.Checkpoint, report, unsaved)
	}
	return err
}

// search explores, with progress shown on standard error.
func (p *program) search(c *urfave.Context, sys *model.System, o explorer.Options, outs *outputs) (*explorer.Report, error) {
	if !outs.quiet {
		meter := newMeter(p.std.Err)
		defer meter.clear()
		o.Progress = func(progress explorer.Progress) {
			meter.show(progress.Elapsed, progressText(progress))
			meter.warn(p.name, progress.Unsaved)
		}
	}
	return explorer.Explore(c.Context, *sys, o)
}

// noArguments refuses what is not a flag.
func (p *program) noArguments(c *urfave.Context) error {
	if !c.Args().Present() {
		return nil
	}
	first := c.Args().First()
	for _, a := range p.algorithms {
		if a.Name == first && !c.IsSet("algo") {
			return usagef("%s takes no argument, but %q is given: write --algo %s", c.Command.Name, first, first)
		}
	}
	return usagef("%s takes no argument, but %q is given", c.Command.Name, first)
}

// commandLine is what to type for another command with the flags of this one,
// as far as the other has them; but not where its output goes.
func (p *program) commandLine(c *urfave.Context, other *urfave.Command) string {
	words := []string{p.name, other.Name}
	for _, f := range other.Flags {
		name := f.Names()[0]
		if !c.IsSet(name) || f.(urfave.CategorizableFlag).GetCategory() == outputCategory {
			continue
		}
		switch {
		case !takesValue(f):
			words = append(words, "--"+name)
		case repeatable(f):
			for _, value := range c.StringSlice(name) {
				words = append(words, "--"+name, value)
			}
		default:
			words = append(words, "--"+name, c.String(name))
		}
	}
	return trace.CommandLine(words...)
}
