package explorer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/permute"
	"github.com/caulk-go/caulk/model"
)

var bySymmetry = []explorer.Reduction{explorer.Symmetry}

// permutations lists all renamings of the agents from 1 to n, of so many in all.
func permutations(n, agents int) (list []map[model.ID]model.ID) {
	ids := make([]model.ID, n)
	for i := range ids {
		ids[i] = model.ID(i + 1)
	}
	var arrange func(k int)
	arrange = func(k int) {
		if k == n {
			r := map[model.ID]model.ID{}
			for i := range agents {
				r[model.ID(i+1)] = model.ID(i + 1)
			}
			for i, id := range ids {
				r[model.ID(i+1)] = id
			}
			list = append(list, r)
			return
		}
		for i := k; i < n; i++ {
			ids[k], ids[i] = ids[i], ids[k]
			arrange(k + 1)
			ids[k], ids[i] = ids[i], ids[k]
		}
	}
	arrange(0)
	return list
}

// renamed is a world with the agents renamed.
func (w world) renamed(r map[model.ID]model.ID) world {
	image := func(id model.ID) model.ID {
		if to, ok := r[id]; ok {
			return to
		}
		return id
	}
	next := world{left: w.left, agents: make([]model.Local, len(w.agents)), memory: permute.Apply(private(w.memory), image)}
	for i, a := range w.agents {
		a.State = permute.Apply(private(a.State), image)
		next.agents[image(model.ID(i+1))-1] = a
	}
	for _, m := range w.inFlight {
		next.inFlight = append(next.inFlight, model.Message[any]{From: image(m.From), To: image(m.To), Body: permute.Apply(private(m.Body), image)})
	}
	return next
}

// countOrbits counts by brute force how many states there are that no renaming
// makes of each other, of all that the reference explorer meets.
func countOrbits(sys *model.System, group []map[model.ID]model.ID) (states, orbits int) {
	known := set{}
	traverse(sys, func(w world) []moved {
		states++
		least := ""
		for _, r := range group {
			if key := w.renamed(r).key(sys.Network); least == "" || key < least {
				least = key
			}
		}
		if known.add(least) {
			orbits++
		}
		for _, p := range sys.Properties {
			if p.Kind == model.KindAlways && p.Check(view{s: sys, w: w}) != nil {
				return nil
			}
		}
		return w.allMoves(sys)
	})
	return states, orbits
}

func TestOrbitsOfTwoPhaseCommit(t *testing.T) {
	most := 4
	if testing.Short() {
		most = 3
	}
	for n := 1; n <= most; n++ {
		sys := made(t, "twophase", model.Config{Params: map[string]int{"managers": n}})
		_, orbits := countOrbits(&sys, permutations(n, n+1))
		r := explore(t, sys, explorer.Options{Reduce: bySymmetry})
		if r.States != int64(orbits) || r.Verdict != explorer.Holds || !r.Complete {
			t.Errorf("%d managers: %s in %d states; there are %d orbits", n, r.Verdict, r.States, orbits)
		}
	}
	// Each kind of state of the whole system, a multiset of what managers are in:
	// (N+5 over 5) + (N+3 over 3) + (N+1).
	for n, want := range map[int]int64{5: 252 + 56 + 6, 9: 2002 + 220 + 10} {
		sys := made(t, "twophase", model.Config{Params: map[string]int{"managers": n}})
		r := explore(t, sys, explorer.Options{Reduce: bySymmetry})
		if r.States != want || r.Verdict != explorer.Holds || r.Depth != 3*n+1 {
			t.Errorf("%d managers: %s in %d states, to a depth of %d; want %d and %d", n, r.Verdict, r.States, r.Depth, want, 3*n+1)
		}
	}
}

// A setting that names an agent takes it out of the group.
func TestSettingsLimitTheGroup(t *testing.T) {
	sys := made(t, "twophase", model.Config{Params: map[string]int{"managers": 4}})
	sys.Network = model.Bag
	for _, tt := range []struct {
		wipe  []model.ID
		order string
	}{{nil, "24"}, {[]model.ID{5}, "24"}, {[]model.ID{2}, "6"}, {[]model.ID{2, 3}, "4"}, {[]model.ID{1, 2, 3, 4}, "24"}} {
		if sys.Wipe, sys.Budgets = tt.wipe, nil; tt.wipe != nil {
			sys.Budgets = map[model.Budget]int{model.Wipes: 1}
		}
		whole := explore(t, sys, explorer.Options{})
		r := explore(t, sys, explorer.Options{Reduce: bySymmetry})
		if len(r.Notes) != 1 || r.Notes[0] != "symmetry: group of order "+tt.order {
			t.Errorf("wipe %v: %v, not a group of order %s", tt.wipe, r.Notes, tt.order)
		}
		if r.Verdict != whole.Verdict || (r.Violation == nil) != (whole.Violation == nil) || r.Violation != nil && r.Violation.Moves != whole.Violation.Moves || r.States >= whole.States {
			t.Errorf("wipe %v: %s in %d states, the whole search %s in %d", tt.wipe, r.Verdict, r.States, whole.Verdict, whole.States)
		}
	}
}

// What makes agents differ that are said to be alike is found out, and shown.
func TestAgentsThatAreNotAlike(t *testing.T) {
	paxos := made(t, "paxossynod", model.Config{Params: map[string]int{"ballots": 2}})
	paxos.Alike = [][]model.ID{{4, 5}}
	started := made(t, "mark4", model.Config{})
	started.Starts = map[model.ID]string{1: "x", 2: "x"}
	about2 := systemOf(model.Of(scripted[int, ticket]{actions: countTo[ticket](1)}), model.Of(scripted[int, ticket]{actions: countTo[ticket](1)}))
	about2.Alike = [][]model.ID{{1, 2}}
	about2.Properties = []model.Property{notTwo(func(v model.View) int { return 2 * model.StateOf[int](v, 2) })}
	partial := about2
	partial.Properties = nil
	partial.Boundary = func(v model.View) bool { return model.StateOf[int](v, 2) == 0 }
	watched := about2
	watched.Properties = nil
	watched.Observer = model.Observe(0, func(n int, e model.Event) int {
		if e.Before != nil && e.Agent == 2 {
			return 1
		}
		return n
	})
	stepped := about2
	stepped.Properties = []model.Property{model.EveryStep("2 stays", func(before, after model.View) error {
		if model.StateOf[int](before, 2) != model.StateOf[int](after, 2) {
			return errors.New("it has moved")
		}
		return nil
	})}
	ended := about2
	ended.Properties = []model.Property{model.AtEnd("2 is left", func(v model.View) error {
		if model.StateOf[int](v, 2) == 1 {
			return errors.New("it is not")
		}
		return nil
	})}
	ended.Agents = slices.Repeat([]model.Node{model.Of(onlyOne())}, 2)
	ended.Budgets = map[model.Budget]int{model.Timeouts: 1}
	for _, tt := range []struct {
		name string
		sys  model.System
		want string
	}{
		{"a step of one", stepped, "the property 2 stays says something else"},
		{"an end of one", ended, "the property 2 is left says something else"},
		{"a move of one", oneMore(false), "does nothing; renamed by 1→2 2→1, agent 2"},
		{"a delivery to one", oneMore(true), "renamed by 1→2 2→1, agent 2"},
		{"ballots by ID", paxos, "agent 4 in state Proposer{Self: 4, Begun: 0, Ballot: 0, Best: Proposal{N"},
		{"rounds by ID", started, "the start is another state"},
		{"a property about one", about2, "the property not two says something else of a state and of that state renamed by 1→2 2→1"},
		{"a boundary about one", partial, "the boundary says something else"},
		{"an observer of one", watched, "the observer remembers something else of a move of agent"},
	} {
		o := explorer.Options{Reduce: bySymmetry}
		if tt.name == "a delivery to one" {
			o.Reduce = append(slices.Clone(bySymmetry), explorer.Ignored) // what is ignored is no move
		}
		err := exploreFails(t, tt.sys, o)
		if tt.name == "ballots by ID" {
			tt.want = "renamed by 4→5 5→4, agent 5 in state Proposer{Self: 5"
		}
		if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `the reduction "symmetry" is refused`) {
			t.Errorf("%s: %v; it should say %q", tt.name, err, tt.want)
		}
	}
}

// onlyOne ticks once, as long as there is a timeout left.
func onlyOne() scripted[int, ticket] {
	return scripted[int, ticket]{actions: []model.Action[int, ticket]{{Name: "tick", Kind: model.Timer, Do: func(s int) (int, []model.Message[ticket], bool) {
		return s + 1, nil, s == 0
	}}}}
}

// named is the state of an agent that knows who it is.
type named struct {
	Self model.ID
	N    int
}

// oneMore is two agents that tick, but once together, and of which the second then
// does something more: by itself, or when it gets its own message. The first is
// always who stands for both.
func oneMore(receives bool) model.System {
	more := func(s named) bool { return s.Self == 2 && s.N == 1 }
	agent := scripted[named, ticket]{
		fresh: func(self model.ID, _ int) (named, []model.Message[ticket]) { return named{Self: self}, nil },
		receive: func(s named, _ model.Message[ticket]) (named, []model.Message[ticket]) {
			if more(s) {
				s.N = 2
			}
			return s, nil
		},
		actions: []model.Action[named, ticket]{{Name: "tick", Kind: model.Timer, Do: func(s named) (named, []model.Message[ticket], bool) {
			return named{s.Self, s.N + 1}, send(s.Self, ticket{}), s.N == 0
		}}},
	}
	if !receives {
		agent.receive = nil
		agent.actions = append(agent.actions, model.Action[named, ticket]{Name: "more", Do: func(s named) (named, []model.Message[ticket], bool) {
			return named{s.Self, 2}, nil, more(s)
		}})
	}
	sys := systemOf(model.Of(agent), model.Of(agent))
	sys.Alike = [][]model.ID{{1, 2}}
	sys.Budgets = map[model.Budget]int{model.Timeouts: 1}
	sys.Properties = []model.Property{model.Always("no more", func(v model.View) error {
		for _, s := range model.StatesOf[named](v) {
			if s.N == 2 {
				return errors.New("there is more")
			}
		}
		return nil
	})}
	return sys
}

// Without the check a property about one agent is judged wrongly: so the refusal is
// needed.
func TestSymmetryThatIsNotChecked(t *testing.T) {
	sys := systemOf(model.Of(onlyOne()), model.Of(onlyOne()))
	sys.Alike = [][]model.ID{{1, 2}}
	sys.Budgets = map[model.Budget]int{model.Timeouts: 1}
	sys.Properties = []model.Property{model.Always("2 is quiet", func(v model.View) error {
		if model.StateOf[int](v, 2) > 0 {
			return errors.New("it has ticked")
		}
		return nil
	})}
	if r := explore(t, sys, explorer.Options{}); r.Verdict != explorer.Violated {
		t.Fatalf("the whole search says %s", r.Verdict)
	}
	r, err := explorer.ExploreUnchecked(t.Context(), sys, explorer.Options{Reduce: bySymmetry})
	if err != nil || r.Verdict != explorer.Holds {
		t.Errorf("it says %v, %v: then the check is for nothing", r, err)
	}
	if err := exploreFails(t, sys, explorer.Options{Reduce: bySymmetry}); !strings.Contains(err.Error(), "2 is quiet") {
		t.Errorf("checked it says %v", err)
	}
}

func TestSymmetryIsRefused(t *testing.T) {
	two := made(t, "twophase", model.Config{})
	live := two
	live.Properties = []model.Property{model.Eventually("done", func(model.View) bool { return true })}
	register := made(t, "paxosregister", model.Config{})
	for _, tt := range []struct {
		sys  model.System
		o    explorer.Options
		want string
	}{
		{live, explorer.Options{}, "is about whole runs"},
		{register, explorer.Options{}, "does not say which of its agents are alike"},
		{two, explorer.Options{Search: explorer.DFS}, "it is for breadth-first search, not for dfs"},
		{two, explorer.Options{Graph: explorer.LabelGraph}, "there is no diagram to draw"},
		{two, explorer.Options{Cover: true}, "coverage would not be true"},
		{two, explorer.Options{Checkpoint: t.TempDir() + "/c"}, "leave out the checkpoint"},
		{two, explorer.Options{Reduce: []explorer.Reduction{explorer.Dead}}, "it does not go with dead or minimal"},
	} {
		tt.o.Reduce = append(tt.o.Reduce, explorer.Symmetry)
		if err := exploreFails(t, tt.sys, tt.o); !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; it should say %q", err, tt.want)
		}
	}
}

// Bounds cut, and nothing else is said of what was not seen.
func TestSymmetryThatIsCut(t *testing.T) {
	sys := made(t, "twophase", model.Config{Params: map[string]int{"managers": 5}})
	for _, o := range []explorer.Options{{MaxStates: 100}, {Depth: new(6)}} {
		o.Reduce = bySymmetry
		r := explore(t, sys, o)
		if r.Verdict != explorer.Incomplete || r.Complete || len(r.Bounds) != 1 || r.Bounds[0].Cut == 0 || r.States > 200 {
			t.Errorf("%s in %d states, bounds %v", r.Verdict, r.States, r.Bounds)
		}
	}
	whole := explore(t, sys, explorer.Options{Depth: new(6)})
	if r := explore(t, sys, explorer.Options{Depth: new(6), Reduce: bySymmetry}); r.Depth != whole.Depth {
		t.Errorf("depth %d, not %d", r.Depth, whole.Depth)
	}
}
