package explorer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// A violation that was found counts, also in a level that a bound cut short.
func TestViolationInALevelThatIsCut(t *testing.T) {
	sys := wiped(t, "mark2", 3)
	for _, keepGoing := range []bool{false, true} {
		cut := 0
		for states := int64(10); states < 34; states++ {
			r := explore(t, sys, explorer.Options{MaxStates: states, KeepGoing: keepGoing})
			if r.Inconsistent == 0 {
				continue
			}
			if r.Verdict != explorer.Violated || r.Violation == nil || r.Violation.Moves != 4 || r.Properties[0].Verdict != explorer.Violated {
				t.Errorf("up to %d states, %d are inconsistent, and it is %s: %+v", states, r.Inconsistent, r.Verdict, r.Violation)
			}
			if len(r.Bounds) > 0 {
				cut++
			}
		}
		if cut < 5 {
			t.Errorf("the level of the violation was cut %d times", cut)
		}
	}
}

// A witness too.
func TestWitnessInALevelThatIsCut(t *testing.T) {
	sys := counters(2, 9)
	sys.Properties = []model.Property{model.Sometimes("far", func(v model.View) bool { return model.StateOf[int](v, 1) == 5 })}
	for states := int64(2); states < 100; states++ {
		r := explore(t, sys, explorer.Options{MaxStates: states})
		if p := r.Properties[0]; (p.Verdict == explorer.Holds) != (len(p.Witness) == 5) || r.Depth > 5 && p.Witness == nil {
			t.Errorf("up to %d states, depth %d: %+v", states, r.Depth, p)
		}
	}
}

// More states than memory may hold are refused before they are read.
func TestResumeWithTooLittleMemory(t *testing.T) {
	sys := made(t, "twophase", model.Config{Params: map[string]int{"managers": 5}})
	file := filepath.Join(t.TempDir(), "search")
	kept := cutAt(t, sys, explorer.Options{}, 8000, file)
	err := exploreFails(t, sys, explorer.Options{Resume: file, MaxMemory: 1 << 20})
	if want := "cannot go on from " + file + ": its "; !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "MB, and the limit on memory does not leave so much: raise it") {
		t.Error(err)
	}
	r := explore(t, sys, explorer.Options{Resume: file, MaxMemory: 1 << 40})
	if r.States != 8832 || kept.States < 8000 {
		t.Errorf("%d states, and %d before", r.States, kept.States)
	}
}
