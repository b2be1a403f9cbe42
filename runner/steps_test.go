package runner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/caulk-go/caulk/trace/tracelog"
	"github.com/caulk-go/caulk/validate"
)

// Own actions of each kind: an input when a client asks, a step at once, a timer by
// the clock; what is not possible is refused.
func TestOwnActions(t *testing.T) {
	s := newShop(t, nil)
	if status := s.dropIn(); status != 200 {
		t.Errorf("an input is answered by %d", status)
	}
	s.shows("Passing: []") // the step
	friend := s.greet(2)
	if _, err := friend.Write(s.coin(1, 5000)); err != nil {
		t.Fatal(err)
	}
	until(t, "the input is not possible", func() bool {
		status, answer := s.ask("POST", "/input", map[string]any{"action": "drop in"})
		return status == 409 && answer["error"] == `"drop in" is not possible now`
	})
	s.shows("Total: 0,") // the timer
	if status := s.dropIn(); status != 200 {
		t.Errorf("afterwards, an input is answered by %d", status)
	}
	for _, other := range []string{"pass on", "clear"} { // those are not for clients
		if status, _ := s.ask("POST", "/input", map[string]any{"action": other}); status != 404 {
			t.Errorf("%s is answered by %d", other, status)
		}
	}
	s.Stop()
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	s.judged()
}

// Steps that come together share a commit, unless each is to have its own.
func TestGroupCommit(t *testing.T) {
	for _, each := range []bool{false, true} {
		s := openShop(t, func(c *Config) { c.EachCommits = each })
		const coins = 40
		done := make(chan outcome, coins)
		for range coins { // all wait before the first step
			if !s.inbox.ask(request{action: "drop in", done: done}) {
				t.Fatal("the inbox is full")
			}
		}
		s.serve()
		for range coins {
			<-done
		}
		s.Stop()
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		if s.commits > 2 != each || each && s.commits != coins {
			t.Errorf("%d coins took %d commits; each its own: %t", coins, s.commits, each)
		}
		s.judged()
	}
}

// An agent whose code panics ends its node: with its state, its message, and a crash
// log of the steps before.
func TestAnAgentThatPanics(t *testing.T) {
	s := newShop(t, nil)
	for range 2600 / 2 { // each makes two steps
		if status := s.dropIn(); status != 200 {
			t.Fatalf("a coin is answered by %d", status)
		}
	}
	friend := s.greet(3)
	if _, err := friend.Write(s.coin(1, slug)); err != nil {
		t.Fatal(err)
	}
	err := s.Wait()
	var agent *AgentError
	if !errors.As(err, &agent) || agent.Halted {
		t.Fatalf("the node ends with %v", err)
	}
	for _, part := range []string{"agent 1, incarnation 0, step ", "deliver of coin(13) from 3 in state drawer{Self: 1,", "panics: a slug", tracelog.CrashName(1)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if !strings.Contains(agent.Stack, "till.Receive") {
		t.Errorf("its stack is %q", agent.Stack)
	}
	f, err := os.Open(filepath.Join(s.c.Trace, tracelog.CrashName(1)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	steps := 0
	var last tracelog.Line
	in := tracelog.NewReader(f)
	for {
		l, err := in.Next()
		if err != nil {
			break
		}
		if last = l; l.Step != nil {
			steps++
		}
	}
	if steps < remembered || steps > 2*remembered+2 {
		t.Errorf("the crash log has %d steps", steps)
	}
	if p := last.Panic; p == nil || p.Reason != "a slug" || p.Message == nil || p.Message.From != 3 {
		t.Errorf("the crash log ends with %+v", last)
	}
	s.judged()
	crash, err := validate.Check(&s.sys, []string{f.Name()}, nil)
	if err != nil || crash.Verdict != validate.Valid {
		t.Errorf("the crash log is judged %+v, %v", crash, err)
	}
}

// An agent that halts has its last step durable, and nothing more happens.
func TestAnAgentThatHalts(t *testing.T) {
	s := newShop(t, nil)
	friend := s.greet(3)
	if _, err := friend.Write(append(s.coin(1, lost), s.coin(2, 5)...)); err != nil {
		t.Fatal(err)
	}
	err := s.Wait()
	var agent *AgentError
	if !errors.As(err, &agent) || !agent.Halted || agent.Seq != 2 || !strings.Contains(err.Error(), "Lost: true") {
		t.Errorf("the node ends with %v", err)
	}
	if r := s.judged(); r.Done != 2 {
		t.Errorf("%d steps are durable, not its beginning and the one at which it halts", r.Done)
	}
}

// A trace goes on in a new file when one is full, without a gap.
func TestATraceThatRotates(t *testing.T) {
	s := openShop(t, nil)
	s.tracer.writer.FileBytes = 4000
	s.tracer.writer.Files = 1000
	s.serve()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				s.dropIn()
			}
		})
	}
	all.Wait()
	s.Stop()
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	files, err := tracelog.List(s.c.Trace)
	if err != nil || len(files) < 4 {
		t.Errorf("there are %d files, %v", len(files), err)
	}
	if r := s.judged(); r.Steps < 200 || r.Traces[0].Steps != r.Steps || !r.Traces[0].Begins || r.Traces[0].Ends != "stopped" {
		t.Errorf("the traces are %+v", r.Traces)
	}
}
