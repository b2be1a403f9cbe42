package explorer_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// hungry are systems that take memory in every way: many states, wide states,
// many states of agents and many messages, states set aside, copies, states
// that are inconsistent, diagrams, a search depth first.
func hungry(t testing.TB) map[string]search {
	twophase := made(t, "twophase", model.Config{Params: map[string]int{"managers": 9}})
	torn := made(t, "twophase", model.Config{Params: map[string]int{"managers": 11}})
	torn.Properties = append(torn.Properties[:len(torn.Properties):len(torn.Properties)], fallsApart())
	return map[string]search{
		"states":     {twophase, explorer.Options{}},
		"workers":    {twophase, explorer.Options{Workers: 8}},
		"bad states": {torn, explorer.Options{KeepGoing: true}},
		"a diagram":  {twophase, explorer.Options{Graph: explorer.LabelGraph}},
		"depth":      {twophase, explorer.Options{Search: explorer.DFS}},
		"counters":   {counters(4, 1<<20), explorer.Options{}},
		"an agent":   {counters(1, 1<<30), explorer.Options{}},
		"messages":   {peers(2, 1<<20), explorer.Options{}},
		"pairs":      {peers(5, 40), explorer.Options{}},
		"copies":     {sendOneByOne(1 << 20), explorer.Options{}},
		"sparse":     {hoppers(5, 2, 1500, model.Bag), explorer.Options{}},
	}
}

type search struct {
	sys model.System
	o   explorer.Options
}

// A process of its own is needed, since its peak is what is looked at.
const hungryChild = "CAULK_TEST_HUNGRY"

// TestHungryChild is that process: it explores what it is told, and writes the
// report where it is told.
func TestHungryChild(t *testing.T) {
	words := strings.Split(os.Getenv(hungryChild), ",")
	if len(words) != 3 {
		t.Skip("it is for TestMaxMemory")
	}
	h := hungry(t)[words[0]]
	h.o.MaxMemory, _ = strconv.ParseInt(words[1], 10, 64)
	r, err := explorer.Explore(t.Context(), h.sys, h.o)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(words[2], data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// The search ends before the process takes more than it may, with a report of
// what was seen.
func TestMaxMemory(t *testing.T) {
	if explorer.WeakHash {
		t.Skip("so many states take too long in this build")
	}
	slow := map[string]bool{"depth": true, "copies": true, "an agent": true}
	for _, name := range slices.Sorted(maps.Keys(hungry(t))) {
		limits := []int64{60e6}
		switch {
		case slow[name]:
			limits = []int64{48e6}
		case name == "states" || name == "sparse" || name == "a diagram":
			limits = []int64{60e6, 120e6}
		}
		for _, limit := range limits {
			t.Run(fmt.Sprintf("%s in %d MB", name, limit/1e6), func(t *testing.T) {
				if testing.Short() && (limit != 60e6 || name != "states" && name != "sparse") {
					t.Skip("it takes long")
				}
				r := exploreHungry(t, name, limit)
				b := bound(t, r)
				if b.Name != "memory" || b.Limit != float64(limit) || b.Cut < 1 || r.Verdict == explorer.Holds || r.Complete {
					t.Errorf("%s after %d states, complete is %t, bounds %v", r.Verdict, r.States, r.Complete, r.Bounds)
				}
				t.Logf("%d states, depth %d, in %d MB, %.2f s", r.States, r.Depth, r.PeakMemoryBytes/1e6, r.Seconds)
				if raceDetector {
					return // it takes memory of its own
				}
				if r.PeakMemoryBytes > limit {
					t.Errorf("the process took %d bytes, more than %d", r.PeakMemoryBytes, limit)
				}
				// The least that comes of it by now: not to stop long before
				// memory is short.
				if r.PeakMemoryBytes < limit/2 || r.States < 10_000 {
					t.Errorf("the search ended after %d states, in %d of %d bytes", r.States, r.PeakMemoryBytes, limit)
				}
			})
		}
	}
}

func exploreHungry(t *testing.T, name string, limit int64) *explorer.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	c := exec.Command(os.Args[0], "-test.run", "^TestHungryChild$", "-test.timeout", "2m")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s,%d,%s", hungryChild, name, limit, file))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := new(explorer.Report)
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	return r
}

// A limit that the process is beyond from the start ends the search at the
// start, whichever search it is.
func TestMaxMemoryThatIsTakenAlready(t *testing.T) {
	sys := made(t, "mark1", model.Config{})
	for _, o := range searches() {
		o.MaxMemory = 1 << 10
		r := explore(t, sys, o)
		if b := bound(t, r); b.Name != "memory" || b.Limit != int64(1<<10) || b.Cut != 1 || r.States != 1 || r.Verdict != explorer.Incomplete {
			t.Errorf("%s: %s after %d states, bounds %v", o.Search, r.Verdict, r.States, r.Bounds)
		}
	}
}

// A limit that is not reached changes nothing, and the Go runtime's own limit
// is what it was.
func TestMaxMemoryThatIsNotReached(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	for _, o := range searches() {
		o.Graph = explorer.StateGraph
		want := render(t, explore(t, made(t, "mark1", model.Config{}), o))
		o.MaxMemory = 1 << 40
		if got := render(t, explore(t, made(t, "mark1", model.Config{}), o)); got != want {
			t.Errorf("%s: the report is another", o.Search)
		}
	}
	if after := debug.SetMemoryLimit(-1); after != before {
		t.Errorf("the runtime's limit was %d and is %d", before, after)
	}
}
