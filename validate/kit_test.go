package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// till adds up what it is given, on its disk, and passes on one less.
type till struct{}

type drawer struct {
	Next  model.ID
	Total int
	Ticks int // not on disk
}

type coin int

func (till) Fresh(self model.ID, population []model.ID, _ int) (drawer, []model.Message[coin]) {
	return drawer{Next: self%model.ID(len(population)) + 1}, nil
}

func (till) Start(d drawer, value string) (drawer, []model.Message[coin]) {
	return d, []model.Message[coin]{{To: d.Next, Body: coin(len(value))}}
}

func (till) Receive(d drawer, m model.Message[coin]) (drawer, []model.Message[coin]) {
	d.Total += int(m.Body)
	switch {
	case m.From > 3: // a client
		return d, []model.Message[coin]{{To: m.From, Body: coin(d.Total)}}
	case m.Body > 1:
		return d, []model.Message[coin]{{To: d.Next, Body: m.Body - 1}}
	}
	return d, nil
}

func (till) Actions() []model.Action[drawer, coin] {
	return []model.Action[drawer, coin]{{Name: "tick", Kind: model.Timer, Do: func(d drawer) (drawer, []model.Message[coin], bool) {
		if d.Ticks == 2 {
			return d, nil, false
		}
		d.Ticks++
		return d, []model.Message[coin]{{To: d.Next, Body: 1}}, true
	}}}
}

func (till) Persist(d drawer) drawer { return drawer{Next: d.Next, Total: d.Total} }
func (till) Restart(_ model.ID, _ []model.ID, _ int, d drawer) (drawer, []model.Message[coin]) {
	return d, nil
}
func (till) Label(d drawer) string { return fmt.Sprint(d.Total) }

func tills(network model.Network, properties ...model.Property) *model.System {
	node := model.Of(till{})
	all := []model.ID{1, 2, 3}
	return &model.System{
		Name: "till", Agents: []model.Node{node, node, node}, Network: network,
		Starts: map[model.ID]string{1: "xxx"}, Wipe: all, Restart: all, Properties: properties,
	}
}

// run makes nodes do things, and writes what they did.
type run struct {
	t       *testing.T
	sys     *model.System
	machine *machine.Machine
	clock   int64
	nodes   []*actor // that of ID i is at index i-1
	wire    []tracelog.Received
	to      []model.ID // of the messages on the wire
}

type actor struct {
	tracelog.Point
	state []byte
	disk  []byte // as a whole state, after the last durable step
	saved int    // that step's seq
	files [][]tracelog.Line
}

func newRun(t *testing.T, sys *model.System) *run {
	t.Helper()
	if err := sys.Check(); err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(sys)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t: t, sys: sys, machine: m}
	for _, id := range sys.Population() {
		a := &actor{Point: tracelog.Point{Agent: id}}
		r.nodes = append(r.nodes, a)
		r.head(a, nil)
		s := tracelog.Step{Move: tracelog.Begin}
		if value, starts := sys.Starts[id]; starts {
			s.Value = &value
		}
		r.step(a, s, nil)
		r.commit(id)
	}
	return r
}

func (r *run) head(a *actor, kept []byte) {
	h := tracelog.Head{Schema: tracelog.Schema, Setting: trace.SettingOf(r.sys), Point: a.Point,
		States: r.machine.Codecs.StateTypes[a.Agent-1], Messages: r.machine.Codecs.Messages, Kept: kept}
	if a.Seq > 0 {
		h.State = a.state
	}
	a.files = append(a.files, []tracelog.Line{{Head: &h}})
}

func (a *actor) line(l tracelog.Line) {
	last := len(a.files) - 1
	a.files[last] = append(a.files[last], l)
}

// step makes one and sends at once what it sends; only durable steps may.
func (r *run) step(a *actor, s tracelog.Step, before []byte) bool {
	a.Seq++
	r.clock++
	s.Point, s.At = a.Point, r.clock
	if a.Seq > 1 {
		s.Before = r.machine.Digest(a.Agent, before)
	}
	o, err := r.machine.Execute(&s, before)
	if err != nil {
		a.Seq--
		return false
	}
	a.state, s.After, s.Sent = o.After, r.machine.Digest(a.Agent, o.After), o.Sent
	a.line(tracelog.Line{Step: &s})
	return true
}

// commit makes all steps of an agent durable and lets out what they sent.
func (r *run) commit(id model.ID) {
	a := r.nodes[id-1]
	r.clock++
	for _, l := range a.files[len(a.files)-1] {
		if l.Step == nil || l.Step.Seq <= a.saved {
			continue
		}
		for i, m := range l.Step.Sent {
			if r.sys.Has(m.To) == nil {
				r.wire = append(r.wire, tracelog.Received{From: id, Ref: &tracelog.Ref{Point: l.Step.Point, Index: i}, Body: m.Body})
				r.to = append(r.to, m.To)
			}
		}
	}
	a.saved, a.disk = a.Seq, a.state
	a.line(tracelog.Line{Commit: &tracelog.Commit{Point: a.Point, At: r.clock}})
}

// deliver takes the message at a place off the wire, or on a set leaves it.
func (r *run) deliver(at int) {
	m, id := r.wire[at], r.to[at]
	r.step(r.nodes[id-1], tracelog.Step{Move: tracelog.Deliver, Message: &m}, r.nodes[id-1].state)
	if r.sys.Network != model.Set {
		r.wire, r.to = slices.Delete(r.wire, at, at+1), slices.Delete(r.to, at, at+1)
	}
}

func (r *run) client(id model.ID) {
	body, err := r.machine.Codecs.Body.Append(nil, coin(2))
	if err != nil {
		r.t.Fatal(err)
	}
	r.step(r.nodes[id-1], tracelog.Step{Move: tracelog.Deliver, Message: &tracelog.Received{From: 9, Body: body}}, r.nodes[id-1].state)
}

func (r *run) tick(id model.ID) {
	r.step(r.nodes[id-1], tracelog.Step{Move: tracelog.Act, Action: "tick"}, r.nodes[id-1].state)
}

// again begins a new incarnation of an agent, by a wipe or a restart.
func (r *run) again(id model.ID, move string) {
	a := r.nodes[id-1]
	var kept []byte
	s := tracelog.Step{Move: move}
	if move == tracelog.Restart {
		var err error
		if kept, err = r.machine.Kept(id, a.disk); err != nil {
			r.t.Fatal(err)
		}
		s.Kept = r.machine.Digest(id, kept)
		s.Durable = &tracelog.Point{Agent: id, Incarnation: a.Incarnation, Seq: a.saved}
	}
	a.Incarnation, a.Seq, a.saved = a.Incarnation+1, 0, 0
	r.head(a, kept)
	r.step(a, s, kept)
	r.commit(id)
}

// rotate begins a new file of the same incarnation.
func (r *run) rotate(id model.ID) { r.head(r.nodes[id-1], nil) }

// ready is where a message lies on the wire that may be delivered: on fifo none
// that was sent after another between the same two.
func (r *run) ready(lots *rand.Rand) int {
	at := lots.IntN(len(r.wire))
	if r.sys.Network != model.Fifo {
		return at
	}
	for i := range at {
		if r.wire[i].From == r.wire[at].From && r.to[i] == r.to[at] {
			return i
		}
	}
	return at
}

// muddle lets so many things happen at random.
func (r *run) muddle(lots *rand.Rand, things int) {
	for range things {
		id := model.ID(1 + lots.IntN(3))
		switch n := lots.IntN(12); {
		case n < 5 && len(r.wire) > 0:
			r.deliver(r.ready(lots))
		case n < 7:
			r.commit(id)
		case n < 9:
			r.tick(id)
		case n == 9:
			r.client(id)
		case n == 10:
			r.rotate(id)
		case lots.IntN(2) == 0:
			r.again(id, tracelog.Restart)
		default:
			r.again(id, tracelog.Wipe)
		}
	}
}

// write writes all files into a new folder, and gives their names.
func (r *run) write() []string {
	dir := r.t.TempDir()
	for _, a := range r.nodes {
		for i, lines := range a.files {
			rotation := i + 1
			if i == len(a.files)-1 {
				rotation = 0
			}
			var b bytes.Buffer
			for _, l := range lines {
				text, err := json.Marshal(l)
				if err != nil {
					r.t.Fatal(err)
				}
				b.Write(append(text, '\n'))
			}
			if err := os.WriteFile(filepath.Join(dir, tracelog.Name(a.Agent, rotation)), b.Bytes(), 0o666); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	_, files, err := Setting([]string{dir})
	if err != nil {
		r.t.Fatal(err)
	}
	return files
}

func check(t *testing.T, sys *model.System, files []string) *Report {
	t.Helper()
	r, err := Check(sys, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
