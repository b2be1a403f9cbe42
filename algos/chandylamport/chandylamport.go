// Package chandylamport is the distributed snapshot: K. Mani Chandy and Leslie
// Lamport, "Distributed Snapshots: Determining Global States of Distributed
// Systems", ACM TOCS 3 (1985). The system that is recorded is a bank.
package chandylamport

import (
	"fmt"
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

const source = `Chandy and Lamport, "Distributed Snapshots" (1985)`

// Algorithms lists the snapshot, and its broken twin after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		{
			Name:    "chandylamport",
			Summary: "a snapshot of a bank whose branches send each other money",
			Doc:     doc,
			Source:  source,
			Twins:   []string{"chandylamport-bag"},
			Agents:  2, MinAgents: 2,
			Params: params(),
			Make:   func(c model.Config) model.System { return system(c, model.Fifo) },
		},
		{
			Name:    "chandylamport-bag",
			Summary: "a snapshot on a network that does not keep order",
			Doc:     bagDoc,
			Source:  source,
			Twins:   []string{"chandylamport"},
			Hole:    "a marker overtakes a payment: the snapshot loses money",
			Agents:  2, MinAgents: 2,
			Params: params(),
			Make:   func(c model.Config) model.System { return system(c, model.Bag) },
		},
	}
}

const doc = `A snapshot of a bank, taken while its branches send each other money. Branch 1
records its balance and sends markers. Who receives a marker for the first time
records its balance, and sends markers too. What arrives from another branch
between that and the other's marker was on its way, and belongs to the snapshot.

Balances and payments of the snapshot make up all the money, though it may show
a state in which the bank never was. That needs the network fifo: see
chandylamport-bag. Without loss every snapshot ends; a lost marker is waited for
for ever, and a lost payment is found to be missing: --lossy.

Labels: the balance, and the recorded one behind it; ! once the snapshot of the
branch is complete.`

const bagDoc = `A snapshot on a bag. A branch pays another and then sends its marker, which
arrives first: the payment is in neither balance, and was not on its way.

With --network fifo it is chandylamport, and holds.`

func params() []model.Param {
	return []model.Param{{Name: "payments", Doc: "how often each branch pays another", Default: 2, Min: 0, Max: 9}}
}

// Message is a message from one branch to another.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ body() }

// The messages.
type (
	// Payment is money.
	Payment struct{ Amount int }

	// Marker says that the sender has recorded its balance.
	Marker struct{}
)

func (Payment) body() {}
func (Marker) body()  {}

// Branch is the state of a branch.
type Branch struct {
	Self     model.ID
	Balance  int
	Payments int // that it may still make

	Recorded bool
	Saved    int              // the balance that was recorded
	Open     map[model.ID]int // by sender whose marker is awaited: what arrived since
	Transit  int              // what was on its way, from senders whose markers have come
}

// opening is every branch's balance at first.
const opening = 10

type branch struct{ branches, payments int }

func (r branch) Fresh(self model.ID, _ []model.ID, _ int) (Branch, []Message) {
	return Branch{Self: self, Balance: opening, Payments: r.payments}, nil
}

// Actions: a branch pays another, and the first begins the snapshot.
func (r branch) Actions() []model.Action[Branch, Body] {
	actions := []model.Action[Branch, Body]{{Name: "snapshot", Kind: model.Input, Fair: true, Do: func(b Branch) (Branch, []Message, bool) {
		enabled := b.Self == 1 && !b.Recorded
		b, sent := r.record(b)
		return b, sent, enabled
	}}}
	for id := model.ID(1); int(id) <= r.branches; id++ {
		actions = append(actions, model.Action[Branch, Body]{Name: fmt.Sprintf("pay %d", id), Kind: model.Input, Do: func(b Branch) (Branch, []Message, bool) {
			enabled := b.Self != id && b.Payments > 0
			b.Balance--
			b.Payments--
			return b, []Message{{To: id, Body: Payment{1}}}, enabled
		}})
	}
	return actions
}

func (r branch) Receive(b Branch, m Message) (Branch, []Message) {
	var sent []Message
	switch body := m.Body.(type) {
	case Payment:
		b.Balance += body.Amount
		if since, awaited := b.Open[m.From]; awaited {
			b.Open = maps.Clone(b.Open)
			b.Open[m.From] = since + body.Amount
		}
	case Marker:
		if !b.Recorded {
			b, sent = r.record(b)
		}
		b.Open = maps.Clone(b.Open)
		b.Transit += b.Open[m.From]
		delete(b.Open, m.From)
	}
	return b, sent
}

// record records the balance, and sends markers before anything else.
func (r branch) record(b Branch) (Branch, []Message) {
	b.Recorded, b.Saved, b.Open = true, b.Balance, map[model.ID]int{}
	var sent []Message
	for id := model.ID(1); int(id) <= r.branches; id++ {
		if id != b.Self {
			b.Open[id] = 0
			sent = append(sent, Message{To: id, Body: Marker{}})
		}
	}
	return b, sent
}

func (b Branch) complete() bool { return b.Recorded && len(b.Open) == 0 }

// Label is the balance, and what was recorded.
func (branch) Label(b Branch) string {
	switch {
	case b.complete():
		return fmt.Sprintf("%d/%d+%d! ", b.Balance, b.Saved, b.Transit)
	case b.Recorded:
		return fmt.Sprintf("%d/%d ", b.Balance, b.Saved)
	}
	return fmt.Sprintf("%d ", b.Balance)
}

func system(c model.Config, n model.Network) model.System {
	r := branch{c.Agents, c.Params["payments"]}
	money := model.Always("no money is lost", func(v model.View) error {
		if total := recorded(v); complete(v) && total != r.branches*opening {
			return fmt.Errorf("the snapshot has %d of %d", total, r.branches*opening)
		}
		return nil
	}).When(complete)
	money.Doc = "recorded balances and payments on their way make up all the money"
	properties := []model.Property{money, model.Eventually("the snapshot is complete", complete)}
	if r.payments > 0 {
		properties = append(properties, model.Sometimes("a payment was on its way", func(v model.View) bool {
			for _, b := range model.StatesOf[Branch](v) {
				if b.Transit > 0 {
					return complete(v)
				}
			}
			return false
		}))
	}
	return model.System{
		Agents:     slices.Repeat([]model.Node{model.Of(r)}, c.Agents),
		Network:    n,
		Properties: properties,
		Bodies:     []any{Payment{}, Marker{}},
	}
}

func complete(v model.View) bool {
	for _, b := range model.StatesOf[Branch](v) {
		if !b.complete() {
			return false
		}
	}
	return true
}

// recorded is the money in the snapshot.
func recorded(v model.View) (total int) {
	for _, b := range model.StatesOf[Branch](v) {
		total += b.Saved + b.Transit
	}
	return total
}
