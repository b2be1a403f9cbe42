package cluster

import (
	"slices"
	"time"

	"github.com/caulk-go/caulk/validate"
)

// Schema is the name of the report's format.
const Schema = "caulk/run/v1"

// Report is what came of a run. Its JSON names are a contract: add, never rename.
type Report struct {
	Schema       string         `json:"schema"`
	Algo         string         `json:"algo"`
	Agents       int            `json:"agents"`
	Seconds      float64        `json:"seconds"`
	Operations   int            `json:"operations"`   // that clients asked for
	Acknowledged int            `json:"acknowledged"` // that were answered
	Lost         int            `json:"lost"`         // that were never answered
	Commits      int            `json:"commits"`
	Injected     map[string]int `json:"injected"` // by kind of fault, as the flags name it
	Trace        Trace          `json:"trace"`
	History      *History       `json:"history"` // nil where no agent serves clients
	Latency      Latency        `json:"latency_ms"`
	Failures     []Failure      `json:"failures"` // agents that ended their nodes, in order of their ends; not nil
	Verdict      string         `json:"verdict"`  // valid, invalid, violated, not linearizable, failed, unknown

	Validation *validate.Report `json:"validation"` // in full
}

// Trace is what became of the nodes' traces.
type Trace struct {
	Steps        int               `json:"steps"`
	Valid        bool              `json:"valid"`
	FirstInvalid *validate.Problem `json:"first_invalid"`
}

// Latency is of requests that were answered, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// The verdicts beside those of validation.
const (
	NotLinearizable = "not linearizable"
	Failed          = "failed"  // an agent's code misbehaves
	Unknown         = "unknown" // whether the history is linearizable
)

func (c *cluster) report(l *load, took time.Duration) (*Report, error) {
	validation, err := c.judge()
	if err != nil {
		return nil, err
	}
	r := &Report{
		Schema: Schema, Algo: c.o.System.Name, Agents: len(c.o.System.Agents), Seconds: took.Seconds(),
		Operations: l.asked, Acknowledged: l.answered, Lost: l.asked - l.answered, Commits: c.commits, Injected: c.injected,
		Trace:   Trace{validation.Steps, validation.FirstInvalid == nil, validation.FirstInvalid},
		Latency: latency(l.latencies), Failures: append([]Failure{}, c.failures...), Validation: validation,
	}
	defer func() { r.Verdict = r.verdict() }()
	if l.kind != serves {
		return r, nil
	}
	c.doing("the history is judged")
	r.History = judgeHistory(l.operations)
	if c.o.History != "" {
		if err := drawHistory(c.o.History, l.operations); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// verdict is the gravest of what there is to say.
func (r *Report) verdict() string {
	told := r.History == nil || r.History.Linearizable != nil
	switch {
	case r.Validation.Verdict != validate.Valid:
		return string(r.Validation.Verdict)
	case told && r.History != nil && !*r.History.Linearizable:
		return NotLinearizable
	case slices.ContainsFunc(r.Failures, func(f Failure) bool { return !f.Halted }):
		return Failed
	case !told:
		return Unknown
	}
	return string(validate.Valid)
}

func latency(all []time.Duration) Latency {
	if len(all) == 0 {
		return Latency{}
	}
	slices.Sort(all)
	at := func(percent int) float64 { return float64(all[(len(all)-1)*percent/100].Microseconds()) / 1000 }
	return Latency{at(50), at(99)}
}
