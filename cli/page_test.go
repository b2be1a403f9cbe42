package cli

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

var escape = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestPath(t *testing.T) {
	long := `Lead{Peers: [1, 2, 3], Value: "something that takes a good deal of room", Outstanding: 2}`
	steps := []trace.Step{{Label: "{Prepare;1->3;n=1}", State: "R1I0P1"}, {Label: "tick 2", State: "R1I1P1"}, {Label: "Wipe 3"}}
	w := walk.Walk{Begun: true, Start: "R1I0I0", Effects: []walk.Effect{
		{Agent: 3, Changes: []diff.Change{{Field: "State", Old: "Idle{}", New: long}, {Field: "N", Old: "0", New: "1"}}, Sends: []walk.Sent{{Label: "{Promise;3->1;n=1}"}}},
		{Agent: 2},
		{Agent: 3, Panics: true},
	}}
	want := `  0  the start           R1I0I0
  1  {Prepare;1->3;n=1}  R1I0P1
     agent 3  State  Idle{}
                     → Lead{Peers: [1, 2, 3],
                         Value: "something that takes a good deal of room",
                         Outstanding: 2}
              N      0 → 1
              sends  {Promise;3->1;n=1}
  2  tick 2              R1I1P1
     agent 2  does nothing
  3  Wipe 3
     agent 3  panics
`
	p := newPage(terminal{})
	p.path(steps, w)
	if p.String() != want {
		t.Errorf("%s\nnot\n%s", p, want)
	}

	wide := newPage(terminal{width: 200})
	wide.path(steps, w)
	if !strings.Contains(wide.String(), "State  Idle{} → "+long+"\n") {
		t.Errorf("at 200 columns the change is broken:\n%s", wide)
	}

	coloured := newPage(terminal{colour: true})
	coloured.path(steps, w)
	if plain := escape.ReplaceAllString(coloured.String(), ""); plain != want {
		t.Errorf("colour moves the text:\n%s", plain)
	}
}

func TestPathWithoutEffects(t *testing.T) {
	p := newPage(terminal{})
	p.path([]trace.Step{{Label: "a", State: "S"}}, walk.Walk{})
	if want := "  1  a          S\n"; p.String() != want {
		t.Errorf("%q, not %q", p, want)
	}
}

func TestPathShowsNoControlCharacters(t *testing.T) {
	p := newPage(terminal{})
	p.path([]trace.Step{{Label: "a\x1b[2J", State: "S\nT"}}, walk.Walk{})
	if want := "  1  a\uFFFD[2J      S\uFFFDT\n"; p.String() != want {
		t.Errorf("%q, not %q", p, want)
	}
}

// The last line is what a terminal or tail shows: it must say it all.
func TestVerdictLine(t *testing.T) {
	property := explorer.PropertyReport{Name: "a", Verdict: explorer.Holds, Tested: 5}
	missed := explorer.PropertyReport{Name: "b", Verdict: explorer.NotReached}
	tests := []struct {
		report explorer.Report
		want   string
		status int
	}{
		{explorer.Report{Verdict: explorer.Holds, Complete: true, States: 5, Properties: []explorer.PropertyReport{property}},
			"holds: every property, in all 5 states", 0},
		{explorer.Report{Verdict: explorer.Holds, Complete: true, States: 1, Properties: []explorer.PropertyReport{property}},
			"holds: every property, in the only state", 0},
		{explorer.Report{Verdict: explorer.Holds, Complete: true, States: 5},
			"holds: there is no property to check, in 5 states", 0},
		{explorer.Report{Verdict: explorer.Holds, Complete: true, States: 1000, Halted: 2, Awry: &[]explorer.Awry{{}}, Properties: []explorer.PropertyReport{property}},
			"holds: every property, in all 1,000 states; but 1 pair goes awry", 0},
		{explorer.Report{Verdict: explorer.Holds, Complete: true, States: 1000, Halted: 2, Properties: []explorer.PropertyReport{property}},
			"holds: every property, in all 1,000 states; but 2 states went awry", 0},
		{explorer.Report{Verdict: explorer.Violated, Complete: true, States: 5, Properties: []explorer.PropertyReport{property, missed}},
			"violated: b: not reached in any of 5 states", 1},
		{explorer.Report{Verdict: explorer.Violated, States: 5, Violation: &explorer.Violation{Property: "a", Moves: 1, Reason: "it is wrong\nat length"}},
			"violated: a, after 1 move: it is wrong", 1},
		{explorer.Report{Verdict: explorer.Incomplete, States: 5, Bounds: []explorer.Bound{{Name: "depth", Limit: 3, Cut: 2}}},
			"incomplete: no violation in 5 states, but not all was explored", 0},
		{explorer.Report{Verdict: explorer.Incomplete, States: 5, Bounds: []explorer.Bound{{Name: "depth", Limit: 3, Cut: 2}, {Name: "time", Limit: 1.5, Cut: 2}}},
			"incomplete: no violation in 5 states, but not all was explored", 3},
		{explorer.Report{Verdict: explorer.Incomplete, States: 5, Bounds: []explorer.Bound{{Name: "boundary", Cut: 2}}},
			"incomplete: no violation in 5 states, but nothing beyond the boundary was explored", 0},
		{explorer.Report{Verdict: explorer.Incomplete, States: 5, Bounds: []explorer.Bound{{Name: "depth", Limit: 3, Cut: 2}, {Name: "boundary", Cut: 2}}},
			"incomplete: no violation in 5 states, but not all was explored", 0},
		{explorer.Report{Verdict: explorer.Incomplete, States: 5000, Walks: new(int64(70)), Bounds: []explorer.Bound{{Name: "time", Limit: 1.5}}},
			"incomplete: no violation on 70 walks through 5,000 states, which proves nothing", 3},
		{explorer.Report{Verdict: explorer.Violated, States: 5, Violation: &explorer.Violation{Property: "a", Moves: 3, Path: make([]trace.Step, 3), LoopFrom: new(1), Reason: "never"}},
			"violated: a, after 1 move and a loop of 2: never", 1},
		{explorer.Report{Verdict: explorer.Violated, States: 5, Violation: &explorer.Violation{Property: "a", Moves: 3, Path: make([]trace.Step, 3), LoopFrom: new(3), Reason: "never"}},
			"violated: a, after 3 moves: never", 1},
		{explorer.Report{Verdict: explorer.Violated, States: 5, Bounds: []explorer.Bound{{Name: "interrupted", Cut: 2}}, Violation: &explorer.Violation{Property: "a"}},
			"violated: a, after 0 moves: ", 1},
	}
	for _, test := range tests {
		p := newPage(terminal{})
		p.report(&test.report, &model.System{}, walk.Walk{}, "caulk list")
		lines := strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n")
		if last := lines[len(lines)-1]; last != test.want {
			t.Errorf("%q, not %q", last, test.want)
		}
		if got := statusOf(&test.report); got != test.status {
			t.Errorf("%q: exit status %d, not %d", test.want, got, test.status)
		}
	}
}

func TestPropertyNeverTested(t *testing.T) {
	p := newPage(terminal{})
	p.properties(&explorer.Report{Properties: []explorer.PropertyReport{{Name: "a", Kind: "always", Verdict: explorer.Holds}}}, nil)
	if want := "\n  a  always  holds  never put to the test\n"; p.String() != want {
		t.Errorf("%q, not %q", p, want)
	}
}

// What a property means stands beneath it where it fails, and only there.
func TestPropertyDoc(t *testing.T) {
	properties := []model.Property{{Name: "good", Doc: "all is well"}, {Name: "bad", Doc: "nothing\tis wrong"}, {Name: "mute"}, {Name: "far", Doc: "it comes about"}}
	r := &explorer.Report{}
	for i, verdict := range []explorer.Verdict{explorer.Holds, explorer.Violated, explorer.Violated, explorer.NotReached} {
		r.Properties = append(r.Properties, explorer.PropertyReport{Name: properties[i].Name, Kind: "k", Tested: 1, Verdict: verdict})
	}
	p := newPage(terminal{})
	p.properties(r, properties)
	want := `
  good  k  holds        tested in 1 state
  bad   k  violated     tested in 1 state
        nothing\uFFFDis wrong
  mute  k  violated     tested in 1 state
  far   k  not reached  tested in 1 state
        it comes about
`
	if want = strings.ReplaceAll(want, `\uFFFD`, "\uFFFD"); p.String() != want {
		t.Errorf("%s\nnot\n%s", p, want)
	}
}

// Where nothing can say otherwise, nothing is said to.
func TestAgentsOfAFixedNumber(t *testing.T) {
	a := model.Algorithm{Name: "fixed", Make: func(model.Config) model.System {
		return model.System{Agents: []model.Node{model.Of(silent{}), model.Of(silent{})}}
	}}
	text, err := (&program{name: "caulk"}).algorithmText(&a)
	if err != nil || !strings.Contains(text, "\nagents      2\n") {
		t.Errorf("%v\n%s", err, text)
	}
}

type silent struct{}

func (silent) Fresh(model.ID, []model.ID, int) (int, []model.Message[int]) { return 0, nil }

func (silent) Receive(s int, _ model.Message[int]) (int, []model.Message[int]) { return s, nil }

// A list says how many states it saw, whether one or more.
func TestPairsOfOneState(t *testing.T) {
	for complete, want := range map[bool]string{
		true: "no agent halts, in the only state\n", false: "no agent halts, in the only state that was explored; there may be more\n",
	} {
		p := newPage(terminal{})
		p.pairs(&explorer.Report{States: 1, Complete: complete}, &model.System{}, "")
		if !strings.HasSuffix(p.String(), "\n"+want) {
			t.Errorf("%s\nwithout %s", p, want)
		}
	}
}

func TestPairTitle(t *testing.T) {
	pair := explorer.Awry{AgentState: "I0", Message: "Accept n=1", Moves: 3}
	if got, want := pairTitle(pair), "an agent in I0 receives Accept n=1 and halts, after 3 moves:"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	pair.Path = []trace.Step{{To: 3}, {To: 2}}
	if got, want := pairTitle(pair), "agent 2 in I0 receives Accept n=1 and halts, after 3 moves:"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestProgress(t *testing.T) {
	at := func(elapsed time.Duration) (time.Duration, string) {
		return elapsed, progressText(explorer.Progress{States: 1_234_567, Depth: 9, Frontier: 4000, Memory: 45_600_000, Elapsed: elapsed})
	}
	var b strings.Builder
	plain := meter{w: &b, next: plainStep}
	for s := range time.Duration(12) {
		plain.show(at(s * time.Second))
	}
	plain.clear()
	want := "5s: 1,234,567 states, 246,913/s, depth 9, frontier 4,000, 45 MB\n" +
		"10s: 1,234,567 states, 123,456/s, depth 9, frontier 4,000, 45 MB\n"
	if b.String() != want {
		t.Errorf("in a pipe:\n%s", &b)
	}

	b.Reset()
	live := meter{w: &b, terminal: terminal{live: true, width: 20}}
	live.show(at(900 * time.Millisecond))
	live.clear()
	if b.Len() > 0 {
		t.Errorf("within a second: %q", &b)
	}
	live.show(at(2 * time.Second))
	live.clear()
	if want := "\r2s: 1,234,567 state\x1b[K\r\x1b[K"; b.String() != want {
		t.Errorf("on a terminal: %q, not %q", &b, want)
	}
}
