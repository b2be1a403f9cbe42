package runner

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// tracer writes the node's trace, if there is to be one, and remembers the last
// steps for a crash log. Only the loop uses it.
type tracer struct {
	n      *Node
	writer *tracelog.Writer   // nil: no trace is written, or no more
	recent [2][]tracelog.Line // the last steps and those before them, each after a head
}

// remembered is how many steps a crash log has at least, if there were as many.
const remembered = 1000

func newTracer(n *Node) *tracer {
	t := &tracer{n: n}
	if n.c.Trace == "" {
		return t
	}
	if err := os.MkdirAll(n.c.Trace, 0o777); err != nil {
		t.failed(err)
		return t
	}
	t.writer = tracelog.NewWriter(n.c.Trace, n.c.Self)
	return t
}

// failed ends the trace: a node does not stop because nobody can write down what
// it does. The file then ends, as if it had been cut.
func (t *tracer) failed(err error) {
	if err == nil {
		return
	}
	t.n.log.say("the trace in %s ends: %v", t.n.c.Trace, wholefile.Bare(err))
	t.writer = nil
}

func (t *tracer) write(l tracelog.Line) {
	if t.writer != nil {
		t.failed(t.writer.Write(l))
	}
}

func (t *tracer) flush() {
	if t.writer != nil {
		t.failed(t.writer.Flush())
	}
}

// head is the first line of a file that begins where the agent is.
func (t *tracer) head(a *agent) tracelog.Head {
	h := tracelog.Head{
		Schema: tracelog.Schema, Setting: trace.SettingOf(&t.n.c.System), Point: a.Point,
		States: t.n.machine.Codecs.StateTypes[a.Agent-1], Messages: t.n.machine.Codecs.Messages,
		At: time.Now().UnixMicro(),
	}
	if a.Seq > 0 {
		h.State = a.state
	}
	return h
}

// begin begins the first file of an incarnation.
func (t *tracer) begin(h tracelog.Head) {
	t.recent[0] = []tracelog.Line{{Head: &h}}
	if t.writer != nil {
		t.failed(t.writer.Begin(h))
	}
}

// step takes in a step before the agent's state is the one after it.
func (t *tracer) step(s tracelog.Step) {
	l := tracelog.Line{Step: &s}
	t.write(l)
	if len(t.recent[1]) == 0 {
		t.recent[1] = t.recent[0] // the head of the first
		t.recent[0] = nil
	}
	if len(t.recent[1]) > remembered {
		head := t.head(t.n.agent)
		t.recent[0], t.recent[1] = t.recent[1], []tracelog.Line{{Head: &head}}
	}
	t.recent[1] = append(t.recent[1], l)
}

// commit says that all steps are durable.
func (t *tracer) commit(a *agent) {
	t.write(tracelog.Line{Commit: &tracelog.Commit{Point: a.Point, At: time.Now().UnixMicro()}})
	t.flush()
}

// rotate begins a new file where the old one is full.
func (t *tracer) rotate(a *agent) {
	if t.writer != nil && t.writer.Full() {
		t.failed(t.writer.Begin(t.head(a)))
	}
}

// stop says that the node ends in good order.
func (t *tracer) stop(a *agent) {
	t.write(tracelog.Line{Stop: &tracelog.Stop{Point: a.Point, At: time.Now().UnixMicro()}})
}

func (t *tracer) close() {
	if t.writer != nil {
		t.failed(t.writer.Close())
		t.writer = nil
	}
}

// crash writes a crash log that ends with the step that the agent's code did not
// survive. It gives what to tell of it, or nothing.
func (t *tracer) crash(s tracelog.Step, err error) string {
	p := tracelog.Panic{Point: s.Point, Move: s.Move, Action: s.Action, Value: s.Value, Message: s.Message, Reason: err.Error(), At: s.At}
	p.Seq--
	var panicked *call.PanicError
	if errors.As(err, &panicked) {
		p.Reason, p.Stack = panicked.Value, panicked.Stack
	}
	return t.crashLog(p)
}

// crashed writes a crash log where caulk itself panics.
func (t *tracer) crashed(a *agent, panicked any) {
	p := tracelog.Panic{Reason: fmt.Sprint(panicked), Stack: string(debug.Stack()), At: time.Now().UnixMicro()}
	if a != nil {
		p.Point = a.Point
	}
	t.n.log.say("the node panics: %v%s", panicked, t.crashLog(p))
}

func (t *tracer) crashLog(p tracelog.Panic) string {
	t.flush()
	dir := cmp.Or(t.n.c.Trace, t.n.c.Data)
	lines := append(t.recent[0], t.recent[1]...)
	if dir == "" || len(lines) == 0 {
		return ""
	}
	name := filepath.Join(dir, tracelog.CrashName(t.n.c.Self))
	if err := writeLines(name, append(lines, tracelog.Line{Panic: &p})); err != nil {
		return fmt.Sprintf("; there is no crash log: %v", wholefile.CannotWrite(name, err))
	}
	return "; the steps before it are in " + name
}

// writeLines writes a trace as a file, with the first head alone.
func writeLines(name string, lines []tracelog.Line) error {
	f, err := wholefile.Create(name)
	if err != nil {
		return err
	}
	for i, l := range lines {
		if l.Head != nil && i > 0 {
			continue
		}
		if err := tracelog.WriteLine(f, l); err != nil {
			return errors.Join(err, f.Discard())
		}
	}
	return f.Commit()
}
