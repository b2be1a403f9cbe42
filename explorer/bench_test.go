package explorer_test

import (
	"fmt"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// Two-phase commit fits a word, and nearly all of its time goes into expanding
// and collecting states.
func BenchmarkTwoPhase(b *testing.B) {
	for _, managers := range []int{7, 8, 9} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("managers=%d/workers=%d", managers, workers), func(b *testing.B) {
				sys := made(b, "twophase", model.Config{Params: map[string]int{"managers": managers}})
				var states int64
				for b.Loop() {
					r, err := explorer.Explore(b.Context(), sys, explorer.Options{Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					states = r.States
					b.ReportMetric(r.BytesPerState, "bytes/state")
				}
				b.ReportMetric(float64(states)*float64(b.N)/b.Elapsed().Seconds(), "states/s")
			})
		}
	}
}
