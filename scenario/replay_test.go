package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
	"github.com/caulk-go/caulk/trace"
)

// recorder is a test that remembers how it ended.
type recorder struct {
	testing.TB
	said    string
	failed  bool
	skipped bool
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.said, r.failed = fmt.Sprintf(format, args...), true
}
func (r *recorder) Skipf(format string, args ...any) {
	r.said, r.skipped = fmt.Sprintf(format, args...), true
}
func (r *recorder) Logf(format string, args ...any) { r.said = fmt.Sprintf(format, args...) }

// wiped is the shortest path on which mark2 fails when agent 3 is wiped, for
// a mark.
func wiped(algo string) trace.Path {
	return trace.Path{
		Setting:  &trace.Setting{Algo: algo, Agents: 3, Starts: map[model.ID]string{1: "x"}, Wipe: []model.ID{3}},
		Property: "consistent",
		Steps: []trace.Step{
			{Label: "{Prepare;1->3;n=1}"}, {Label: "{Promise;3->1;n=1}"}, {Label: "{Accept;1->2;n=1}"}, {Label: "Wipe 3"},
		},
	}
}

func TestReplay(t *testing.T) {
	with := func(change func(p *trace.Path)) trace.Path {
		p := wiped("mark2")
		change(&p)
		return p
	}
	for name, tt := range map[string]struct {
		path            trace.Path
		failed, skipped bool
		says            string
	}{
		"fails":  {wiped("mark2"), true, false, "still fails at move 4 of 4, Wipe 3: consistent: agents 2 and 3 are idle at n=0"},
		"shows":  {wiped("mark2"), true, false, "\n    4  Wipe 3              L1I0I0\n"},
		"mended": {wiped("mark2b"), false, false, ""},
		"a move is impossible": {with(func(p *trace.Path) {
			p.Steps = append([]trace.Step{{Label: "{Accept;1->2;n=1}"}}, p.Steps[:3]...)
		}), false, false, "no longer possible, and left out: {Accept;1->2;n=1}"},
		"a move is impossible, and it fails all the same": {with(func(p *trace.Path) {
			p.Steps = append([]trace.Step{{Label: "{Accept;1->2;n=1}"}}, p.Steps...)
		}), true, false, "still fails at move 4 of 4"},
		"no move is possible": {with(func(p *trace.Path) {
			p.Steps = []trace.Step{{Label: "{Ask;1->2}"}, {Label: "{Grant;2->1}"}}
		}), false, true, "no move of the path is possible any more: it diverged at move 1 of 2: {Ask;1->2} is not possible there; possible are {Prepare;1->2;n=1}, "},
		"no setting":      {with(func(p *trace.Path) { p.Setting = nil }), true, false, "it has no setting"},
		"no algorithm":    {wiped("mark9"), true, false, `there is no algorithm "mark9"`},
		"no such agents":  {with(func(p *trace.Path) { p.Setting.Agents = -1 }), true, false, "mark2 takes 1 to 1000 agents, not -1"},
		"no such network": {with(func(p *trace.Path) { p.Setting.Network = "tube" }), true, false, `there is no network "tube"`},
		"no property":     {with(func(p *trace.Path) { p.Property = "nice" }), true, false, `mark2 has no property "nice" any more`},
		"from a trace":    {with(func(p *trace.Path) { p.Setting.From = "a.jsonl@3" }), true, false, "it begins in a.jsonl@3, a state of a trace"},
		"no moves":        {with(func(p *trace.Path) { p.Steps = nil }), false, false, ""},
	} {
		r := &recorder{TB: t}
		scenario.Replay(r, algos.All(), tt.path)
		if r.failed != tt.failed || r.skipped != tt.skipped || !strings.Contains(r.said, tt.says) || tt.says == "" && r.said != "" {
			t.Errorf("%s: failed: %t, skipped: %t: %s", name, r.failed, r.skipped, r.said)
		}
	}
}

// forever counts to two and back for ever.
func forever() model.Algorithm {
	return model.Algorithm{Name: "forever", Agents: 1, Make: func(model.Config) model.System {
		return model.System{
			Agents: []model.Node{model.Of(pendulum{})},
			Properties: []model.Property{
				model.Eventually("rests", func(v model.View) bool { return model.StateOf[int](v, 1) == 9 }),
			},
		}
	}}
}

type pendulum struct{}

func (pendulum) Fresh(model.ID, []model.ID, int) (int, []model.Message[string]) { return 0, nil }

func (pendulum) Receive(s int, _ model.Message[string]) (int, []model.Message[string]) { return s, nil }

func (pendulum) Actions() []model.Action[int, string] {
	return []model.Action[int, string]{{Name: "swing", Fair: true, Do: func(s int) (int, []model.Message[string], bool) {
		return 1 - s, nil, true
	}}}
}

func TestReplayOfRuns(t *testing.T) {
	run := trace.Path{
		Setting: &trace.Setting{Algo: "forever", Agents: 1}, Property: "rests", LoopFrom: new(0),
		Steps: []trace.Step{{Label: "swing 1"}, {Label: "swing 1"}},
	}
	r := &recorder{TB: t}
	scenario.Replay(r, []model.Algorithm{forever()}, run)
	if !r.failed || !strings.Contains(r.said, "and then for ever:") {
		t.Errorf("a run that never rests: failed: %t: %s", r.failed, r.said)
	}
	run.Steps = append([]trace.Step{{Label: "stop 1"}}, run.Steps...)
	run.LoopFrom = new(1)
	r = &recorder{TB: t}
	scenario.Replay(r, []model.Algorithm{forever()}, run)
	if !r.failed {
		t.Errorf("without the move that is not possible: %s", r.said)
	}
	run.LoopFrom, run.Steps = new(1), run.Steps[:2]
	r = &recorder{TB: t}
	scenario.Replay(r, []model.Algorithm{forever()}, run)
	if r.failed {
		t.Errorf("a loop that does not close: %s", r.said)
	}
}
