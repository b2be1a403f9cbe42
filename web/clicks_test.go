package web_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/algos"
)

var clicks = flag.Duration("clicks", 2*time.Second, "how long TestClicking clicks; more than nine minutes needs -timeout")

const (
	fewestClicks = 20
	mostHeap     = 100 << 20 // held on to between requests, more than at the start
	mostTaken    = 2 << 30   // taken from the machine while it answers
)

// pages is somebody who clicks around at random, on one page after another.
type pages struct {
	t       *testing.T
	address string
	draw    *rand.Rand
	flags   string
	path    []map[string]string
	slowest map[string]time.Duration // by what was asked for
	count   map[string]int
}

func (p *pages) ask(what string, more map[string]any) map[string]any {
	p.t.Helper()
	q := map[string]any{"Flags": p.flags, "Path": p.path}
	for k, v := range more {
		q[k] = v
	}
	body, err := json.Marshal(q)
	if err != nil {
		p.t.Fatal(err)
	}
	began := time.Now()
	status, answer := ask(p.t, p.address+"api/"+what, string(body), nil)
	if status != http.StatusOK && status != http.StatusUnprocessableEntity {
		p.t.Errorf("%s %s is answered with status %d, %v", what, body, status, answer["error"])
	}
	p.slowest[what] = max(p.slowest[what], time.Since(began))
	p.count[what]++
	return answer
}

// open goes to a page of an algorithm, sometimes with a fault.
func (p *pages) open() {
	all := algos.All()
	p.flags = "--algo " + all[p.draw.IntN(len(all))].Name
	if p.draw.IntN(3) == 0 {
		p.flags += fmt.Sprint(" --wipe ", 1+p.draw.IntN(2), " --max-wipes 1")
	}
	p.path = nil
}

func (p *pages) click() {
	state := p.ask("state", nil)
	moves, _ := state["Moves"].([]any)
	switch lot := p.draw.IntN(200); {
	case lot == 0:
		p.ask("diagram", map[string]any{"Around": state["Label"]})
	case lot == 1:
		p.ask("find", map[string]any{"To": []string{"violation", "end"}[p.draw.IntN(2)]})
	case lot == 2:
		p.ask("file", map[string]any{"As": []string{"path", "dot", "test"}[p.draw.IntN(3)]})
	case lot < 6 || len(moves) == 0:
		p.open()
	case lot < 30 && len(p.path) > 0:
		p.path = p.path[:p.draw.IntN(len(p.path))]
	default:
		m := moves[p.draw.IntN(len(moves))].(map[string]any)
		p.path = append(slices.Clip(p.path), map[string]string{"Label": m["Label"].(string), "Body": fmt.Sprint(m["Body"])})
	}
}

// Whoever clicks around for long finds the page as quick as before, and the server
// holds on to nothing.
func TestClicking(t *testing.T) {
	if testing.Short() {
		t.Skip("memory and time are measured, which the race detector takes for itself")
	}
	p := &pages{t: t, address: serve(t), draw: rand.New(rand.NewPCG(1, 2)), slowest: map[string]time.Duration{}, count: map[string]int{}}
	p.open()
	p.click()
	before := runtime.NumGoroutine()
	var first, most runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&first)
	look := func() {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > first.HeapAlloc+mostHeap || m.Sys > mostTaken {
			t.Fatalf("after %v clicks the heap is %d MB, at first %d, of %d MB taken from the machine",
				p.count, m.HeapAlloc>>20, first.HeapAlloc>>20, m.Sys>>20)
		}
		most.HeapAlloc, most.Sys = max(most.HeapAlloc, m.HeapAlloc), max(most.Sys, m.Sys)
	}
	for end, next := time.Now().Add(*clicks), time.Now(); time.Now().Before(end) || p.count["state"] < fewestClicks; {
		p.click()
		if time.Now().After(next) {
			look()
			next = time.Now().Add(*clicks / 20)
		}
	}
	look()
	if after := runtime.NumGoroutine(); after > before+20 {
		t.Errorf("there were %d goroutines, and are %d", before, after)
	}
	var slow strings.Builder
	for _, what := range []string{"state", "diagram", "find", "file"} {
		fmt.Fprintf(&slow, ", %d %s, the slowest in %d ms", p.count[what], what, p.slowest[what].Milliseconds())
	}
	t.Logf("in %s%s; the heap was %d kB at most, of %d MB taken from the machine", *clicks, &slow, most.HeapAlloc>>10, most.Sys>>20)
}
