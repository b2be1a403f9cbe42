package scenario

import (
	"fmt"
	"slices"
	"time"

	"github.com/caulk-go/caulk/explorer"
)

// leastTime is how long a search may take however near the deadline is.
const leastTime = 2 * time.Second

// allowed is how long a search may take before a deadline of go test, with a
// tenth of the time left for what else there is to do; 0 where there is none.
func allowed(deadline time.Time, ok bool) time.Duration {
	if !ok {
		return 0
	}
	left := time.Until(deadline)
	return max(left-left/10, leastTime)
}

func cutByTime(r *explorer.Report) bool {
	return r != nil && slices.ContainsFunc(r.Bounds, func(b explorer.Bound) bool { return b.Name == "time" })
}

// endless says that a search was cut which the case did not bound.
func endless(limit time.Duration) string {
	return fmt.Sprintf(`The search was ended after %s, before go test's own deadline (-timeout), with no end in sight.
Is there a counter that grows for ever, or a message that is sent again and again? Make
the system finite, or bound the search with Depth, MaxStates, MaxTime or MaxMemory in Options.`, limit.Round(time.Millisecond))
}
