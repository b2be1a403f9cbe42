package trace_test

import (
	"slices"
	"testing"

	"github.com/caulk-go/caulk/trace"
)

func TestReplayPossible(t *testing.T) {
	const promise, prepare, accept, again = "{Promise;3->1;n=1}", "{Prepare;1->3;n=1}", "{Accept;1->2;n=1}", "{Prepare;1->3;n=7}"
	for _, tt := range []struct {
		algo    string
		path    []string
		verdict trace.Verdict
		made    int
		left    []string
	}{
		{"mark2", []string{prepare, promise, accept, "Wipe 3"}, trace.StillFails, 4, nil},
		{"mark2", []string{promise, prepare, again, promise, accept, "Wipe 3", "Wipe 3"}, trace.StillFails, 4, []string{promise, again}},
		{"mark3", []string{prepare, prepare, promise}, trace.Fixed, 2, []string{prepare}},
		{"mark3", []string{promise, accept}, trace.Diverged, 0, nil},
		{"mark3", nil, trace.Fixed, 0, nil},
	} {
		sys := marked(t, tt.algo)
		o, left, err := trace.ReplayPossible(&sys, trace.Path{Steps: labels(tt.path...)})
		if err != nil || o.Verdict != tt.verdict || len(o.Made) != tt.made || !slices.Equal(left, tt.left) {
			t.Errorf("%s, %v: %v, %d made, %v left out, %v", tt.algo, tt.path, o.Verdict, len(o.Made), left, err)
		}
		if o.Verdict == trace.Diverged && o.Want.Label != promise {
			t.Errorf("it diverges at %s, not at its first move", o.Want.Label)
		}
	}
}
