package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz"
	"github.com/caulk-go/caulk/internal/wholefile"
)

const outputCategory = "The output"

// diagramFlags ask for diagrams.
func diagramFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "dot", Category: outputCategory, Usage: "`FILE` draw what was seen, as Graphviz DOT"},
		&urfave.StringFlag{Name: "svg", Category: outputCategory, Usage: "`FILE` the same as SVG"},
		&urfave.StringFlag{Name: "png", Category: outputCategory, Usage: "`FILE` the same as PNG"},
		&urfave.StringFlag{Name: "graph", Category: outputCategory, Usage: "`labels|states` what the nodes of the drawing are (default: labels)"},
	}
}

// reportFlags say where the report goes.
func reportFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "json", Category: outputCategory, Usage: "`FILE` the report as JSON; its violation can be replayed"},
		quietFlag(),
	}
}

func quietFlag() urfave.Flag {
	return &urfave.BoolFlag{Name: "quiet", Category: outputCategory, Usage: "no readable report, and no progress"}
}

// outputs are what a command gives besides its exit status.
type outputs struct {
	stdout   io.Writer
	readable io.Writer // where the readable report goes
	quiet    bool
	graph    explorer.Graph
	files    []output
}

// output is one thing to write.
type output struct {
	flag   string
	target target
	render renderer
}

type renderer func(context.Context, *explorer.Report) ([]byte, error)

// outputs are those that the flags ask for. All that can be wrong with where
// they go is said here, before anything is searched or written.
func (p *program) outputs(c *urfave.Context) (*outputs, error) {
	return p.outputsOf(c, reportOutputs())
}

func reportOutputs() []output {
	return []output{
		{flag: "dot", render: drawn(renderDOT)},
		{flag: "svg", render: drawn(renderSVG)},
		{flag: "png", render: drawn(renderPNG)},
		{flag: "json", render: renderJSON},
	}
}

// outputsOf is outputs for a command that renders them in its own way.
func (p *program) outputsOf(c *urfave.Context, kinds []output) (*outputs, error) {
	o := &outputs{stdout: p.std.Out, readable: p.std.Out, quiet: c.Bool("quiet")}
	for _, kind := range kinds {
		name := c.String(kind.flag)
		if name == "" {
			continue
		}
		var err error
		if kind.target, err = newTarget(name); err != nil {
			return nil, err
		}
		for _, other := range o.files {
			if kind.target.same(other.target) {
				return nil, usagef("--%s and --%s both go to %s", other.flag, kind.flag, name)
			}
		}
		if kind.target.path == "" {
			o.readable = p.std.Err
		}
		o.files = append(o.files, kind)
	}
	return o, o.setGraph(c)
}

func (o *outputs) setGraph(c *urfave.Context) error {
	drawn := c.IsSet("dot") || c.IsSet("svg") || c.IsSet("png")
	switch name := c.String("graph"); {
	case name != "" && name != "labels" && name != "states":
		return usagef("--graph %s: it is labels or states", name)
	case name != "" && !drawn:
		return usagef("--graph %s: nothing is drawn; add --dot, --svg or --png FILE", name)
	case name == "states":
		o.graph = explorer.StateGraph
	case drawn || c.IsSet("markdown"):
		o.graph = explorer.LabelGraph
	}
	return nil
}

// deliver writes the readable report of a search, then the files. Once the
// search was interrupted, another interrupt kills; otherwise the first ends a
// drawing that takes long.
func (o *outputs) deliver(ctx context.Context, r *explorer.Report, readable func(*page)) error {
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	return o.deliverAs(ctx, readable, func(ctx context.Context, f output) ([]byte, error) { return f.render(ctx, r) })
}

// deliverAs writes something readable, then the files, each rendered as told.
// What cannot be written or drawn takes nothing from the others.
func (o *outputs) deliverAs(ctx context.Context, readable func(*page), render func(context.Context, output) ([]byte, error)) error {
	var failures []error
	if !o.quiet {
		page := newPage(terminalOf(o.readable))
		readable(page)
		if _, err := io.WriteString(o.readable, page.String()); err != nil {
			failures = append(failures, wholefile.CannotWrite("the report", err))
		}
	}
	for _, f := range o.files {
		data, err := render(ctx, f)
		if err != nil {
			failures = append(failures, fmt.Errorf("cannot draw %s: %w", f.target.name, err))
			continue
		}
		if err := f.target.write(data, o.stdout); err != nil {
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

func renderJSON(_ context.Context, r *explorer.Report) ([]byte, error) { return indented(r) }

// drawn is a renderer of a report's diagram, which may be missing.
func drawn(render renderer) renderer {
	return func(ctx context.Context, r *explorer.Report) ([]byte, error) {
		switch {
		case r.Diagram != nil:
			return render(ctx, r)
		case r.States == 0:
			return nil, errors.New("there is no state")
		}
		return nil, errors.New("--max-memory leaves too little for the diagram")
	}
}

func renderDOT(_ context.Context, r *explorer.Report) ([]byte, error) {
	var b bytes.Buffer
	err := graphviz.DOT(&b, r.Diagram)
	return b.Bytes(), err
}

func renderSVG(ctx context.Context, r *explorer.Report) ([]byte, error) {
	var b bytes.Buffer
	err := graphviz.SVG(ctx, &b, r.Diagram)
	return b.Bytes(), err
}

func renderPNG(ctx context.Context, r *explorer.Report) ([]byte, error) {
	var b bytes.Buffer
	err := graphviz.PNG(ctx, &b, r.Diagram)
	return b.Bytes(), err
}
