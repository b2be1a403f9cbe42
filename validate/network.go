package validate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// network is what durable steps sent, and how often it was delivered.
type network struct {
	sys     *model.System
	judge   *judge
	flights map[tracelog.Ref]*flight
	queues  map[[2]model.ID][]*flight // on fifo: by sender and receiver, what was neither delivered nor skipped
	doubled int                       // deliveries of what had been delivered before, on a bag
	clock   int                       // durable steps so far, the one that is being taken included
}

// flight is a message that was sent.
type flight struct {
	ref       tracelog.Ref
	from, to  model.ID
	body      []byte
	delivered int
	lost      bool // on fifo: a later one was delivered

	sent, gone int // by the network's clock; gone is 0 while it can be delivered
}

func newNetwork(sys *model.System, j *judge) *network {
	return &network{sys: sys, judge: j, flights: map[tracelog.Ref]*flight{}, queues: map[[2]model.ID][]*flight{}}
}

// send puts what a durable step sent on the network; answers to clients leave
// it at once.
func (n *network) send(r *record) {
	for i, s := range r.Sent {
		if n.sys.Has(s.To) != nil {
			continue
		}
		f := &flight{ref: tracelog.Ref{Point: r.Point, Index: i}, from: r.Agent, to: s.To, body: s.Body, sent: n.clock}
		n.flights[f.ref] = f
		if n.sys.Network == model.Fifo {
			ends := [2]model.ID{f.from, f.to}
			n.queues[ends] = append(n.queues[ends], f)
		}
	}
}

// life is the life of a step, if the traces tell of it.
func (n *network) life(p tracelog.Point) (c *cursor, at int, l *life) {
	c = n.judge.cursors[p.Agent]
	if c == nil {
		return nil, 0, nil
	}
	at = slices.IndexFunc(c.lives, func(l *life) bool { return l.incarnation == p.Incarnation })
	if at < 0 {
		return c, 0, nil
	}
	return c, at, c.lives[at]
}

// ready says whether what a step receives was sent already, in the walk; what
// no trace tells of was.
func (n *network) ready(r *record) bool {
	if r.bad != "" || r.Message == nil || r.Message.Ref == nil {
		return true
	}
	ref := r.Message.Ref
	c, at, l := n.life(ref.Point)
	if l == nil || l.step(ref.Seq) == nil {
		return true
	}
	return c.life > at || c.life == at && l.head.Seq+c.taken >= ref.Seq
}

// receive takes a message off the network for a step that receives it, unless
// that was undone. Assumed says that no trace tells whether it was sent; reason,
// why it cannot be.
func (n *network) receive(r *record, done bool) (assumed bool, reason string) {
	m := r.Message
	client := n.sys.Has(m.From) != nil
	switch {
	case client && m.Ref == nil:
		return false, ""
	case client:
		return false, fmt.Sprintf("agent %d is a client, of whose sending there is no record", m.From)
	case m.Ref == nil:
		return false, fmt.Sprintf("it does not say which message of agent %d it receives", m.From)
	case m.Ref.Agent != m.From:
		return false, fmt.Sprintf("it says that agent %d sent the message of agent %d", m.Ref.Agent, m.From)
	}
	_, _, l := n.life(m.Ref.Point)
	if l == nil || m.Ref.Seq <= l.head.Seq {
		return true, ""
	}
	sent := l.step(m.Ref.Seq)
	if sent == nil {
		if !l.open() && !l.cut {
			return false, fmt.Sprintf("agent %d made no step %d in its incarnation %d", m.From, m.Ref.Seq, m.Ref.Incarnation)
		}
		return true, ""
	}
	if i := m.Ref.Index; i < 0 || i >= len(sent.Sent) || sent.Sent[i].To != r.Agent || !bytes.Equal(sent.Sent[i].Body, m.Body) {
		return false, fmt.Sprintf("agent %d did not send it that message in its step %d", m.From, m.Ref.Seq)
	}
	if m.Ref.Seq > l.done {
		if !l.open() {
			return false, fmt.Sprintf("the step of agent %d that sent it, %d, was rolled back", m.From, m.Ref.Seq)
		}
		return true, ""
	}
	if !done {
		return false, ""
	}
	return false, n.deliver(n.flights[*m.Ref])
}

// deliver counts a delivery, or says why there cannot be one more.
func (n *network) deliver(f *flight) (reason string) {
	f.delivered++
	if n.sys.Network != model.Set {
		f.gone = n.clock
	}
	switch n.sys.Network {
	case model.Bag:
		if f.delivered == 1 {
			return ""
		}
		n.doubled++
		if n.doubled > n.sys.Budgets[model.Duplicates] {
			return "the message was delivered before, and the network doubles none" + more(n.sys.Budgets[model.Duplicates])
		}
	case model.Fifo:
		if f.delivered > 1 {
			return "the message was delivered before"
		}
		if f.lost {
			return "a message that was sent after it, to the same agent, was delivered before it"
		}
		ends := [2]model.ID{f.from, f.to}
		at := slices.Index(n.queues[ends], f)
		if at > 0 && !n.sys.Lossy {
			return fmt.Sprintf("%d messages that were sent before it, to the same agent, were not delivered, and the network loses none", at)
		}
		for _, skipped := range n.queues[ends][:at] {
			skipped.lost, skipped.gone = true, n.clock
		}
		n.queues[ends] = n.queues[ends][at+1:]
	}
	return ""
}

func more(doubles int) string {
	if doubles == 0 {
		return ""
	}
	return fmt.Sprintf(" more than %d times", doubles)
}

// inFlight is what could be delivered at a time of the clock, by sender,
// receiver, and sending.
func (n *network) inFlight(at int) []*flight {
	var list []*flight
	for _, f := range n.flights { //tidy:unordered sorted below
		if f.sent <= at && (f.gone == 0 || f.gone > at) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *flight) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to),
			cmp.Compare(a.ref.Incarnation, b.ref.Incarnation), cmp.Compare(a.ref.Seq, b.ref.Seq), cmp.Compare(a.ref.Index, b.ref.Index))
	})
	return list
}
