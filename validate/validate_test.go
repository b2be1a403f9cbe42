package validate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/caulk-go/caulk/model"
)

// What nodes do is a behaviour of the model, whatever happens to them.
func TestRunsAreValid(t *testing.T) {
	for _, network := range []model.Network{model.Bag, model.Set, model.Fifo} {
		for seed := range uint64(25) {
			t.Run(fmt.Sprint(network, seed), func(t *testing.T) {
				sys := tills(network)
				sys.Lossy = network == model.Fifo // a restart loses what was received last
				r := newRun(t, sys)
				r.muddle(rand.New(rand.NewPCG(seed, 3)), 80)
				report := check(t, sys, r.write())
				if report.Verdict != Valid {
					t.Errorf("%s: %s %s", report.Verdict, report.FirstInvalid.Place, report.FirstInvalid.Reason)
				}
				steps := 0
				for _, a := range report.Traces {
					steps += a.Steps
				}
				if report.Steps != steps || report.Done+report.Undone != steps || report.Assumed != 0 {
					t.Errorf("of %d steps %d were executed, %d durable, %d not, %d assumed", steps, report.Steps, report.Done, report.Undone, report.Assumed)
				}
			})
		}
	}
}
