package validate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

func TestSnapshotsAreStatesToBeginIn(t *testing.T) {
	sys := tills(model.Bag)
	r := newRun(t, sys)
	r.deliver(0)
	r.commit(2)
	r.tick(2)
	r.tick(3)
	r.commit(3)
	files := r.write()
	name := func(agent int) string { return files[agent-1] }

	s, err := Snapshot(sys, files, name(3), 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Locals, s.InFlight); got != "[{{2 0 0} 0 false} {{3 3 0} 0 false} {{1 0 1} 0 false}] [{2 3 2} {3 1 1}]" {
		t.Errorf("the state is %s", got)
	}

	// From there on it is as if the system had been explored up to there.
	sys.Snapshot, sys.Wipe, sys.Restart = s, nil, nil
	sys.Properties = []model.Property{model.Always("less than 7", func(v model.View) error {
		if n := total(v); n >= 7 {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	})}
	report, err := explorer.Explore(context.Background(), *sys, explorer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := report.Violation; v == nil || v.Moves != 3 || report.From != s.From {
		t.Errorf("%s: %+v", report.Verdict, v)
	}

	for _, c := range []struct {
		file string
		seq  int
		want string
	}{
		{name(3), 9, "there is no such step in that file"},
		{"nowhere.jsonl", 1, "there is no such step in that file"},
		{name(2), 3, "that step is not durable, so for the others it did not happen"},
	} {
		if _, err := Snapshot(tills(model.Bag), files, c.file, c.seq); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s@%d: %v", c.file, c.seq, err)
		}
	}
	if _, err := Snapshot(tills(model.Bag), files[1:], name(3), 2); err == nil || !strings.HasSuffix(err.Error(), "the traces do not tell the whole state there: there is no trace of agent 1") {
		t.Errorf("without agent 1: %v", err)
	}
}

func TestSnapshotsRememberWhatTheObserverDid(t *testing.T) {
	sys := tills(model.Bag)
	sys.Observer = model.Observe(0, func(n int, e model.Event) int { return n + 1 })
	r := story(t, sys)
	files := r.write()
	s, err := Snapshot(sys, files, files[1], 3)
	if err != nil {
		t.Fatal(err)
	}
	if s.Memory != 6 { // three begin, a delivery, a restart, a tick
		t.Errorf("it remembers %v", s.Memory)
	}
	sys.Snapshot, sys.Wipe, sys.Restart = s, nil, nil
	sys.Properties = []model.Property{model.Sometimes("nine", func(v model.View) bool { return model.ObserverOf[int](v) == 9 })}
	report, err := explorer.Explore(context.Background(), *sys, explorer.Options{})
	if err != nil || report.Properties[0].Verdict != explorer.Holds || len(report.Properties[0].Witness) != 3 {
		t.Errorf("%v: %+v", err, report.Properties)
	}
}

func TestParseStep(t *testing.T) {
	if file, seq, err := ParseStep("a@b/agent-2.jsonl@57"); file != "a@b/agent-2.jsonl" || seq != 57 || err != nil {
		t.Errorf("%q %d %v", file, seq, err)
	}
	for _, bad := range []string{"", "@3", "agent-2.jsonl", "agent-2.jsonl@", "agent-2.jsonl@x", "agent-2.jsonl@0"} {
		if _, _, err := ParseStep(bad); err == nil {
			t.Errorf("%q is a step", bad)
		}
	}
}
