// Package master is the election of a master, as Arakoon has one: leases, so
// that there is never a second one (Cary Gray and David Cheriton, "Leases", SOSP
// 1989), and campaigns, so that there is one at all.
package master

import (
	"fmt"
	"maps"

	"github.com/caulk-go/caulk/model"
)

const docLease = `A master holds a lease: a majority has promised to elect nobody else for a
while. It need not ask anybody before it answers a client; so there must never
be a second one.

Each node measures the lease by its own clock: a voter from when it gave its
vote, the master from when it asked. Clocks go as they like, but no two ever
differ by more than the drift. The master's lease is shorter than the voters'
promise by twice the drift: by then its clock may have lost that much against
any other's. In master-drift it is not shorter.

Runs on which clocks differ by more are explored, too, but nothing is asked of
them: an observer remembers that they did.

Labels: M for a master, c for a candidate, v for one who gave its vote; then the
time by its clock.`

// Message is sent between nodes.
type Message = model.Message[Body]

// Body is what a message says: Ask for a vote, or Grant it; with the number of
// the candidate's campaign.
type Body struct {
	Type     string
	Campaign int
}

// Kind is its type.
func (b Body) Kind() string { return b.Type }

// Detail is the campaign.
func (b Body) Detail() string { return fmt.Sprintf("n=%d", b.Campaign) }

// Node is the state of a node. Times are by its own clock.
type Node struct {
	Self   model.ID
	Others []model.ID
	Clock  int

	Voted    bool
	Promised int // as a voter: until when it elects nobody else

	Campaign int  // how often it was a candidate
	Asks     bool // it is one
	Asked    int  // when it asked
	Votes    int
	Master   int // until when it is the master; 0 if it is not
}

// lease is a node that takes part in elections with leases.
type lease struct {
	length    int // of a voter's promise
	shorter   int // by how much the master's lease is
	time      int // at which clocks stop
	campaigns int
}

func (lease) Fresh(self model.ID, population []model.ID, _ int) (Node, []Message) {
	n := Node{Self: self}
	for _, id := range population {
		if id != self {
			n.Others = append(n.Others, id)
		}
	}
	return n, nil
}

func (l lease) Actions() []model.Action[Node, Body] {
	return []model.Action[Node, Body]{
		{Name: "tick", Kind: model.Step, Do: l.tick},
		{Name: "ask", Kind: model.Timer, Do: l.ask},
	}
}

func (l lease) tick(n Node) (Node, []Message, bool) {
	if n.Clock == l.time {
		return n, nil, false
	}
	n.Clock++
	if n.Clock >= n.Promised {
		n.Voted, n.Promised = false, 0
	}
	if n.Clock >= n.Master {
		n.Master = 0
	}
	return n, nil, true
}

// ask makes a node that may vote a candidate: it votes for itself.
func (l lease) ask(n Node) (Node, []Message, bool) {
	if n.Voted || n.Campaign == l.campaigns {
		return n, nil, false
	}
	n.Voted, n.Promised = true, n.Clock+l.length
	n.Campaign, n.Asks, n.Asked, n.Votes = n.Campaign+1, true, n.Clock, 1
	var sent []Message
	for _, id := range n.Others {
		sent = append(sent, Message{To: id, Body: Body{"Ask", n.Campaign}})
	}
	return n, sent, true
}

func (l lease) Receive(n Node, m Message) (Node, []Message) {
	switch {
	case m.Body.Type == "Ask" && !n.Voted:
		n.Voted, n.Promised = true, n.Clock+l.length
		return n, []Message{{To: m.From, Body: Body{"Grant", m.Body.Campaign}}}
	case m.Body.Type == "Grant" && n.Asks && m.Body.Campaign == n.Campaign:
		n.Votes++
		if until := n.Asked + l.length - l.shorter; n.Votes > (len(n.Others)+1)/2 {
			n.Asks, n.Asked, n.Votes = false, 0, 0
			if until > n.Clock {
				n.Master = until
			}
		}
	}
	return n, nil
}

// Label is what the node is, and its time.
func (lease) Label(n Node) string {
	switch {
	case n.Master > 0:
		return fmt.Sprintf("M%d", n.Clock)
	case n.Asks:
		return fmt.Sprintf("c%d", n.Clock)
	case n.Voted:
		return fmt.Sprintf("v%d", n.Clock)
	}
	return fmt.Sprint(n.Clock)
}

// Clocks is what an observer knows of the time.
type Clocks struct {
	At      map[model.ID]int
	Drifted bool // two differed by more than the drift
}

func watch(drift int) model.Observer {
	return model.Observe(Clocks{}, func(c Clocks, e model.Event) Clocks {
		c.At = maps.Clone(c.At)
		c.At[e.Agent] = e.After.(Node).Clock
		for _, at := range c.At { //tidy:unordered any two will do
			c.Drifted = c.Drifted || at-c.At[e.Agent] > drift || c.At[e.Agent]-at > drift
		}
		if c.Drifted {
			c.At = nil // nothing more is asked of this run
		}
		return c
	})
}

// oneMaster is that no two believe to be the master at the same time.
func oneMaster() model.Property {
	p := model.Always("one master", func(v model.View) error {
		var first model.ID
		for id, n := range model.StatesOf[Node](v) {
			if n.Master > 0 && first != 0 {
				return fmt.Errorf("agents %d and %d are both masters, one at %d by its clock, the other at %d",
					first, id, model.StateOf[Node](v, first).Clock, n.Clock)
			}
			if n.Master > 0 {
				first = id
			}
		}
		return nil
	}).When(func(v model.View) bool { return !model.ObserverOf[Clocks](v).Drifted })
	p.Doc = "while clocks keep to the drift, no two nodes are masters"
	return p
}

// twoCampaigns says whether somebody is the master after a campaign of another.
func twoCampaigns(v model.View) bool {
	campaigns := 0
	master := false
	for _, n := range model.StatesOf[Node](v) {
		campaigns += n.Campaign
		master = master || n.Master > 0
	}
	return master && campaigns > 1 && !model.ObserverOf[Clocks](v).Drifted
}
