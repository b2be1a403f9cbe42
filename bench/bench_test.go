// Package bench_test measures whole searches of the algorithms that come with
// caulk. What measures a part of caulk stands beside that part.
package bench_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// The systems, from small to large. In a small one most time goes into calling
// the handlers, in a large one into the search.
var systems = []struct {
	name   string
	algo   string
	config model.Config
	wipe   []model.ID
	reduce []explorer.Reduction
	states int64
}{
	// Messages that are consumed, and faults.
	{"Paxos/agents=3/wipe=3", "mark3", model.Config{}, []model.ID{3}, nil, 105},
	{"Paxos/agents=4/wipe=all", "mark3", model.Config{Agents: 4}, []model.ID{1, 2, 3, 4}, nil, 16_971},
	// Messages that stay.
	{"TwoPhase/managers=7", "twophase", managers(7), nil, nil, 296_448},
	{"TwoPhase/managers=8", "twophase", managers(8), nil, nil, 1_745_408},
	{"TwoPhase/managers=9", "twophase", managers(9), nil, nil, 10_340_352},
	// An observer, many messages known and few in flight.
	{"Register/clients=3", "paxosregister", clients(3), nil, []explorer.Reduction{explorer.Ignored}, 1_194_428},
}

func managers(n int) model.Config { return model.Config{Params: map[string]int{"managers": n}} }

func clients(n int) model.Config { return model.Config{Params: map[string]int{"clients": n}} }

func BenchmarkExplore(b *testing.B) {
	for _, s := range systems {
		sys := made(b, s.algo, s.config)
		sys.Wipe = s.wipe
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", s.name, workers), func(b *testing.B) { explore(b, sys, explorer.Options{Workers: workers, Reduce: s.reduce}, s.states) })
		}
	}
}

func explore(b *testing.B, sys model.System, options explorer.Options, states int64) {
	debug.FreeOSMemory()
	measured := forgetPeak()
	var peak int64
	for b.Loop() {
		r, err := explorer.Explore(b.Context(), sys, options)
		if err != nil {
			b.Fatal(err)
		}
		if r.States != states {
			b.Fatalf("%d states were found where there are %d", r.States, states)
		}
		if measured && peak == 0 { // a later search has the garbage of earlier ones beside it
			peak = peakMemory(b)
		}
	}
	b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
	if measured {
		b.ReportMetric(float64(peak)/float64(states), "bytes/state")
	}
}

func made(b *testing.B, name string, c model.Config) model.System {
	a, err := model.FindAlgorithm(algos.All(), name)
	if err != nil {
		b.Fatal(err)
	}
	sys, err := a.System(c)
	if err != nil {
		b.Fatal(err)
	}
	return sys
}

// forgetPeak has the kernel forget how large this process ever was, and says
// whether it did. Only Linux can.
func forgetPeak() bool {
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
}

// peakMemory is the greatest resident set since then, in bytes. A report's
// own figure is that since the process began, or even its parent.
func peakMemory(b *testing.B) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	size, _, _ := bytes.Cut(rest, []byte("kB"))
	kib, err := strconv.ParseInt(string(bytes.TrimSpace(size)), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return kib << 10
}
