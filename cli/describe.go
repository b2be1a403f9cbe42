package cli

import (
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// describe says in a line what the setting of a system is.
func describe(sys *model.System) string {
	parts := []string{plural(int64(len(sys.Agents)), "agent")}
	for _, key := range sortedKeys(sys.Params) {
		parts = append(parts, fmt.Sprintf("%s=%d", key, sys.Params[key]))
	}
	if sys.Snapshot != nil {
		parts = append(parts, "from "+printable.Line(sys.Snapshot.From)+" on")
	} else if n := len(sys.AllStarts()); n > 1 {
		parts = append(parts, plural(int64(n), "start"))
	} else if text := startText(sys.Starts); text != "" {
		parts = append(parts, text)
	}
	where := "in a " + sys.Network.String()
	if sys.Network == model.Fifo {
		where = "in fifo queues"
	}
	parts = append(parts, "messages "+where)
	return sys.Name + ": " + strings.Join(append(parts, faultTexts(sys)...), ", ")
}

// startText says who starts with what; empty if nobody is started.
func startText(starts map[model.ID]string) string {
	var parts []string
	for _, id := range sortedKeys(starts) {
		parts = append(parts, fmt.Sprintf("agent %d starts with %s", id, trace.CommandLine(starts[id])))
	}
	return strings.Join(parts, ", ")
}

// faultTexts says what may go wrong, and how often.
func faultTexts(sys *model.System) []string {
	var parts []string
	limit := func(b model.Budget) string {
		n, limited := sys.Budgets[b]
		switch {
		case !limited:
			return ""
		case n == 1:
			return " at most once"
		}
		return fmt.Sprintf(" at most %s times", grouped(int64(n)))
	}
	if sys.Lossy {
		parts = append(parts, "a message may be lost"+limit(model.Drops))
	}
	if text := limit(model.Duplicates); text != "" {
		parts = append(parts, "a message may be doubled"+text)
	}
	for _, fault := range []struct {
		agents []model.ID
		verb   string
		budget model.Budget
	}{
		{sys.Wipe, " may be wiped", model.Wipes},
		{sys.Restart, " may restart", model.Restarts},
		{sys.Crash, " may crash for good", model.Crashes},
	} {
		if len(fault.agents) > 0 {
			parts = append(parts, allAgents(fault.agents)+fault.verb+limit(fault.budget))
		}
	}
	if text := limit(model.Timeouts); text != "" {
		parts = append(parts, "timers run out"+text)
	}
	return parts
}

// allAgents names every one: "agents 1, 2 and 3".
func allAgents(ids []model.ID) string {
	noun := "agents "
	if len(ids) == 1 {
		noun = "agent "
	}
	return noun + enumerate(idTexts(ids), "and")
}
