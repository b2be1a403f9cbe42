package cli

import (
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// A lasso says where its loop begins, or that nothing happens any more.
func TestLasso(t *testing.T) {
	steps := []trace.Step{{Label: "a 1", State: "S"}, {Label: "b 1", State: "T"}, {Label: "Drop {M;1->2}", State: "T"}}
	w := walk.Walk{Begun: true, Effects: []walk.Effect{
		{Agent: 1, Changes: []diff.Change{{Old: "0", New: "1"}}},
		{Agent: 1, Observes: []diff.Change{{Field: "Calls", Old: "2", New: "3"}}},
		{Agent: 2, Idle: true},
	}}
	want := `  0  the start
  1  a 1            S
     agent 1  state  0 → 1
LOOP  2  b 1            T
     agent 1  does nothing
     observer  Calls  2 → 3
  3  Drop {M;1->2}  T
END`
	for loop, text := range map[int][2]string{1: {"     and then for ever:\n", ""}, 3: {"", "     and stays there for ever\n"}, noLoop: {}} {
		p := newPage(terminal{})
		p.lasso(steps, loop, w)
		if want := strings.NewReplacer("LOOP", text[0], "END", text[1]).Replace(want); p.String() != want {
			t.Errorf("loop from %d:\n%s\nnot\n%s", loop, p, want)
		}
	}
}

func TestPathTitle(t *testing.T) {
	start := map[model.ID]string{1: "x", 3: "a b"}
	for _, c := range []struct {
		search    explorer.Search
		violation explorer.Violation
		want      string
	}{
		{explorer.BFS, explorer.Violation{Moves: 1}, "The shortest path to the violation, 1 move:"},
		{explorer.DFS, explorer.Violation{Moves: 2}, "A path to the violation, 2 moves:"},
		{explorer.Random, explorer.Violation{Moves: 2}, "A path to the violation, 2 moves:"},
		{explorer.BFS, explorer.Violation{Moves: 3, Path: make([]trace.Step, 3), LoopFrom: new(2)}, "A run that violates it, 2 moves and a loop of 1:"},
		{explorer.BFS, explorer.Violation{Path: []trace.Step{}, LoopFrom: new(0)}, "A run that violates it, 0 moves:"},
		{explorer.BFS, explorer.Violation{Moves: 1, Start: start}, "The shortest path to the violation, 1 move, where agent 1 starts with x, agent 3 starts with 'a b':"},
		{explorer.BFS, explorer.Violation{Moves: 1, Start: map[model.ID]string{}}, "The shortest path to the violation, 1 move, where no agent is started:"},
	} {
		p := newPage(terminal{})
		if got := p.pathTitle(&explorer.Report{Search: c.search.String(), Violation: &c.violation}); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// What was tested is counted in what the kind of property is about.
func TestPropertiesOfEachKind(t *testing.T) {
	r := &explorer.Report{}
	for k := model.KindAlways; k <= model.KindLeadsTo; k++ {
		r.Properties = append(r.Properties, explorer.PropertyReport{Name: "p", Kind: k.String(), Verdict: explorer.Holds, Tested: 2})
	}
	p := newPage(terminal{})
	p.properties(r, nil)
	want := `
  p  always      holds  tested in 2 states
  p  sometimes   holds  tested in 2 states
  p  step        holds  tested on 2 moves
  p  at the end  holds  tested at 2 ends
  p  eventually  holds  tested in 2 states
  p  leads to    holds  tested from 2 states
`
	if p.String() != want {
		t.Errorf("%s\nnot\n%s", p, want)
	}
}

func TestExploredText(t *testing.T) {
	for want, r := range map[string]explorer.Report{
		"explored breadth first, to a depth of 1 move":                    {Search: "bfs", Depth: 1},
		"explored depth first, reduced by ignored, to a depth of 2 moves": {Search: "dfs", Depth: 2, Reduce: []string{"ignored"}},
		"seen on 1,200 random walks, seed 7, to a depth of 30 moves":      {Search: "random", Depth: 30, Walks: new(int64(1200)), Seed: new(uint64(7))},
	} {
		if got := exploredText(&r); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	sys := model.System{
		Name: "a", Agents: make([]model.Node, 3), Params: map[string]int{"k": 2}, Network: model.Fifo, Lossy: true,
		Starts: map[model.ID]string{2: "y", 1: "x"}, Wipe: []model.ID{1, 2, 3}, Restart: []model.ID{3}, Crash: []model.ID{1, 3},
	}
	want := "a: 3 agents, k=2, agent 1 starts with x, agent 2 starts with y, messages in fifo queues, a message may be lost, agents 1, 2 and 3 may be wiped, agent 3 may restart, agents 1 and 3 may crash for good"
	if got := describe(&sys); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	sys.Network, sys.OtherStarts = model.Bag, []map[model.ID]string{nil}
	sys.Budgets = map[model.Budget]int{model.Wipes: 0, model.Restarts: 1, model.Crashes: 2, model.Drops: 1000, model.Duplicates: 1, model.Timeouts: 4}
	want = "a: 3 agents, k=2, 2 starts, messages in a bag, a message may be lost at most 1,000 times, a message may be doubled at most once, " +
		"agents 1, 2 and 3 may be wiped at most 0 times, agent 3 may restart at most once, agents 1 and 3 may crash for good at most 2 times, timers run out at most 4 times"
	if got := describe(&sys); got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
