package explorer_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// resumable are searches of every sort: on a set and on a bag, with copies,
// with violations, packed as bits and as lists, packed anew again and again,
// in queues, with an observer and a budget, with agents that are labelled in order of discovery.
func resumable(t *testing.T) map[string]struct {
	sys model.System
	o   explorer.Options
} {
	type search = struct {
		sys model.System
		o   explorer.Options
	}
	labels := explorer.Options{Graph: explorer.LabelGraph}
	on := explorer.Options{Graph: explorer.LabelGraph, KeepGoing: true}
	twophase := made(t, "twophase", model.Config{Params: map[string]int{"managers": 4}})
	torn := twophase
	torn.Properties = append(torn.Properties[:len(torn.Properties):len(torn.Properties)], fallsApart())
	queues := made(t, "mark3", model.Config{})
	queues.Network, queues.Lossy = model.Fifo, true
	watched := made(t, "paxosregister", model.Config{Params: map[string]int{"clients": 1}})
	watched.Crash, watched.Budgets = []model.ID{1}, map[model.Budget]int{model.Crashes: 1}
	return map[string]search{
		"queues":          {queues, labels},
		"watched":         {watched, labels},
		"twophase":        {twophase, labels},
		"twophase torn":   {torn, on},
		"twophase halts":  {torn, explorer.Options{}},
		"twophase wipe 4": {wiped(t, "twophase", 4), on},
		"mark2 wipe 3":    {wiped(t, "mark2", 3), on},
		"mark0 wipe 2":    {wiped(t, "mark0", 2), explorer.Options{Graph: explorer.StateGraph, KeepGoing: true}},
		"mark3 wipe 1":    {wiped(t, "mark3", 1), explorer.Options{KeepGoing: true, Properties: []string{"consistent"}}},
		"a large bag":     {hoppers(3, 2, 20, model.Bag), labels},
		"copies":          {sendOneByOne(40), labels},
		"growth":          {peers(2, 20), labels},
		"wide":            {peers(1, 300), labels},
	}
}

// cutAt searches until so many states are known, and keeps the search.
func cutAt(t *testing.T, sys model.System, o explorer.Options, states int64, file string) *explorer.Report {
	t.Helper()
	o.MaxStates, o.Checkpoint = states, file
	r := explore(t, sys, o)
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("the search was cut after %d states, and there is no checkpoint: %v", r.States, err)
	}
	return r
}

// Wherever a search is cut, and however many workers go on with it, it reports
// what it would have reported.
func TestResumedSearchReportsTheSame(t *testing.T) {
	for name, c := range resumable(t) {
		t.Run(name, func(t *testing.T) {
			o := c.o
			o.Workers = 1
			whole := explore(t, c.sys, o)
			want := render(t, whole)
			n := whole.States
			for i, states := range []int64{1, 2, 7, n / 10, n / 3, n / 2, n * 9 / 10, n - 1} {
				if states < 1 || testing.Short() && i != 4 {
					continue
				}
				file := filepath.Join(t.TempDir(), "search")
				o.Workers = []int{1, 3}[i%2]
				cutAt(t, c.sys, o, states, file)
				o := o
				o.Resume, o.Workers = file, []int{3, 1, 1}[i%3]
				if diff := cmp.Diff(want, render(t, explore(t, c.sys, o))); diff != "" {
					t.Fatalf("cut at %d of %d states and resumed (-whole +resumed):\n%s", states, n, diff)
				}
			}
		})
	}
}

// A search may be cut and resumed again and again. Each time it is where it
// would be if it had never been cut, to the byte.
func TestResumeAgainAndAgain(t *testing.T) {
	for name, c := range resumable(t) {
		t.Run(name, func(t *testing.T) {
			whole := explore(t, c.sys, c.o)
			resumed, straight := filepath.Join(t.TempDir(), "resumed"), filepath.Join(t.TempDir(), "straight")
			o := c.o
			parts := int64(6)
			if testing.Short() {
				parts = 3
			}
			for i := range parts {
				states := 1 + whole.States*i/parts
				cutAt(t, c.sys, o, states, resumed)
				cutAt(t, c.sys, c.o, states, straight)
				if readTimeless(t, resumed) != readTimeless(t, straight) {
					t.Fatalf("cut at %d of %d states for the %d. time, another checkpoint is written than when it is cut there at first", states, whole.States, i+1)
				}
				o.Resume = resumed
			}
			if diff := cmp.Diff(render(t, whole), render(t, explore(t, c.sys, o))); diff != "" {
				t.Fatalf("(-whole +resumed):\n%s", diff)
			}
		})
	}
}

// hooked are systems whose handlers, and two properties, call a hook: one that
// is packed as bits, again and again, and one that is packed as lists.
func hooked(hook func()) map[string]model.System {
	peers := peers(2, 20)
	sender := scripted[int, ticket]{
		fresh: func(self model.ID, _ int) (int, []model.Message[ticket]) { return 1, send(self+1, ticket{1}) },
		receive: func(s int, m model.Message[ticket]) (int, []model.Message[ticket]) {
			hook()
			return m.Body.N%20 + 1, send(m.From, ticket{m.Body.N%20 + 1})
		},
	}
	peers.Agents[0], peers.Agents[2] = model.Of(sender), model.Of(sender)
	hoppers := hoppers(3, 2, 16, model.Bag)
	for i := range hoppers.Agents {
		hoppers.Agents[i] = model.Of(hookedHopper{hopper{2, 16}, hook})
	}
	at := func(n int, v model.View) bool {
		hook()
		return model.StateOf[int](v, 1) > n
	}
	peers.Properties = []model.Property{
		model.Sometimes("far", func(v model.View) bool { return at(8, v) }),
		model.Always("near", func(v model.View) error {
			if at(9, v) && model.StateOf[int](v, 3) == 7 {
				return errors.New("it is far")
			}
			return nil
		}),
	}
	return map[string]model.System{"peers": peers, "hoppers": hoppers}
}

type hookedHopper struct {
	hopper
	hook func()
}

func (h hookedHopper) Receive(s hops, m model.Message[token]) (hops, []model.Message[token]) {
	h.hook()
	return h.hopper.Receive(s, m)
}

// An interrupt comes at any time, also while handlers or properties are asked;
// from where the search then is, it goes on.
func TestResumeAfterAnInterrupt(t *testing.T) {
	for name, sys := range hooked(func() {}) {
		t.Run(name, func(t *testing.T) {
			o := explorer.Options{Graph: explorer.LabelGraph, KeepGoing: true}
			whole := explore(t, sys, o)
			want := render(t, whole)
			file := filepath.Join(t.TempDir(), "search")
			cut := filepath.Join(t.TempDir(), "cut")
			states := whole.States * 9 / 10
			cutAt(t, sys, o, states, cut)
			straight, keptStates := readTimeless(t, cut), statesIn(t, cut)
			resumed, step := 0, 1
			if testing.Short() {
				step = 10
			}
			for after := 1; interruptAt(t, name, after, o, file); after += step + after/8 {
				o := o
				o.Resume = file
				cutAt(t, sys, o, states, cut)
				if statesIn(t, file) <= keptStates && readTimeless(t, cut) != straight {
					t.Fatalf("interrupted at call %d, resumed, and cut at %d states, another checkpoint is written", after, states)
				}
				if resumed++; testing.Short() && resumed%4 != 0 {
					continue
				}
				if diff := cmp.Diff(want, render(t, explore(t, sys, o))); diff != "" {
					t.Fatalf("interrupted at call %d (-whole +resumed):\n%s", after, diff)
				}
			}
			if resumed < 5 {
				t.Errorf("the search was interrupted %d times only", resumed)
			}
		})
	}
}

// interruptAt interrupts a search at a call of a handler or a property, and
// says whether it came so far.
func interruptAt(t *testing.T, name string, after int, o explorer.Options, file string) bool {
	t.Helper()
	calls := 0
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Checkpoint = file
	r, err := explorer.Explore(ctx, hooked(func() {
		if calls++; calls == after {
			cancel()
		}
	})[name], o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete && (len(r.Bounds) != 1 || r.Bounds[0].Name != "interrupted") {
		t.Fatalf("interrupted at call %d, and the bounds are %v", after, r.Bounds)
	}
	return !r.Complete
}

// An interrupt while the file is read ends the search before it began, and
// leaves the file.
func TestInterruptWhileResuming(t *testing.T) {
	sys := hooked(func() {})["peers"]
	file := filepath.Join(t.TempDir(), "search")
	cutAt(t, sys, explorer.Options{}, 500, file)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := explorer.Explore(ctx, hooked(cancel)["peers"], explorer.Options{Resume: file, Checkpoint: file})
	if !errors.Is(err, context.Canceled) || err.Error() != "interrupted while "+file+" was read" {
		t.Errorf("%v", err)
	}
	if r := explore(t, sys, explorer.Options{Resume: file}); r.Verdict != explorer.Violated {
		t.Errorf("resumed all the same, it %s", r.Verdict)
	}
}

// Other bounds serve as well, and may be others when the search is resumed.
func TestCheckpointAtEveryBound(t *testing.T) {
	sys := wiped(t, "mark3", 1)
	want := render(t, explore(t, sys, explorer.Options{}))
	for name, o := range map[string]explorer.Options{
		"depth":  {Depth: new(3)},
		"states": {MaxStates: 10},
		"time":   {MaxTime: time.Nanosecond},
		"memory": {MaxMemory: 1},
	} {
		t.Run(name, func(t *testing.T) {
			o.Checkpoint = filepath.Join(t.TempDir(), "search")
			if b := bound(t, explore(t, sys, o)); b.Name != name {
				t.Fatalf("the bound is %v", b)
			}
			if got := render(t, explore(t, sys, explorer.Options{Resume: o.Checkpoint})); got != want {
				t.Errorf("(-whole +resumed):\n%s", cmp.Diff(want, got))
			}
		})
	}
	file := filepath.Join(t.TempDir(), "deep")
	explore(t, sys, explorer.Options{Depth: new(5), Checkpoint: file})
	for _, o := range []explorer.Options{{Depth: new(2)}, {MaxStates: 1}, {MaxTime: time.Nanosecond}, {Depth: new(5)}} {
		o.Resume = file
		if r := explore(t, sys, o); r.Depth != 5 || r.Complete || len(r.Bounds) != 1 {
			t.Errorf("resumed at depth 5 with a bound that is passed: depth %d, bounds %v", r.Depth, r.Bounds)
		}
	}
}

// A search that ends by itself was kept on its way.
func TestCheckpointFromTimeToTime(t *testing.T) {
	sys := made(t, "twophase", model.Config{Params: map[string]int{"managers": 4}})
	file := filepath.Join(t.TempDir(), "search")
	whole := explore(t, sys, explorer.Options{Checkpoint: file, CheckpointEvery: 1})
	kept, err := explorer.ReadCheckpoint(file)
	if err != nil {
		t.Fatal(err)
	}
	if kept.States < 1 || kept.States > whole.States || kept.Setting.Algo != "twophase" || len(kept.Properties) != 3 || kept.KeepGoing {
		t.Errorf("the checkpoint says %+v", kept)
	}
	again := explore(t, sys, explorer.Options{Resume: file})
	if diff := cmp.Diff(render(t, whole), render(t, again)); diff != "" {
		t.Errorf("(-whole +resumed):\n%s", diff)
	}
	if again.Seconds < kept.Seconds {
		t.Errorf("%v seconds, of which %v before the search was resumed", again.Seconds, kept.Seconds)
	}
	if other := filepath.Join(t.TempDir(), "none"); true {
		explore(t, sys, explorer.Options{Checkpoint: other})
		if _, err := os.Stat(other); err == nil {
			t.Error("a search of less than a minute that nothing cut left a checkpoint")
		}
	}
}

// What the user's code finds out about the search must not depend on whether
// it was resumed: nothing is left behind but the file.
func TestCheckpointLeavesOneFile(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "search")
	sys := made(t, "mark1", model.Config{})
	for range 2 {
		cutAt(t, sys, explorer.Options{}, 3, file)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	first := readTimeless(t, file)
	for _, workers := range []int{1, 3} {
		cutAt(t, sys, explorer.Options{Workers: workers}, 3, file)
		if readTimeless(t, file) != first {
			t.Errorf("with %d workers another file is written", workers)
		}
	}
}

// What a checkpoint holds depends on the order in which a search does things.
// When it changes, checkpoints of before must be refused.
func TestEngineIsRaisedWhenTheOrderChanges(t *testing.T) {
	if explorer.WeakHash {
		t.Skip("this build has an order of its own")
	}
	var lines []string
	for _, name := range []string{"twophase", "mark2 wipe 3", "a large bag", "copies", "growth", "wide"} {
		c := resumable(t)[name]
		file := filepath.Join(t.TempDir(), "search")
		cutAt(t, c.sys, c.o, 150, file)
		_, body, _ := strings.Cut(readTimeless(t, file), "}\n") // behind the header
		lines = append(lines, fmt.Sprintf("%s %x", name, sha256.Sum256([]byte(body))))
	}
	golden(t, "checkpoints", fmt.Sprintf("engine %d\n%s\n", explorer.Engine, strings.Join(lines, "\n")))
	if t.Failed() {
		t.Error("the order in which a search does things has changed: raise engine in checkpoint.go if there was a release since it was raised last, and run with -update")
	}
}

func statesIn(t *testing.T, file string) int64 {
	t.Helper()
	kept, err := explorer.ReadCheckpoint(file)
	if err != nil {
		t.Fatal(err)
	}
	return kept.States
}

// readTimeless reads a checkpoint less what differs from run to run: how long
// the search took, and with it the checksum.
func readTimeless(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`"seconds":[^,]*`).ReplaceAllString(string(data[:len(data)-sha256.Size]), "")
}
