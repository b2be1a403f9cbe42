package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// diffCommand tells what a variant mends and breaks.
func (p *program) diffCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "diff",
		Usage:     "tell what one algorithm fixes, breaks and reaches that another does not",
		ArgsUsage: "OLDER NEWER",
		Description: `Explores both algorithms in the same setting, past violations, and compares: pairs of agent state and message that go awry in one, or in both; pairs that only one ever meets; and the verdict on each property. What the newer one breaks is shown with its shortest path, and the last line says whether it broke anything. A flag that only one of the two can take is refused.

States are compared by their labels: let agents have a Label, or they are numbered in order of discovery, which differs from one variant to another.

In the diagram, what is in both is black, what only the newer has is green and thick, and what only the older has is red and dashed.

The exit status tells the outcome:

  0  nothing broke, as far as both were explored
  1  the newer one broke something: a pair goes awry that did not, a
     property fails that did not, or a handler panics that did not
  2  bad usage
  3  a limit or an interrupt ended a search early: that of the older
     one, so that it is not known what it has wrong; or that of the
     newer one, which broke nothing so far`,
		Flags: slices.Concat(withoutFlags(systemFlags(), "algo"), faultFlags(), boundFlags(),
			withoutFlags(diagramFlags(), "graph"), []urfave.Flag{
				&urfave.StringFlag{Name: "json", Category: outputCategory, Usage: "`FILE` the comparison as JSON"},
				quietFlag(),
			}),
		Action: p.diff,
	}
}

func withoutFlags(flags []urfave.Flag, name string) []urfave.Flag {
	return slices.DeleteFunc(flags, func(f urfave.Flag) bool { return f.Names()[0] == name })
}

// variant is one of those that are compared.
type variant struct {
	sys     model.System
	options explorer.Options
	report  *explorer.Report
}

func (p *program) diff(c *urfave.Context) error {
	names := c.Args().Slice()
	switch {
	case len(names) < 2:
		return usagef("diff compares two algorithms: %s diff OLDER NEWER", p.name)
	case len(names) > 2:
		return usagef("diff compares two algorithms, but %q follows %q", names[2], names[1])
	}
	older, newer := &variant{}, &variant{}
	for i, v := range []*variant{older, newer} {
		if err := p.prepare(c, names[i], v); err != nil {
			return err
		}
	}
	var compared *explorer.Comparison
	outs, err := p.outputsOf(c, diffOutputs(older, newer, &compared))
	if err != nil {
		return err
	}
	for _, v := range []*variant{older, newer} {
		if v.report, err = p.search(c, &v.sys, v.options, outs); err != nil {
			return err
		}
	}
	if compared, err = explorer.Compare(older.report, newer.report); err != nil {
		return err
	}
	switch {
	case compared.Broke && !endedEarly(older.report):
		p.status = statusViolated
	case endedEarly(older.report) || endedEarly(newer.report):
		p.status = statusEnded
	}
	return outs.deliver(c.Context, newer.report, func(page *page) { page.comparison(compared, older, newer) })
}

// prepare makes the system of one variant, and how it is searched.
func (p *program) prepare(c *urfave.Context, name string, v *variant) (err error) {
	if v.sys, err = p.systemOf(c, name, &trace.Setting{}); err != nil {
		return err
	}
	v.options, err = searchOptions(c, &v.sys)
	v.options.KeepGoing, v.options.Cover = true, true
	v.options.Graph = explorer.LabelGraph // pairs are gathered along with it, however large the system
	return err
}

// diffOutputs render what will be compared by then.
func diffOutputs(older, newer *variant, compared **explorer.Comparison) []output {
	draw := func(to func(context.Context, io.Writer, *explorer.Diagram, *explorer.Diagram) error) renderer {
		return func(ctx context.Context, _ *explorer.Report) ([]byte, error) {
			if older.report.Diagram == nil || newer.report.Diagram == nil {
				return nil, errors.New("one of the two has no state")
			}
			var b bytes.Buffer
			err := to(ctx, &b, older.report.Diagram, newer.report.Diagram)
			return b.Bytes(), err
		}
	}
	asDOT := func(_ context.Context, w io.Writer, older, newer *explorer.Diagram) error {
		return graphviz.DiffDOT(w, older, newer)
	}
	return []output{
		{flag: "dot", render: draw(asDOT)},
		{flag: "svg", render: draw(graphviz.DiffSVG)},
		{flag: "png", render: draw(graphviz.DiffPNG)},
		{flag: "json", render: func(context.Context, *explorer.Report) ([]byte, error) { return indented(*compared) }},
	}
}
