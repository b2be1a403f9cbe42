// Package xsync is external synchrony: Edmund Nightingale, Kaushik
// Veeraraghavan, Peter Chen and Jason Flinn, "Rethink the Sync", OSDI 2006
// (xsyncfs); and what came before it, "Speculative Execution in a Distributed File
// System", SOSP 2005 (Speculator).
//
// A process does not wait until its writes are on disk. But what a user sees
// must not depend on a write that a crash can still take back: output is held
// back until all writes that it depends on are on disk.
package xsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// Agents: a machine with processes p and q, and the screen that a user looks at.
const (
	machine model.ID = iota + 1
	screen
)

// Message is output on its way to the screen.
type Message = model.Message[Output]

// Output is a text, by the writes that it depends on.
type Output struct {
	Knows []int // the writes that the process knew of: the text could tell
	Waits []int // those that the machine waits for
}

// Kind is "Output".
func (Output) Kind() string { return "Output" }

// Detail is what a user could read out of it.
func (o Output) Detail() string { return fmt.Sprintf("knows of writes %v", o.Knows) }

// Variant is what a machine tracks. All of it together holds.
type Variant struct {
	Holds bool // output waits for the writes of its process
	Files bool // and for those of whoever wrote what it read
	Locks bool // and for those of whoever had the lock before
}

// Machine is the state of the machine. The disk outlives a crash.
type Machine struct {
	Disk    []int // the writes on disk, in order
	Journal []int // those that are not yet, in order
	Last    int   // the number of the last write, also of one that was lost
	P, Q    Process
	Lock    Lock
	Held    []Output // in order
}

// Process is the state of a process.
type Process struct {
	Knows   []int  // writes that it made, or learned of
	Waits   []int  // those of them that its output waits for, as far as the machine tracks it
	Lock    string // "" before it has it, then "has", then "had"
	Wrote   bool
	Read    bool
	Printed bool
}

// Lock is a lock, and what the one who had it knows.
type Lock struct {
	Taken bool
	Knows []int
	Waits []int
}

type kernel struct{ Variant }

func (kernel) Fresh(model.ID, []model.ID, int) (Machine, []Message) { return Machine{}, nil }

func (kernel) Receive(m Machine, _ Message) (Machine, []Message) { return m, nil }

// Persist: a crash takes the memory of the machine, and all processes.
func (kernel) Persist(m Machine) Machine { return Machine{Disk: m.Disk, Last: m.Last} }

// Restart begins with what is on the disk.
func (kernel) Restart(_ model.ID, _ []model.ID, _ int, m Machine) (Machine, []Message) { return m, nil }

// Label is the writes on disk, those in the journal, and the output held back.
func (kernel) Label(m Machine) string {
	return fmt.Sprintf("%v%v%d ", m.Disk, m.Journal, len(m.Held))
}

// Actions: what the processes do, and the machine itself.
func (k kernel) Actions() []model.Action[Machine, Output] {
	actions := []model.Action[Machine, Output]{
		{Name: "commit", Kind: model.Timer, Do: commit},
		{Name: "show", Kind: model.Step, Do: k.show},
	}
	for _, name := range []string{"p", "q"} {
		of := func(does string, f func(m Machine, p Process) (Machine, Process, bool)) {
			actions = append(actions, model.Action[Machine, Output]{Name: name + " " + does, Kind: model.Step, Do: func(m Machine) (Machine, []Message, bool) {
				m, p, enabled := f(m, m.process(name))
				return m.with(name, p), nil, enabled
			}})
		}
		of("locks", k.lock)
		if name == "p" {
			of("writes", k.write)
		} else {
			of("reads", k.read)
		}
		of("unlocks", k.unlock)
		of("prints", k.print)
	}
	return actions
}

func (m Machine) process(name string) Process {
	if name == "p" {
		return m.P
	}
	return m.Q
}

func (m Machine) with(name string, p Process) Machine {
	if name == "p" {
		m.P = p
	} else {
		m.Q = p
	}
	return m
}

// commit puts the oldest write of the journal on disk.
func commit(m Machine) (Machine, []Message, bool) {
	if len(m.Journal) == 0 {
		return m, nil, false
	}
	m.Disk, m.Journal = append(m.Disk, m.Journal[0]), m.Journal[1:]
	return m, nil, true
}

// show lets the oldest output out, once all that it waits for is on disk.
func (k kernel) show(m Machine) (Machine, []Message, bool) {
	if len(m.Held) == 0 {
		return m, nil, false
	}
	first := m.Held[0]
	for _, w := range first.Waits {
		if k.Holds && !slices.Contains(m.Disk, w) {
			return m, nil, false
		}
	}
	m.Held = m.Held[1:]
	return m, []Message{{To: screen, Body: first}}, true
}

// lock takes the lock. Its holder learns what the last one knew: that is what
// locks are for.
func (k kernel) lock(m Machine, p Process) (Machine, Process, bool) {
	enabled := !m.Lock.Taken && p.Lock == ""
	m.Lock.Taken, p.Lock = true, "has"
	p.Knows = union(p.Knows, m.Lock.Knows)
	if k.Locks {
		p.Waits = union(p.Waits, m.Lock.Waits)
	}
	return m, p, enabled
}

func (kernel) unlock(m Machine, p Process) (Machine, Process, bool) {
	enabled := p.Lock == "has"
	m.Lock = Lock{Knows: union(m.Lock.Knows, p.Knows), Waits: union(m.Lock.Waits, p.Waits)}
	p.Lock = "had"
	return m, p, enabled
}

// write appends to the file, under the lock, and does not wait for the disk.
func (kernel) write(m Machine, p Process) (Machine, Process, bool) {
	enabled := p.Lock == "has" && !p.Wrote
	m.Last++
	m.Journal = append(m.Journal, m.Last)
	p.Wrote, p.Knows, p.Waits = true, union(p.Knows, []int{m.Last}), union(p.Waits, []int{m.Last})
	return m, p, enabled
}

// read reads the file, with what is not on disk yet.
func (k kernel) read(m Machine, p Process) (Machine, Process, bool) {
	enabled := !p.Read
	content := slices.Concat(m.Disk, m.Journal)
	p.Read, p.Knows = true, union(p.Knows, content)
	if k.Files {
		p.Waits = union(p.Waits, content)
	}
	return m, p, enabled
}

// print hands a text to the machine, which holds it back.
func (kernel) print(m Machine, p Process) (Machine, Process, bool) {
	enabled := !p.Printed
	p.Printed = true
	m.Held = append(m.Held, Output{Knows: p.Knows, Waits: p.Waits})
	return m, p, enabled
}

// union is what is in either list, ascending.
func union(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// Seen is the state of the screen, and of who looks at it.
type Seen struct{ Texts []Output }

type user struct{}

func (user) Fresh(model.ID, []model.ID, int) (Seen, []Message) { return Seen{}, nil }

func (user) Receive(s Seen, m Message) (Seen, []Message) {
	s.Texts = append(s.Texts, m.Body)
	return s, nil
}

// Label is the writes that each text told of.
func (user) Label(s Seen) string {
	var b strings.Builder
	for _, o := range s.Texts {
		fmt.Fprintf(&b, "%v", o.Knows)
	}
	return b.String()
}

// notTakenBack is what the user counts on.
func notTakenBack() model.Property {
	p := model.Always("nothing seen is taken back", func(v model.View) error {
		m := model.StateOf[Machine](v, machine)
		for _, o := range model.StateOf[Seen](v, screen).Texts {
			for _, w := range o.Knows {
				if !slices.Contains(m.Disk, w) && !slices.Contains(m.Journal, w) {
					return fmt.Errorf("the user saw a text of a process that knew of write %d, and a crash took that write back", w)
				}
			}
		}
		return nil
	})
	p.Doc = "what a text on the screen tells of outlives every crash"
	return p
}
