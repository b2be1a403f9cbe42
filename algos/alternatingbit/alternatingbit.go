// Package alternatingbit is the alternating-bit protocol: K. A. Bartlett, R. A.
// Scantlebury and P. T. Wilkinson, "A Note on Reliable Full-Duplex Transmission
// over Half-Duplex Links", Communications of the ACM 12 (1969).
package alternatingbit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

const source = `Bartlett, Scantlebury and Wilkinson, "A Note on Reliable Full-Duplex Transmission over Half-Duplex Links" (1969)`

// Algorithms lists the protocol, and its broken twins after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		entry("alternatingbit", "what is sent again is told from what is new by one bit", doc, "",
			protocol{}, model.Fifo, "alternatingbit-bag", "alternatingbit-nobit"),
		entry("alternatingbit-bag", "the alternating-bit protocol on a network that does not keep order", bagDoc,
			"a copy that was overtaken is taken for the next datum: one is delivered twice",
			protocol{}, model.Bag, "alternatingbit"),
		entry("alternatingbit-nobit", "data that are sent again until they are confirmed, and no bit", noBitDoc,
			"what is sent again is taken for new: a datum is delivered twice",
			protocol{noBit: true}, model.Fifo, "alternatingbit"),
	}
}

const doc = `The alternating-bit protocol over a lossy line: agent 1 sends the data 1, 2 and
so on to agent 2, each again and again until it is confirmed, with a bit that
changes with every datum. The receiver confirms all, and delivers what has the
bit that it expects.

The line may lose messages but not reorder them: the network is fifo, and lossy.
With one loss everything is delivered in the end, since every datum is sent
twice; with two that takes --param resends=2. With --param resends=0 a datum is
sent again without end and any number may be lost, with at most two messages on
the line: then there is a fair run, as there must be, that loses every copy for
ever.

Labels: the datum that is sent and its bit; what was delivered.`

const bagDoc = `The alternating-bit protocol on a bag: a copy of the first datum arrives when
the third is expected, which has the same bit. With a set, on which every
message can arrive again and again, it takes one move less: --network set.

With --network fifo it is alternatingbit, and holds; with --param data=1 it
holds on a bag, too.`

const noBitDoc = `Data are sent again until they are confirmed, without the bit: a datum that is
sent again because its confirmation takes long is delivered twice.`

func entry(name, summary, doc, hole string, p protocol, n model.Network, twins ...string) model.Algorithm {
	return model.Algorithm{
		Name: name, Summary: summary, Doc: doc, Source: source, Hole: hole, Twins: twins,
		Params: []model.Param{
			{Name: "data", Doc: "how many data are sent", Default: 3, Min: 1, Max: 9},
			{Name: "resends", Doc: "how often a datum may be sent again; 0: without end", Default: 1, Min: 0, Max: 9},
		},
		Make: func(c model.Config) model.System {
			p.data, p.resends = c.Params["data"], c.Params["resends"]
			return p.system(n)
		},
	}
}

// Message is a message on the line.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ model.Detailer }

// The messages.
type (
	// Datum is sent, with the bit.
	Datum struct{ Value, Bit int }

	// Ack confirms what was sent with the bit.
	Ack struct{ Bit int }
)

// Detail is the datum and its bit: 1 b=0.
func (d Datum) Detail() string { return fmt.Sprintf("%d b=%d", d.Value, d.Bit) }

// Detail is the bit: b=0.
func (a Ack) Detail() string { return fmt.Sprintf("b=%d", a.Bit) }

// protocol is what both ends know.
type protocol struct {
	data, resends int
	noBit         bool // the hole
}

// bit goes with the n-th datum, counted from 1.
func (p protocol) bit(n int) int {
	if p.noBit {
		return 0
	}
	return n % 2
}

// Sender is the state of the sending end.
type Sender struct {
	Sending int // which datum, from 1; one more than there are: all are confirmed
	Resends int // that are left for it
}

type sender struct{ protocol }

func (r sender) Fresh(model.ID, []model.ID, int) (Sender, []Message) { return r.send(1) }

func (r sender) send(n int) (Sender, []Message) {
	if n > r.data {
		return Sender{Sending: n}, nil
	}
	return Sender{n, r.resends}, []Message{{To: 2, Body: Datum{n, r.bit(n)}}}
}

// Actions: when no confirmation comes, the datum is sent again.
func (r sender) Actions() []model.Action[Sender, Body] {
	return []model.Action[Sender, Body]{{Name: "resend", Kind: model.Timer, Fair: true, Do: func(s Sender) (Sender, []Message, bool) {
		again, sent := r.send(s.Sending)
		again.Resends = max(0, s.Resends-1)
		return again, sent, s.Sending <= r.data && (s.Resends > 0 || r.resends == 0)
	}}}
}

// Receive goes on to the next datum when the one that is sent is confirmed.
func (r sender) Receive(s Sender, m Message) (Sender, []Message) {
	if ack, ok := m.Body.(Ack); ok && s.Sending <= r.data && ack.Bit == r.bit(s.Sending) {
		return r.send(s.Sending + 1)
	}
	return s, nil
}

// Label is the datum that is sent, and its bit.
func (r sender) Label(s Sender) string {
	if s.Sending > r.data {
		return "done "
	}
	return fmt.Sprintf("%d.%d ", s.Sending, r.bit(s.Sending))
}

// Receiver is the state of the receiving end: what was delivered.
type Receiver struct{ Delivered []int }

type receiver struct{ protocol }

func (receiver) Fresh(model.ID, []model.ID, int) (Receiver, []Message) { return Receiver{}, nil }

// Receive confirms what arrives, and delivers it if its bit is the one that is
// due.
func (r receiver) Receive(s Receiver, m Message) (Receiver, []Message) {
	d, ok := m.Body.(Datum)
	if !ok {
		return s, nil
	}
	if due := len(s.Delivered) + 1; d.Bit == r.bit(due) && due <= r.data+1 {
		s.Delivered = append(s.Delivered, d.Value)
	}
	return s, []Message{{To: 1, Body: Ack{d.Bit}}}
}

// Label is what was delivered.
func (receiver) Label(s Receiver) string {
	return "[" + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Delivered), " ", ""), "[]") + "]"
}

func (p protocol) system(n model.Network) model.System {
	s := model.System{
		Agents:     []model.Node{model.Of(sender{p}), model.Of(receiver{p})},
		Network:    n,
		Properties: []model.Property{p.inOrder(), model.Eventually("everything is confirmed", p.confirmed)},
		Bodies:     []any{Datum{}, Ack{}},
	}
	s.Lossy = n == model.Fifo
	switch {
	case p.resends > 0 && s.Lossy:
		s.Budgets = map[model.Budget]int{model.Drops: 1}
	case p.resends == 0:
		s.Boundary = func(v model.View) bool { return len(v.InFlight()) <= 2 }
	}
	return s
}

func (p protocol) inOrder() model.Property {
	q := model.Always("delivered once, in order", func(v model.View) error {
		got := model.StateOf[Receiver](v, 2).Delivered
		for i, n := range got {
			if n != i+1 {
				return fmt.Errorf("the %d. datum that is delivered is %d", i+1, n)
			}
		}
		return nil
	})
	q.Doc = "what is delivered is 1, 2, 3 and so on"
	return q
}

// confirmed says whether all data were delivered and confirmed.
func (p protocol) confirmed(v model.View) bool {
	return model.StateOf[Sender](v, 1).Sending > p.data && slices.Contains(model.StateOf[Receiver](v, 2).Delivered, p.data)
}
