// Package userfunction is Arakoon's user functions: the nodes agree on an order
// of calls, not of their effects, and each node executes every call. A node that
// replays its log executes them again.
//
// So a function must give the same on every node and at every time. One that
// looks at a clock does not.
package userfunction

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

const doc = `Arakoon's nodes agree on an order of calls of user functions, and each node
executes every call by itself: what is in the log is the call, not its effect. A
node that restarts executes its log again.

The function here stamps: it writes the time into the store. Agent 1 is the
master, which takes the calls, reads its clock, and puts the time into the call
as an argument. So all nodes write the same.

In userfunction-clock the function reads the clock of the node that executes
it. Two nodes that executed the same calls then hold different values; and so
does a node after it has executed its log again. (In a real program caulk
refuses such a handler as not pure. Here each clock is a part of its node's
state, so that it can be shown what comes of it.)

Labels: what each call wrote on the node, then the time by its clock: 00@1.`

const master model.ID = 1

// Message is a call on its way to another node.
type Message = model.Message[Entry]

// Entry is an entry of the log: the call at an index, with its argument.
type Entry struct {
	Index int
	Time  int
}

// Kind is "Log".
func (Entry) Kind() string { return "Log" }

// Detail is the index and the argument.
func (e Entry) Detail() string { return fmt.Sprintf("%d t=%d", e.Index, e.Time) }

// Node is the state of a node. Its log is on disk; its store is in memory, and
// is what executing the log gives.
type Node struct {
	Self    model.ID
	Others  []model.ID
	Clock   int
	Log     []Entry // in order of index, without a gap
	Early   []Entry // those that came before one that belongs before them
	Written []int   // by the calls of the log, each in its turn
}

// node executes what it has in its log. OwnClock says that the function reads
// the clock of whoever executes it.
type node struct {
	ownClock    bool
	calls, time int
}

func (node) Fresh(self model.ID, population []model.ID, _ int) (Node, []Message) {
	n := Node{Self: self}
	for _, id := range population {
		if id != self {
			n.Others = append(n.Others, id)
		}
	}
	return n, nil
}

func (v node) Actions() []model.Action[Node, Entry] {
	tick := func(n Node) (Node, []Message, bool) {
		n.Clock++
		return n, nil, n.Clock <= v.time
	}
	call := func(n Node) (Node, []Message, bool) {
		if n.Self != master || len(n.Log) == v.calls {
			return n, nil, false
		}
		e := Entry{len(n.Log), n.Clock}
		var sent []Message
		for _, id := range n.Others {
			sent = append(sent, Message{To: id, Body: e})
		}
		return v.execute(n, e), sent, true
	}
	return []model.Action[Node, Entry]{
		{Name: "tick", Kind: model.Step, Do: tick},
		{Name: "call", Kind: model.Input, Do: call},
	}
}

func (v node) Receive(n Node, m Message) (Node, []Message) {
	n.Early = append(n.Early, m.Body)
	for {
		next := slices.IndexFunc(n.Early, func(e Entry) bool { return e.Index == len(n.Log) })
		if next < 0 {
			return n, nil
		}
		n = v.execute(n, n.Early[next])
		n.Early = slices.Delete(slices.Clone(n.Early), next, next+1)
	}
}

// execute puts a call into the log, and executes it.
func (v node) execute(n Node, e Entry) Node {
	n.Log = append(n.Log, e)
	n.Written = append(n.Written, v.stamp(n, e))
	return n
}

// stamp is the user function.
func (v node) stamp(n Node, e Entry) int {
	if v.ownClock {
		return n.Clock // the hole: it is another clock, or another time
	}
	return e.Time
}

func (node) Persist(n Node) Node {
	n.Written, n.Early = nil, nil
	return n // the clock goes on while the process is dead
}

func (v node) Restart(_ model.ID, _ []model.ID, _ int, kept Node) (Node, []Message) {
	log := kept.Log
	kept.Log = nil
	for _, e := range log {
		kept = v.execute(kept, e)
	}
	return kept, nil
}

// Label is what was written, and the time.
func (node) Label(n Node) string {
	label := ""
	for _, t := range n.Written {
		label += fmt.Sprint(t)
	}
	return fmt.Sprintf("%s@%d ", label, n.Clock)
}

// equal is that nodes which executed the same calls hold the same.
func equal() model.Property {
	p := model.Always("replicas are equal", func(v model.View) error {
		for a, n := range model.StatesOf[Node](v) {
			for b, o := range model.StatesOf[Node](v) {
				for i := range min(len(n.Written), len(o.Written)) {
					if a < b && n.Written[i] != o.Written[i] {
						return fmt.Errorf("call %d wrote %d on agent %d and %d on agent %d", i+1, n.Written[i], a, o.Written[i], b)
					}
				}
			}
		}
		return nil
	})
	p.Doc = "what a call wrote on one node it wrote on every other"
	return p
}

func allExecuted(calls int) model.Property {
	return model.Sometimes("all is executed everywhere, at different times", func(v model.View) bool {
		clocks := map[int]bool{}
		for _, n := range model.StatesOf[Node](v) {
			if len(n.Written) < calls {
				return false
			}
			clocks[n.Clock] = true
		}
		return len(clocks) > 1
	})
}

func entry(ownClock bool) model.Algorithm {
	return model.Algorithm{
		Name:      "userfunction",
		Summary:   "user functions on a replicated log: what they read is in the log",
		Doc:       doc,
		Source:    "Arakoon, user functions",
		Twins:     []string{"userfunction-clock"},
		Agents:    2,
		MinAgents: 2,
		Params: []model.Param{
			{Name: "calls", Doc: "calls of the function", Default: 2, Min: 1, Max: 3},
			{Name: "time", Doc: "how far clocks go", Default: 2, Min: 1, Max: 4},
		},
		Make: func(c model.Config) model.System {
			n := node{ownClock, c.Params["calls"], c.Params["time"]}
			s := model.System{Properties: []model.Property{equal(), allExecuted(n.calls)}}
			for range c.Agents {
				s.Agents = append(s.Agents, model.Of(n))
			}
			return s
		},
	}
}

// Algorithms are the entries in the list of algorithms: the one that holds, and
// its twin.
func Algorithms() []model.Algorithm {
	twin := entry(true)
	twin.Name, twin.Twins = "userfunction-clock", []string{"userfunction"}
	twin.Summary = "userfunction whose function reads the clock of the node that executes it"
	twin.Hole = "a function that looks at a clock writes something else on each node, and again when the log is executed again"
	return []model.Algorithm{entry(false), twin}
}
