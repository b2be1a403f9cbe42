package cli

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/sequence"
)

// sequenceFlag asks for the sequence diagram of the path to the violation.
func sequenceFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "sequence", Category: outputCategory, Usage: "`FILE` the path to the violation as a sequence diagram, by the name's ending: .svg, .mmd (Mermaid), else text"}
}

// sequenceOutput renders what sequenceFlag asks for. Where nothing is violated
// that is the start, and the verdict.
func sequenceOutput(c *urfave.Context, sys *model.System, limit time.Duration) output {
	render := (*sequence.Chart).Text
	switch strings.ToLower(filepath.Ext(c.String("sequence"))) {
	case ".svg":
		render = (*sequence.Chart).SVG
	case ".mmd":
		render = (*sequence.Chart).Mermaid
	}
	return output{flag: "sequence", render: func(_ context.Context, r *explorer.Report) ([]byte, error) {
		return []byte(render(chartOf(r, sys, limit))), nil
	}}
}

// chartOf is the sequence diagram of a report's violation.
func chartOf(r *explorer.Report, sys *model.System, limit time.Duration) *sequence.Chart {
	v := r.Violation
	if v == nil {
		v = &explorer.Violation{}
	}
	chart := sequence.New(sys, v.Path, walk.Along(sys, v.Start, v.Path, limit))
	chart.End = string(r.Verdict) + ": " + verdictText(r)
	if v.LoopFrom != nil {
		chart.Loops, chart.LoopFrom = true, *v.LoopFrom
	}
	return chart
}
