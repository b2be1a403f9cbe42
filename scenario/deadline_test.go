package scenario

import (
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// counter is an agent that counts for ever.
type counter struct{}

func (counter) Fresh(model.ID, []model.ID, int) (int, []model.Message[claim]) { return 0, nil }

func (counter) Receive(n int, _ model.Message[claim]) (int, []model.Message[claim]) { return n, nil }

func (counter) Actions() []model.Action[int, claim] {
	return []model.Action[int, claim]{{Name: "count", Do: func(n int) (int, []model.Message[claim], bool) { return n + 1, nil, true }}}
}

func TestEndless(t *testing.T) {
	sys := model.System{Agents: []model.Node{model.Of(counter{})}}
	const limit = 50 * time.Millisecond
	for name, c := range map[string]struct {
		options explorer.Options
		want    Want
		says    []string // nil: the case passes
	}{
		"nothing is wanted":      {says: []string{"The search was ended after 50ms, ", "bound the search with Depth", "Nothing is wanted", "The verdict is incomplete, in "}},
		"it should hold":         {want: Want{Verdict: explorer.Holds}, says: []string{"The search was ended after 50ms, ", `"verdict":`}},
		"it may be incomplete":   {want: Want{Verdict: explorer.Incomplete}, says: []string{"The search was ended after 50ms, "}},
		"it has its own limit":   {options: explorer.Options{MaxTime: limit / 2}, want: Want{Verdict: explorer.Incomplete}},
		"it is bounded in depth": {options: explorer.Options{Depth: new(3)}, want: Want{Verdict: explorer.Incomplete, States: 4}},
	} {
		failure := check(t.Context(), Case{System: sys, Options: c.options, Want: c.want}, limit)
		if c.says == nil && failure != "" {
			t.Errorf("%s: it fails:\n%s", name, failure)
		}
		for _, part := range c.says {
			if !strings.Contains(failure, part) {
				t.Errorf("%s: %q is missing in:\n%s", name, part, failure)
			}
		}
		if strings.Contains(failure, "caulk explore") {
			t.Errorf("%s: there is a command for a system without a name:\n%s", name, failure)
		}
	}
}

func TestAllowed(t *testing.T) {
	if got := allowed(time.Time{}, false); got != 0 {
		t.Errorf("without a deadline there is a limit of %s", got)
	}
	if got := allowed(time.Now().Add(time.Hour), true); got < 53*time.Minute || got > 54*time.Minute {
		t.Errorf("of an hour the search may take %s", got)
	}
	if got := allowed(time.Now().Add(-time.Hour), true); got != leastTime {
		t.Errorf("after the deadline the search may take %s", got)
	}
}
