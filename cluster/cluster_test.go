package cluster_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cluster"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
	"github.com/caulk-go/caulk/validate"
)

// deployed is an algorithm as it runs, with values that agents begin with.
func deployed(t *testing.T, name string, starts map[model.ID]string) model.System {
	t.Helper()
	for _, a := range algos.All() {
		if a.Name != name {
			continue
		}
		sys, err := a.System(model.Config{Params: a.Deployed})
		if err != nil {
			t.Fatal(err)
		}
		sys.Lossy = true
		if starts != nil {
			sys.Starts = starts
		}
		if sys.Node(1).Persists() {
			sys.Restart = sys.Population()
		}
		return sys
	}
	t.Fatalf("there is no algorithm %q", name)
	return model.System{}
}

func run(t *testing.T, o cluster.Options) *cluster.Report {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	r, err := cluster.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A node that cannot begin ends the run with one line; the others are stopped.
func TestANodeThatCannotBegin(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "data-2")
	if err := os.Mkdir(foreign, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "node.db"), []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := cluster.Run(context.Background(), cluster.Options{System: deployed(t, "mark5", nil), Dir: dir, Duration: time.Minute})
	if err == nil || !strings.Contains(err.Error(), "is damaged, or no file of a caulk node") {
		t.Errorf("the run ends with %v", err)
	}
}

// What makes no sense is refused before anything runs.
func TestATimerThatIsNone(t *testing.T) {
	_, err := cluster.Run(context.Background(), cluster.Options{
		System: deployed(t, "mark7", nil), Dir: t.TempDir(), Duration: time.Minute, Timers: map[string]time.Duration{"alarm": time.Second},
	})
	if err == nil || !strings.Contains(err.Error(), `there is no timer "alarm"`) {
		t.Errorf("the run ends with %v", err)
	}
}

// counted is how many goroutines and open files there are.
func counted(t *testing.T) (goroutines, files int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("open files cannot be counted here")
	}
	return runtime.NumGoroutine(), len(entries)
}

// A store under faults of every kind that it permits: nothing goes wrong, and nothing
// is left behind.
func TestAStoreUnderFaults(t *testing.T) {
	goroutines, files := counted(t)
	r := run(t, cluster.Options{
		System: permitDuplicates(deployed(t, "mark7", nil)), Duration: 2 * time.Second, Clients: 4, Timer: 40 * time.Millisecond,
		Events: []cluster.Event{
			{Kind: cluster.Restart, Agent: 2, At: 300 * time.Millisecond},
			{Kind: cluster.Kill, Agent: 1, At: 600 * time.Millisecond},
			{Kind: cluster.Restart, Agent: 1, At: 900 * time.Millisecond},
		},
		Faults: runner.Faults{Drop: 0.02, Duplicate: 0.02, DelayMax: 3 * time.Millisecond, Partitions: []runner.Partition{
			{Groups: [][]model.ID{{1}, {2, 3}}, From: 1200 * time.Millisecond, To: 1400 * time.Millisecond},
		}},
		History: filepath.Join(t.TempDir(), "history.html"),
	})
	if r.Verdict != string(validate.Valid) || r.History == nil || r.History.Linearizable == nil || !*r.History.Linearizable || len(r.Failures) > 0 {
		t.Errorf("the verdict is %s: %+v %+v %+v", r.Verdict, r.Trace.FirstInvalid, r.History, r.Failures)
	}
	if r.Acknowledged < 20 || r.Commits == 0 || r.Injected["kill"] != 1 || r.Injected["restart"] != 2 || r.Injected["partition"] == 0 || r.Injected["drop"] == 0 {
		t.Errorf("%d answers, %d commits, injected %v", r.Acknowledged, r.Commits, r.Injected)
	}
	left := time.After(5 * time.Second)
	for {
		g, f := counted(t)
		if g <= goroutines && f <= files {
			return
		}
		select {
		case <-left:
			t.Fatalf("there were %d goroutines and %d open files, and are %d and %d", goroutines, files, g, f)
		default:
			runtime.Gosched()
		}
	}
}

func permitDuplicates(sys model.System) model.System {
	sys.Budgets = map[model.Budget]int{model.Duplicates: 1 << 30}
	return sys
}

// An acceptor that accepts below its promise is caught by the model, on the traces of
// a run, sooner or later; the moves are a path that can be replayed.
func TestABrokenTwinIsCaughtByItsTraces(t *testing.T) {
	sys := deployed(t, "mark4-belowpromise", map[model.ID]string{1: "x", 2: "y"})
	for seed := range uint64(500) {
		r := run(t, cluster.Options{
			System: sys, Duration: 120 * time.Millisecond, Faults: runner.Faults{DelayMax: 30 * time.Millisecond, Seed: seed},
		})
		if r.Verdict == string(validate.Valid) {
			continue
		}
		v := r.Validation.Violation
		if r.Verdict != string(validate.Violated) || v == nil || v.Property != "agreement" || len(v.Path) == 0 {
			t.Errorf("seed %d: the verdict is %s: %+v %+v", seed, r.Verdict, r.Trace.FirstInvalid, v)
		}
		return
	}
	t.Error("in 500 runs it never went wrong")
}

// Whoever forgets its votes votes twice: agents that are wiped, where the model says
// that a wipe breaks it, decide again.
func TestAmnesiaIsCaughtByTheTraces(t *testing.T) {
	sys := deployed(t, "mark4", map[model.ID]string{1: "x"})
	sys.Wipe = sys.Population()
	r := run(t, cluster.Options{
		System: sys, Duration: 1500 * time.Millisecond, Clients: 3,
		Events: []cluster.Event{
			{Kind: cluster.Kill, Agent: 3, At: 500 * time.Millisecond},
			{Kind: cluster.Wipe, Agent: 1, At: 510 * time.Millisecond},
			{Kind: cluster.Wipe, Agent: 2, At: 520 * time.Millisecond},
		},
	})
	v := r.Validation.Violation
	if r.Verdict != string(validate.Violated) || v == nil || v.Property != "agreement" || !strings.Contains(v.Reason, "has decided") || !strings.Contains(v.Reason, "x") {
		t.Fatalf("the verdict is %s: %+v %+v", r.Verdict, r.Trace.FirstInvalid, v)
	}
	if v.Path != nil || !strings.Contains(v.NoPath, "was handed a value while it ran") || len(v.Moves) == 0 || v.Moves[len(v.Moves)-1].State != v.State {
		t.Errorf("the moves to %s are %+v, %s", v.State, v.Moves, v.NoPath)
	}
}

// A master that answers reads from its own store is caught by what clients saw: its
// traces are all right.
func TestStaleReadsAreCaughtByTheHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("it may take a minute until one is")
	}
	sys := deployed(t, "mark7-localread", nil)
	var cuts []runner.Partition
	for k := range 20 {
		alone := model.ID(k%3 + 1)
		from := time.Duration(200+250*k) * time.Millisecond
		cuts = append(cuts, runner.Partition{Groups: [][]model.ID{{alone}, {alone%3 + 1, (alone+1)%3 + 1}}, From: from, To: from + 150*time.Millisecond})
	}
	for range 30 {
		r := run(t, cluster.Options{System: sys, Duration: 5300 * time.Millisecond, Clients: 24, Timer: 30 * time.Millisecond, Faults: runner.Faults{Partitions: cuts}})
		if r.Trace.FirstInvalid != nil || r.Validation.Violation != nil {
			t.Fatalf("the traces are %s: %+v", r.Verdict, r.Trace.FirstInvalid)
		}
		if r.Verdict == string(validate.Valid) {
			continue
		}
		if told := r.History.Unexplained; r.Verdict != cluster.NotLinearizable || len(told) == 0 || told[len(told)-1].Put {
			t.Errorf("the verdict is %s: %+v", r.Verdict, told)
		}
		return
	}
	t.Error("in 30 runs no read was stale")
}

// Agents that halt end their nodes; that is told, and is no violation.
func TestAgentsThatHalt(t *testing.T) {
	r := run(t, cluster.Options{System: deployed(t, "mark0", map[model.ID]string{1: "x"}), Duration: 200 * time.Millisecond})
	if r.Verdict != string(validate.Valid) || len(r.Failures) != 2 {
		t.Fatalf("the verdict is %s, with failures %+v", r.Verdict, r.Failures)
	}
	for _, f := range r.Failures {
		if !f.Halted || f.Step != 2 || !strings.Contains(f.Reason, "Halted{}") {
			t.Errorf("it is told as %+v", f)
		}
	}
}

// grenade panics when it is handed a value for the second time.
type grenade struct{}

func (grenade) Fresh(model.ID, []model.ID, int) (int, []model.Message[int])     { return 0, nil }
func (grenade) Receive(s int, _ model.Message[int]) (int, []model.Message[int]) { return s, nil }
func (grenade) Start(s int, value string) (int, []model.Message[int]) {
	if s == 1 {
		panic(fmt.Sprintf("%d.%s", s, value[:0]))
	}
	return s + 1, nil
}

func TestAnAgentThatPanics(t *testing.T) {
	sys := model.System{Name: "grenade", Agents: []model.Node{model.Of(grenade{})}, Lossy: true}
	r := run(t, cluster.Options{System: sys, Duration: 400 * time.Millisecond, Clients: 1})
	if r.Verdict != cluster.Failed || len(r.Failures) != 1 {
		t.Fatalf("the verdict is %s, with failures %+v", r.Verdict, r.Failures)
	}
	if f := r.Failures[0]; f.Halted || f.Agent != 1 || !strings.Contains(f.Reason, "start in state 1 panics: 1.") || !strings.Contains(f.Reason, "agent-1.crash.jsonl") {
		t.Errorf("it is told as %+v", f)
	}
}
