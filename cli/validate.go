package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/validate"
)

// validateCommand judges what nodes did by the model.
func (p *program) validateCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "validate",
		Usage:     "is what nodes did a behaviour of the model?",
		ArgsUsage: "TRACE...",
		Description: `Reads the traces of the nodes of one run: files, or folders of them. Every step is executed again with the algorithm's own functions, every message that was received must have been sent, and the properties are judged along the way. The system is the one that the traces name; --algo judges them by another algorithm.

Where a trace is missing or cut, it is judged as far as it goes, and says how far. Steps that were rolled back are executed again like all others; nobody may have seen what they sent.

The JSON of a run that violates a property can be replayed, if the model has such a path.

The exit status:

  0  valid: a behaviour of the model, as far as the traces tell, and no
     property fails
  1  invalid: some step is none of the model's; or a property fails
  2  bad usage, or no trace`,
		Flags:  append([]urfave.Flag{&urfave.StringFlag{Name: "algo", Category: "The system", Usage: "`NAME` judge by this algorithm, whatever the traces name"}}, reportFlags()...),
		Action: p.validate,
	}
}

func (p *program) validate(c *urfave.Context) error {
	if !c.Args().Present() {
		return usagef("validate needs traces: %s validate TRACE...", p.name)
	}
	outs, err := p.outputs(c)
	if err != nil {
		return err
	}
	setting, files, err := validate.Setting(c.Args().Slice())
	if err != nil {
		return err
	}
	if c.IsSet("algo") {
		setting.Algo = c.String("algo")
	}
	algorithm, err := p.algorithm(setting.Algo)
	if err != nil {
		return err
	}
	sys, err := setting.System(algorithm)
	if err != nil {
		return fmt.Errorf("%s: %w", files[0], err)
	}
	report, err := p.check(&sys, files, outs)
	if err != nil {
		return err
	}
	if report.Verdict != validate.Valid {
		p.status = statusViolated
	}
	return outs.deliverAs(c.Context, func(page *page) { page.validation(report, &sys) }, func(context.Context, output) ([]byte, error) {
		return indented(report)
	})
}

// check judges traces, with progress shown on standard error.
func (p *program) check(sys *model.System, files []string, outs *outputs) (*validate.Report, error) {
	if outs.quiet {
		return validate.Check(sys, files, nil)
	}
	meter := newMeter(p.std.Err)
	defer meter.clear()
	began := time.Now()
	return validate.Check(sys, files, func(done, of int) {
		meter.show(time.Since(began), fmt.Sprintf("%s: %s of %s steps are judged", time.Since(began).Round(time.Second), grouped(int64(done)), grouped(int64(of))))
	})
}

// indented is a value as JSON for people and programs.
func indented(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // labels have arrows
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return []byte(b.String()), err
}

// validation writes what became of traces, the verdict last.
func (p *page) validation(r *validate.Report, sys *model.System) {
	p.line("%s", p.paint(bold, describe(sys)))
	p.line("")
	for _, t := range r.Traces {
		p.line("  agent %-3d  %8s  %s", t.Agent, grouped(int64(t.Steps)), p.paint(faint, traceText(t)))
	}
	for _, id := range r.Missing {
		p.line("  agent %-3d  %8s  %s", id, "0", p.paint(faint, "steps: there is no trace"))
	}
	p.line("  steps      %8s  %s", grouped(int64(r.Steps)), p.paint(faint, fmt.Sprintf("executed again, %s of them durable", grouped(int64(r.Done)))))
	p.line("  received   %8s  %s", grouped(int64(r.Received)), p.paint(faint, receivedText(r)))
	p.validatedProperties(r.Properties)
	if r.NotJudged != "" {
		p.line("")
		p.WriteString(wrap("Properties were judged after "+plural(int64(r.Judged), "step")+" only: "+printable.Line(r.NotJudged)+".", 0))
	}
	p.line("")
	p.validity(r)
}

func (p *page) validatedProperties(properties []validate.Property) {
	if len(properties) == 0 {
		return
	}
	p.line("")
	var names, kinds, verdicts []string
	for _, q := range properties {
		names, kinds, verdicts = append(names, printable.Line(q.Name)), append(kinds, q.Kind), append(verdicts, q.Verdict)
	}
	for i, q := range properties {
		p.line("  %s  %s  %s  %s", pad(names[i], widest(names...)), pad(kinds[i], widest(kinds...)), pad(verdicts[i], widest(verdicts...)),
			p.paint(faint, "tested after "+plural(int64(q.Tested), "step")))
	}
}

func traceText(t validate.Trace) string {
	text := fmt.Sprintf("steps in %s, and the trace ", plural(int64(t.Incarnations), "incarnation"))
	switch t.Ends {
	case "stopped":
		text += "ends in good order"
	case "cut":
		text += "breaks off in the middle of a line"
	default:
		text += "ends without a stop"
	}
	if !t.Begins {
		text += "; its beginning is missing"
	}
	return text
}

func receivedText(r *validate.Report) string {
	if r.Assumed == 0 {
		return "messages, by durable steps; every one was sent"
	}
	return fmt.Sprintf("messages, by durable steps; of %s no trace tells whether they were sent", grouped(int64(r.Assumed)))
}

// validity is the verdict, and what it rests on.
func (p *page) validity(r *validate.Report) {
	switch {
	case r.FirstInvalid != nil:
		f := r.FirstInvalid
		p.line("%s: %s: step %d of agent %d, incarnation %d: %s", p.paint(red, string(r.Verdict)), f.Place, f.Seq, f.Agent, f.Incarnation, printable.Line(f.Move))
		p.WriteString(wrap(printable.Line(f.Reason), 2))
		if f.Expected != "" {
			p.WriteString(wrap("expected: "+printable.Line(f.Expected), 2))
		}
	case r.Violation != nil:
		v := r.Violation
		if v.NoPath != "" {
			p.line("The last %s, as they were judged:", plural(int64(len(v.Moves)), "move"))
			p.line("")
			p.lasso(v.Moves, noLoop, walk.Walk{})
			p.line("")
			p.WriteString(wrap("There is no path to replay: "+printable.Line(v.NoPath)+".", 0))
			p.line("")
		} else {
			p.lasso(v.Path, noLoop, walk.Walk{})
			p.line("")
		}
		p.line("%s: %s, after step %d of agent %d, incarnation %d (%s): %s", p.paint(red, string(r.Verdict)), printable.Line(v.Property),
			v.Seq, v.Agent, v.Incarnation, v.Place, printable.Line(v.Reason))
	default:
		p.line("%s: a behaviour of the model, in all %s", p.paint(green, string(r.Verdict)), plural(int64(r.Steps), "step"))
	}
}
