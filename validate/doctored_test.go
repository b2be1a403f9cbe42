package validate

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// story is a run in which agent 1 sends to 2 and 2 to 3, agent 3 is restarted
// after a step that was not durable, and agent 2 ticks.
func story(t *testing.T, sys *model.System) *run {
	r := newRun(t, sys)
	r.deliver(0) // 3 from 1 to 2
	r.commit(2)
	r.deliver(0) // 2 from 2 to 3: undone
	r.again(3, tracelog.Restart)
	r.tick(2)
	r.tick(2)
	r.commit(2)
	r.deliver(0) // 1 from 2 to 3
	r.commit(3)
	return r
}

// step is a step of a node, in whatever file it stands.
func (r *run) at(id model.ID, incarnation, seq int) *tracelog.Step {
	for _, lines := range r.nodes[id-1].files {
		for _, l := range lines {
			if l.Step != nil && l.Step.Incarnation == incarnation && l.Step.Seq == seq {
				return l.Step
			}
		}
	}
	r.t.Fatalf("agent %d has no step %d in incarnation %d", id, seq, incarnation)
	return nil
}

func other(b []byte) []byte { return append(slices.Clone(b[:len(b)-1]), b[len(b)-1]+2) }

func TestTheStoryIsValid(t *testing.T) {
	sys := tills(model.Bag)
	report := check(t, sys, story(t, sys).write())
	if report.Verdict != Valid || report.Steps != 9 || report.Done != 8 || report.Undone != 1 || report.Received != 2 || report.Assumed != 0 || report.Judged != 6 {
		t.Errorf("%+v", report)
	}
}

// doctored is a way to alter a story, and what must be found: where, and why.
type doctored struct {
	name   string
	system func(s *model.System) // changes it before the run; nil leaves it
	doctor func(r *run)
	at     tracelog.Point
	reason string
}

// What was altered is found, at the step that was.
func TestDoctoredSteps(t *testing.T) {
	for _, c := range []doctored{
		{"another state after", nil, func(r *run) { r.at(2, 0, 3).After = r.at(2, 0, 2).Before }, tracelog.Point{Agent: 2, Seq: 3}, "the state after it is another"},
		{"another state before", nil, func(r *run) { r.at(2, 0, 3).Before = r.at(2, 0, 2).Before }, tracelog.Point{Agent: 2, Seq: 3}, "the state before it is not the one"},
		{"a send is missing", nil, func(r *run) { r.at(2, 0, 2).Sent = nil }, tracelog.Point{Agent: 2, Seq: 2}, "it sends nothing"},
		{"another body sent", nil, func(r *run) { r.at(2, 0, 3).Sent[0].Body = other(r.at(2, 0, 3).Sent[0].Body) }, tracelog.Point{Agent: 2, Seq: 3}, "it sends coin(2) to 3"},
		{"sent to another", nil, func(r *run) { r.at(2, 0, 3).Sent[0].To = 1 }, tracelog.Point{Agent: 2, Seq: 3}, "it sends coin(1) to 1"},
		{"another body received", nil, func(r *run) { r.at(3, 1, 2).Message.Body = other(r.at(3, 1, 2).Message.Body) }, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 2}, "the state after it is another"},
		{"received from another", nil, func(r *run) { r.at(3, 1, 2).Message.From = 1 }, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 2}, "it says that agent 2 sent the message of agent 1"},
		{"no reference", nil, func(r *run) { r.at(3, 1, 2).Message.Ref = nil }, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 2}, "it does not say which message of agent 2"},
		{"a client with a reference", nil, func(r *run) {
			r.client(3)
			r.at(3, 1, 3).Message.Ref = r.at(3, 1, 2).Message.Ref
		}, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 3}, "agent 9 is a client"},
		{"a message that was not sent", nil, func(r *run) { r.at(3, 1, 2).Message.Ref.Index = 1 }, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 2}, "agent 2 did not send it that message in its step"},
		{"a fault that may not be", func(s *model.System) { s.Restart = nil }, nil, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 1}, "a restart of agent 3 is none of the faults"},
		{"a fault too many", func(s *model.System) { s.Budgets = map[model.Budget]int{model.Restarts: 0} }, nil, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 1}, "it is one more of the restarts than the 0"},
		{"a timer too many", func(s *model.System) { s.Budgets = map[model.Budget]int{model.Timeouts: 1} }, nil, tracelog.Point{Agent: 2, Seq: 4}, "it is one more of the timeouts than the 1"},
		{"delivered twice", nil, func(r *run) {
			r.wire, r.to = append(r.wire, *r.at(3, 1, 2).Message), append(r.to, 3)
			r.deliver(len(r.wire) - 1)
			r.commit(3)
		}, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 3}, "the message was delivered before"},
	} {
		c.find(t)
	}
}

// So is what a node says that it did, and cannot have done.
func TestImpossibleSteps(t *testing.T) {
	for _, c := range []doctored{
		{"not possible", nil, func(r *run) {
			s := *r.at(2, 0, 4)
			s.Seq, s.Before = 5, s.After
			r.nodes[1].line(tracelog.Line{Step: &s})
		}, tracelog.Point{Agent: 2, Seq: 5}, `the action "tick" is not possible`},
		{"no such action", nil, func(r *run) { r.at(2, 0, 3).Action = "tock" }, tracelog.Point{Agent: 2, Seq: 3}, `the agent has no action "tock"`},
		{"no such move", nil, func(r *run) { r.at(2, 0, 3).Move = "leap" }, tracelog.Point{Agent: 2, Seq: 3}, `there is no move "leap"`},
		{"begins in the middle", nil, func(r *run) { r.at(2, 0, 3).Move = tracelog.Begin }, tracelog.Point{Agent: 2, Seq: 3}, "it is the first move of an incarnation"},
		{"does not begin", nil, func(r *run) { r.at(2, 0, 1).Move = tracelog.Act }, tracelog.Point{Agent: 2, Seq: 1}, "an incarnation begins with begin"},
		{"begins again", nil, func(r *run) { r.at(3, 1, 1).Move = tracelog.Begin }, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 1}, "the agent had begun before"},
		{"a gap", nil, func(r *run) { r.nodes[1].files[0] = slices.Delete(r.nodes[1].files[0], 5, 6) }, tracelog.Point{}, "it is step 4 where step 3 is due"},
		{"of another agent", nil, func(r *run) { r.at(2, 0, 3).Agent = 1 }, tracelog.Point{}, "it is of agent 1, incarnation 0, in a trace of agent 2"},
		{"durable before it was made", nil, func(r *run) {
			p := r.nodes[1].Point
			p.Seq = 9
			r.nodes[1].line(tracelog.Line{Commit: &tracelog.Commit{Point: p}})
		}, tracelog.Point{}, "it is about step 9 before that was made"},
		{"another disk", nil, func(r *run) {
			kept, _ := r.machine.Codecs.States[2].Append(nil, drawer{Next: 1, Total: 2})
			r.nodes[2].files[1][0].Head.Kept = kept
			s := r.at(3, 1, 1)
			s.Kept, s.After = r.machine.Digest(3, kept), r.machine.Digest(3, kept)
		}, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 1}, "its disk kept something else than its last durable step, 1, left"},
		{"a disk that the head does not know", nil, func(r *run) { r.nodes[2].files[1][0].Head.Kept = nil }, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 1}, "what it found on its disk is not what the head"},
		{"a disk of a step that was not made", nil, func(r *run) { r.at(3, 1, 1).Durable.Seq = 7 }, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 1}, "its disk knows of step 7"},
		{"an answer to what was rolled back", nil, func(r *run) {
			sent := r.at(3, 0, 2).Sent[0]
			r.wire = append(r.wire, tracelog.Received{From: 3, Ref: &tracelog.Ref{Point: tracelog.Point{Agent: 3, Seq: 2}}, Body: sent.Body})
			r.to = append(r.to, 1)
			r.deliver(len(r.wire) - 1)
		}, tracelog.Point{Agent: 1, Seq: 2}, "the step of agent 3 that sent it, 2, was rolled back"},
		{"received before it was sent", nil, func(r *run) {
			r.at(2, 0, 2).Message.Ref = &tracelog.Ref{Point: tracelog.Point{Agent: 2, Seq: 4}}
			r.at(2, 0, 2).Message.From = 2
		}, tracelog.Point{Agent: 2, Seq: 2}, "it receives what is sent only after it"},
		{"out of order", func(s *model.System) { s.Network = model.Fifo; s.Lossy = true }, func(r *run) {
			m := *r.at(3, 0, 2).Message
			r.wire, r.to = append(r.wire, m), append(r.to, 3)
			r.deliver(len(r.wire) - 1)
			r.commit(3)
		}, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 3}, "a message that was sent after it"},
		{"lost where nothing is", func(s *model.System) { s.Network = model.Fifo }, nil, tracelog.Point{Agent: 3, Incarnation: 1, Seq: 2}, "1 messages that were sent before it"},
	} {
		c.find(t)
	}
}

func (c doctored) find(t *testing.T) {
	t.Run(c.name, func(t *testing.T) {
		sys := tills(model.Bag)
		if c.system != nil {
			c.system(sys)
		}
		r := story(t, sys)
		if c.doctor != nil {
			c.doctor(r)
		}
		report := check(t, sys, r.write())
		p := report.FirstInvalid
		if report.Verdict != Invalid || p == nil {
			t.Fatalf("it is %s", report.Verdict)
		}
		if p.Point != c.at || !strings.HasPrefix(p.Reason, c.reason) {
			t.Errorf("at %+v: %s\nwant %+v: %s", p.Point, p.Reason, c.at, c.reason)
		}
	})
}

// edit rewrites a file of a trace.
func edit(t *testing.T, files []string, name string, f func([]byte) []byte) {
	t.Helper()
	for _, file := range files {
		if filepath.Base(file) == name {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, f(text), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("there is no %s in %v", name, files)
}

// A doctored line is the first step that is none of the model's, not an error.
func TestADoctoredLine(t *testing.T) {
	sys := tills(model.Bag)
	files := story(t, sys).write()
	edit(t, files, "agent-2.jsonl", func(b []byte) []byte {
		lines := bytes.SplitAfter(b, []byte("\n"))
		lines[3] = []byte("{\"step\":\n")
		return bytes.Join(lines, nil)
	})
	report := check(t, sys, files)
	if p := report.FirstInvalid; report.Verdict != Invalid || p.Line != 4 || !strings.Contains(p.Reason, "not JSON") {
		t.Errorf("%s: %+v", report.Verdict, p)
	}
}

// Cut anywhere, a trace is judged as far as it goes.
func TestCutTraces(t *testing.T) {
	sys := tills(model.Bag)
	lots := rand.New(rand.NewPCG(1, 1))
	assumed := 0
	for range 60 {
		files := story(t, sys).write()
		edit(t, files, "agent-2.jsonl", func(b []byte) []byte {
			head := bytes.IndexByte(b, '\n') + 1
			return b[:head+lots.IntN(len(b)-head)]
		})
		report := check(t, sys, files)
		if report.Verdict != Valid {
			t.Fatalf("%s: %s %s", report.Verdict, report.FirstInvalid.Place, report.FirstInvalid.Reason)
		}
		if ends := report.Traces[1].Ends; ends == "stopped" {
			t.Errorf("a trace that is cut ends %s", ends)
		}
		assumed += report.Assumed
		if report.Assumed > 0 && report.NotJudged == "" {
			t.Error("properties were judged beyond what is known")
		}
	}
	if assumed == 0 {
		t.Error("nothing was ever assumed")
	}
}

func TestMissingTraces(t *testing.T) {
	sys := tills(model.Bag, model.Always("fine", func(model.View) error { return nil }))
	r := story(t, sys)
	files := slices.DeleteFunc(r.write(), func(f string) bool { return strings.Contains(f, "agent-2.") })
	report := check(t, sys, files)
	if report.Verdict != Valid || report.Assumed != 1 || len(report.Missing) != 1 || report.Missing[0] != 2 || report.Judged != 0 {
		t.Errorf("%+v", report)
	}
	if p := report.Properties[0]; p.Verdict != "not judged" || report.NotJudged != "there is no trace of agent 2" {
		t.Errorf("%s: %s", p.Verdict, report.NotJudged)
	}

	// The oldest file alone is missing: agent 3 is known from its restart on.
	files = slices.DeleteFunc(r.write(), func(f string) bool { return strings.Contains(f, "agent-3.1.") })
	report = check(t, sys, files)
	if report.Verdict != Valid || report.Assumed != 0 || report.NotJudged != "not every trace begins at its agent's beginning" {
		t.Errorf("%s: %d assumed, %s", report.Verdict, report.Assumed, report.NotJudged)
	}
}
