package scenario

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// report is one in which every number differs from every other.
func report() *explorer.Report {
	return &explorer.Report{
		Verdict: explorer.Violated, States: 1, Transitions: 2, Depth: 3, Halted: 4, Inconsistent: 5, Terminal: 6,
		ShortestHalt: new(7), HandlerCalls: 8, LabelNodes: new(9), LabelEdges: new(10), LabelWipeEdges: new(11),
		Awry: &[]explorer.Awry{{AgentState: "I0", Message: "Accept n=1", Moves: 12}, {AgentState: "L1", Message: "Promise n=1", Moves: 13}},
		Properties: []explorer.PropertyReport{
			{Name: "one leader", Verdict: explorer.Violated},
			{Name: "elected", Verdict: explorer.Holds},
		},
		Violation: &explorer.Violation{
			Property: "one leader", Reason: "agents 1 and 2 both lead", Moves: 14, LoopFrom: new(15), State: "LL",
			Path: []trace.Step{{Label: "campaign 1", State: "LF"}, {Label: "{Vote;2->1}", State: "LL"}},
		},
	}
}

// everything is what report says.
func everything() Want {
	return Want{
		Verdict: explorer.Violated, States: 1, Transitions: new(2), Depth: new(3), Halted: new(4), Inconsistent: new(5), Terminal: new(6),
		ShortestHalt: new(7), HandlerCalls: new(8), LabelNodes: 9, LabelEdges: new(10), LabelWipeEdges: new(11),
		Awry:       map[string]int{"I0 Accept n=1": 12, "L1 Promise n=1": 13},
		Properties: map[string]explorer.Verdict{"one leader": explorer.Violated, "elected": explorer.Holds},
		Property:   "one leader", Reason: "agents 1 and 2 both lead", Moves: new(14), Path: []string{"campaign 1", "{Vote;2->1}"},
		LoopFrom: new(15), EndsIn: "LL",
	}
}

func TestEverythingAsWanted(t *testing.T) {
	if failure := judge(everything(), report(), nil); failure != "" {
		t.Error(failure)
	}
}

// A case that wants nothing would pass whatever comes of it.
func TestNothingWanted(t *testing.T) {
	for name, w := range map[string]Want{"nothing": {}, "no properties": {Properties: map[string]explorer.Verdict{}}} {
		if failure := judge(w, report(), nil); !strings.HasPrefix(failure, "Nothing is wanted of this case, ") {
			t.Errorf("%s: %q", name, failure)
		}
	}
}

// TestEachFieldIsChecked changes what is wanted of one field at a time: the
// failure names that field, both values, and no other field.
func TestEachFieldIsChecked(t *testing.T) {
	changes := []struct {
		field         string
		want          func(*Want)
		wanted, found string
	}{
		{"verdict", func(w *Want) { w.Verdict = explorer.Holds }, `"holds"`, `"violated"`},
		{"states", func(w *Want) { w.States = 99 }, "int(99)", "int(1)"},
		{"transitions", func(w *Want) { w.Transitions = new(0) }, "int(0)", "int(2)"},
		{"depth", func(w *Want) { w.Depth = new(0) }, "int(0)", "int(3)"},
		{"halted_states", func(w *Want) { w.Halted = new(0) }, "int(0)", "int(4)"},
		{"inconsistent_states", func(w *Want) { w.Inconsistent = new(0) }, "int(0)", "int(5)"},
		{"terminal_states", func(w *Want) { w.Terminal = new(0) }, "int(0)", "int(6)"},
		{"shortest_halt", func(w *Want) { w.ShortestHalt = new(0) }, "int(0)", "int(7)"},
		{"handler_calls", func(w *Want) { w.HandlerCalls = new(0) }, "int(0)", "int(8)"},
		{"label_nodes", func(w *Want) { w.LabelNodes = 99 }, "int(99)", "int(9)"},
		{"label_edges", func(w *Want) { w.LabelEdges = new(0) }, "int(0)", "int(10)"},
		{"label_wipe_edges", func(w *Want) { w.LabelWipeEdges = new(0) }, "int(0)", "int(11)"},
		{"awry", func(w *Want) { w.Awry = map[string]int{"I0 Accept n=1": 12, "L1 Promise n=1": 0} }, `"L1 Promise n=1": 0`, `"L1 Promise n=1": 13`},
		{"awry", func(w *Want) { w.Awry = map[string]int{} }, "", `"L1 Promise n=1": 13`},
		{"properties", func(w *Want) { w.Properties = map[string]explorer.Verdict{"elected": explorer.NotReached} }, `"not reached"`, `"holds"`},
		{"properties", func(w *Want) { w.Properties = map[string]explorer.Verdict{"unknown": explorer.Holds} }, `"unknown"`, ""},
		{"violation.property", func(w *Want) { w.Property = "another" }, `"another"`, `"one leader"`},
		{"violation.reason", func(w *Want) { w.Reason = "agents 1 and 3 both lead" }, "3 both", "2 both"},
		{"violation.moves", func(w *Want) { w.Moves = new(0) }, "int(0)", "int(14)"},
		{"violation.path", func(w *Want) { w.Path = []string{"campaign 1", "{Vote;3->1}"} }, `"{Vote;3->1}"`, `"{Vote;2->1}"`},
		{"violation.path", func(w *Want) { w.Path = []string{} }, "", `"campaign 1"`},
		{"violation.loop_from", func(w *Want) { w.LoopFrom = new(0) }, "int(0)", "int(15)"},
		{"violation.state", func(w *Want) { w.EndsIn = "LF" }, `"LF"`, `"LL"`},
	}
	for _, c := range changes {
		w := everything()
		c.want(&w)
		failure := judge(w, report(), nil)
		if !strings.Contains(failure, `"`+c.field+`":`) || !strings.Contains(changed(failure, '-'), c.wanted) || !strings.Contains(changed(failure, '+'), c.found) {
			t.Errorf("%s: want a failure that names it, %s and %s; got:\n%s", c.field, c.wanted, c.found, failure)
		}
	}
}

// changed are the lines of a difference that begin with a sign, without the
// spaces that cmp varies.
func changed(diff string, sign byte) string {
	var lines []string
	for _, line := range strings.Split(diff, "\n") {
		if line != "" && line[0] == sign {
			lines = append(lines, strings.Join(strings.Fields(strings.ReplaceAll(line, "\u00a0", " ")), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// TestAbsent wants what the report does not have.
func TestAbsent(t *testing.T) {
	empty := &explorer.Report{Verdict: explorer.Holds, States: 1}
	for field, w := range map[string]Want{
		"shortest_halt":       {ShortestHalt: new(0)},
		"label_nodes":         {LabelNodes: 1},
		"awry":                {Awry: map[string]int{}},
		"violation.property":  {Property: "one leader"},
		"violation.moves":     {Moves: new(0)},
		"violation.path":      {Path: []string{}},
		"violation.loop_from": {LoopFrom: new(0)},
	} {
		failure := judge(w, empty, nil)
		if !strings.Contains(changed(failure, '+'), `"`+field+`": nil`) {
			t.Errorf("%s: want a failure that says it is absent; got:\n%s", field, failure)
		}
	}
}

func TestCheckHook(t *testing.T) {
	w := Want{States: 99, Check: func(r *explorer.Report) error { return errors.New("the hook was given " + r.Violation.State) }}
	if failure := judge(w, report(), nil); !strings.Contains(failure, `"states":`) || !strings.HasSuffix(failure, "\nthe hook was given LL") {
		t.Errorf("want both failures; got:\n%s", failure)
	}
	w = Want{Check: func(*explorer.Report) error { return nil }}
	if failure := judge(w, report(), nil); failure != "" {
		t.Error(failure)
	}
}

func TestRefused(t *testing.T) {
	refusal := errors.New("Receive of agent 1 panics: no")
	for _, c := range []struct {
		want   string
		report *explorer.Report
		err    error
		says   string
	}{
		{"", nil, refusal, "the search was refused: Receive of agent 1 panics: no"},
		{"panics", nil, refusal, ""},
		{"is not pure", nil, refusal, `the search was refused, but not for "is not pure": Receive of agent 1 panics: no`},
		{"panics", report(), nil, `the search should have been refused with "panics"`},
	} {
		if got := judge(Want{Error: c.want}, c.report, c.err); got != c.says {
			t.Errorf("want %q of %v: %q, not %q", c.want, c.err, got, c.says)
		}
	}
}

func TestShown(t *testing.T) {
	const path = `one leader is violated after 14 moves, in LL: agents 1 and 2 both lead
    1  campaign 1   LF
    2  {Vote;2->1}  LL
`
	if got := shown(report()); got != path {
		t.Errorf("got\n%s\nwant\n%s", got, path)
	}
	lasso := report()
	lasso.Violation.LoopFrom = new(1)
	if want, got := strings.Replace(path, "    2 ", "       and then for ever:\n    2 ", 1), shown(lasso); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	lasso.Violation.LoopFrom = new(2)
	if want, got := path+"       and stays there for ever\n", shown(lasso); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := shown(&explorer.Report{Verdict: explorer.Incomplete, States: 3}); got != "The verdict is incomplete, in 3 states; there is no path to show.\n" {
		t.Error(got)
	}
	one := &explorer.Report{Verdict: explorer.Incomplete, States: 1}
	if got := shown(one); got != "The verdict is incomplete, in 1 state; there is no path to show.\n" {
		t.Error(got)
	}
	if got := shown(nil); got != "" {
		t.Error(got)
	}
}

func TestCommand(t *testing.T) {
	node := model.Of(election{})
	small := model.System{Name: "election", Agents: []model.Node{node}}
	large := model.System{
		Name: "two phase", Agents: []model.Node{node, node, node}, Network: model.Set,
		Params: map[string]int{"managers": 2, "faults": 0},
		Starts: map[model.ID]string{3: "it's", 1: "x"}, Wipe: []model.ID{3, 1, 3},
	}
	all := explorer.Options{
		Search: explorer.DFS, Workers: 3, Depth: new(0), MaxStates: 10, MaxTime: time.Minute, MaxMemory: 1 << 20, KeepGoing: true,
		Properties: []string{"one leader", "elected"}, HandlerTime: time.Second, Graph: explorer.LabelGraph,
	}
	for _, c := range []struct {
		system  model.System
		options explorer.Options
		want    string
	}{
		{small, explorer.Options{}, "caulk explore --algo election --agents 1 --network bag"},
		{small, explorer.Options{Search: explorer.Random, Reduce: []explorer.Reduction{explorer.Ignored}, MaxStates: 9},
			"caulk explore --algo election --agents 1 --network bag --search random --seed 0 --reduce ignored --max-states 9"},
		{large, all, `caulk explore --algo 'two phase' --agents 3 --param faults=0 --param managers=2 --start 1=x --start '3=it'\''s' --network set --wipe 1,3` +
			` --search dfs --property 'one leader,elected' --keep-going --depth 0 --max-states 10 --max-time 1m0s --max-memory 1048576 --handler-time 1s`},
	} {
		if got := Command(&c.system, c.options); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
