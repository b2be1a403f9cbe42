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

// rivals has agents 1 and 2 propose at once, who hear each other of agent 3 alone. A
// message takes so long that agent 3 promises to 2 before 1 asks it to accept.
func rivals(t *testing.T, name string) *cluster.Report {
	t.Helper()
	const slow = 100 * time.Millisecond
	return run(t, cluster.Options{
		System: deployed(t, name, map[model.ID]string{1: "x", 2: "y"}), Duration: 12 * slow,
		Faults: runner.Faults{DelayMin: slow, DelayMax: slow, Partitions: []runner.Partition{{Groups: [][]model.ID{{1}, {2}}, To: time.Hour}}},
	})
}

// An acceptor that accepts below its promise is caught by the model, on the traces of
// a run; the moves are a path that can be replayed. One that does not is not.
func TestABrokenTwinIsCaughtByItsTraces(t *testing.T) {
	if r := rivals(t, "mark4"); r.Verdict != string(validate.Valid) {
		t.Errorf("mark4 is %s: %+v %+v", r.Verdict, r.Trace.FirstInvalid, r.Validation.Violation)
	}
	for range 20 {
		r := rivals(t, "mark4-belowpromise")
		if r.Verdict == string(validate.Valid) {
			continue // the machine was too busy for the messages to be on time
		}
		v := r.Validation.Violation
		if r.Verdict != string(validate.Violated) || v == nil || v.Property != "agreement" || len(v.Path) == 0 {
			t.Errorf("the verdict is %s: %+v %+v", r.Verdict, r.Trace.FirstInvalid, v)
		}
		return
	}
	t.Error("in 20 runs it never went wrong")
}

// Whoever forgets its votes votes twice: agents that are wiped, where the model says
// that a wipe breaks it, decide again.
func TestAmnesiaIsCaughtByTheTraces(t *testing.T) {
	sys := deployed(t, "mark4", map[model.ID]string{1: "x"})
	sys.Wipe = sys.Population()
	for range 10 {
		r := run(t, cluster.Options{
			System: sys, Duration: 1500 * time.Millisecond, Clients: 3,
			Events: []cluster.Event{
				{Kind: cluster.Kill, Agent: 3, At: 500 * time.Millisecond},
				{Kind: cluster.Wipe, Agent: 1, At: 510 * time.Millisecond},
				{Kind: cluster.Wipe, Agent: 2, At: 520 * time.Millisecond},
			},
		})
		if r.Verdict == string(validate.Valid) {
			continue // they were not asked in time
		}
		v := r.Validation.Violation
		if r.Verdict != string(validate.Violated) || v == nil || v.Property != "agreement" || !strings.Contains(v.Reason, "has decided") {
			t.Fatalf("the verdict is %s: %+v %+v", r.Verdict, r.Trace.FirstInvalid, v)
		}
		if v.Path != nil || !strings.Contains(v.NoPath, "was handed a value while it ran") || len(v.Moves) == 0 || v.Moves[len(v.Moves)-1].State != v.State {
			t.Errorf("the moves to %s are %+v, %s", v.State, v.Moves, v.NoPath)
		}
		return
	}
	t.Error("in 10 runs nobody decided again")
}

// A master that answers reads from its own store is caught by what clients saw: its
// traces are all right. Nodes 1 and 2, of which a client each asks, hear each other of
// node 3 alone: who leads does not hear that another does. Client 2 mostly reads.
func TestStaleReadsAreCaughtByTheHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("it may take some runs until one is")
	}
	asked := func(name string) *cluster.Report {
		r := run(t, cluster.Options{
			System: deployed(t, name, nil), Duration: 2 * time.Second, Clients: 2, Timer: 40 * time.Millisecond,
			Faults: runner.Faults{Partitions: []runner.Partition{{Groups: [][]model.ID{{1}, {2}}, To: time.Hour}}},
		})
		if r.Trace.FirstInvalid != nil || r.Validation.Violation != nil {
			t.Fatalf("the traces of %s are %s: %+v", name, r.Verdict, r.Trace.FirstInvalid)
		}
		return r
	}
	if r := asked("mark7"); r.Verdict != string(validate.Valid) {
		t.Errorf("mark7 is %s: %+v", r.Verdict, r.History.Unexplained)
	}
	for range 20 {
		r := asked("mark7-localread")
		if r.Verdict == string(validate.Valid) {
			continue
		}
		if told := r.History.Unexplained; r.Verdict != cluster.NotLinearizable || len(told) == 0 || told[len(told)-1].Put {
			t.Errorf("the verdict is %s: %+v", r.Verdict, told)
		}
		return
	}
	t.Error("in 20 runs no read was stale")
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
