// Package queue is Arakoon's queue, which a user function keeps on top of a
// replicated store: Arakoon 1.x, "user functions" and the queue that its
// documentation builds with them.
//
// The store is one agent here: what the cluster agrees on is one order of
// calls, and that is not what goes wrong (family paxos has it). The hole lies
// between the store and the client.
package queue

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// Agents: the store, who pushes values, and who wants them done.
const (
	store model.ID = iota + 1
	producer
	consumer
)

// Message is a call of a user function, or its answer.
type Message = model.Message[Body]

// Body is what a message says. Values are a, b and so on.
type Body interface{ body() }

// The calls, and their answers. An Item of "" says that the queue is empty.
type (
	Push struct{ Item string } // put a value at the end
	Pop  struct{}              // take the first value, and delete it
	Peek struct{}              // read the first value
	Ack  struct{ ID int }      // delete the first value, if it has that ID

	Pushed struct{}              // the answer to Push
	Popped struct{ Item string } // to Pop
	// Peeked is the answer to Peek.
	Peeked struct {
		ID   int
		Item string
	}
	// Acked is the answer to Ack, whatever was deleted.
	Acked struct{ ID int }
)

func (Push) body()   {}
func (Pop) body()    {}
func (Peek) body()   {}
func (Ack) body()    {}
func (Pushed) body() {}
func (Popped) body() {}
func (Peeked) body() {}
func (Acked) body()  {}

// Detail is the value.
func (b Push) Detail() string { return b.Item }

// Detail is the value.
func (b Popped) Detail() string { return itemText(b.Item) }

// Detail is the value.
func (b Peeked) Detail() string { return itemText(b.Item) }

// Detail is the ID.
func (b Ack) Detail() string { return fmt.Sprintf("id=%d", b.ID) }

// Detail is the ID.
func (b Acked) Detail() string { return fmt.Sprintf("id=%d", b.ID) }

func itemText(item string) string {
	if item == "" {
		return "nothing"
	}
	return item
}

// Queue is what the store keeps: the values from Begin up to End.
type Queue struct {
	Begin, End int
	Items      map[int]string
}

// server executes user functions, each as a transaction. Resets says that the
// counters begin anew when the queue is empty, as Arakoon's do.
type server struct{ resets bool }

func (server) Fresh(model.ID, []model.ID, int) (Queue, []Message) { return Queue{}, nil }

func (v server) Receive(q Queue, m Message) (Queue, []Message) {
	answer := func(b Body) []Message { return []Message{{To: m.From, Body: b}} }
	switch b := m.Body.(type) {
	case Push:
		q.Items = maps.Clone(q.Items)
		q.Items[q.End] = b.Item
		q.End++
		return q, answer(Pushed{})
	case Pop:
		first := q.Items[q.Begin]
		return v.remove(q), answer(Popped{first})
	case Peek:
		return q, answer(Peeked{q.Begin, q.Items[q.Begin]})
	case Ack:
		if b.ID == q.Begin {
			q = v.remove(q)
		}
		return q, answer(Acked(b))
	}
	return q, nil
}

// remove deletes the first value, if there is one.
func (v server) remove(q Queue) Queue {
	if q.Begin < q.End {
		q.Items = maps.Clone(q.Items)
		delete(q.Items, q.Begin)
		q.Begin++
	}
	if v.resets && q.Begin == q.End {
		q.Begin, q.End = 0, 0
	}
	return q
}

// Label is what the queue holds: [ab].
func (server) Label(q Queue) string {
	var b strings.Builder
	for id := q.Begin; id < q.End; id++ {
		b.WriteString(q.Items[id])
	}
	return "[" + b.String() + "]"
}

// Work is what a producer has still to push.
type Work struct {
	Left  []string
	Waits bool // for the answer to its last push
}

// pusher pushes one value after the other.
type pusher struct{ items []string }

func (p pusher) Fresh(model.ID, []model.ID, int) (Work, []Message) { return Work{Left: p.items}, nil }

func (pusher) Actions() []model.Action[Work, Body] {
	push := func(w Work) (Work, []Message, bool) {
		if w.Waits || len(w.Left) == 0 {
			return w, nil, false
		}
		return Work{w.Left[1:], true}, []Message{{To: store, Body: Push{w.Left[0]}}}, true
	}
	return []model.Action[Work, Body]{{Name: "push", Kind: model.Input, Fair: true, Do: push}}
}

func (pusher) Receive(w Work, _ Message) (Work, []Message) {
	w.Waits = false
	return w, nil
}

// Label is what is left.
func (pusher) Label(w Work) string { return strings.Join(w.Left, "") + ";" }

// Client is what a consumer knows. What it has done lasts, whatever becomes of
// its process: its work is in the world.
type Client struct {
	Done  []string // values, in order
	Seen  []int    // their IDs
	Waits Waiting  // lost when the process dies
	Acks  int      // the ID that it acknowledges
}

// Waiting is what a consumer waits for.
type Waiting string

const (
	idle      Waiting = ""
	forValue  Waiting = "?"
	forAnswer Waiting = "!" // that the value is deleted
)

// popper has the store delete what it answers.
type popper struct{}

func (popper) Fresh(model.ID, []model.ID, int) (Client, []Message) { return Client{}, nil }
func (popper) Persist(c Client) Client                             { return Client{Done: c.Done, Seen: c.Seen} }
func (popper) Restart(_ model.ID, _ []model.ID, _ int, c Client) (Client, []Message) {
	return c, nil
}
func (popper) Label(c Client) string { return strings.Join(c.Done, "") + string(c.Waits) }

func (popper) Actions() []model.Action[Client, Body] {
	return []model.Action[Client, Body]{ask(Pop{})}
}

// ask is the action of a consumer that waits for nothing.
func ask(call Body) model.Action[Client, Body] {
	return model.Action[Client, Body]{Name: "ask", Kind: model.Step, Fair: true, Do: func(c Client) (Client, []Message, bool) {
		if c.Waits != idle {
			return c, nil, false
		}
		c.Waits = forValue
		return c, []Message{{To: store, Body: call}}, true
	}}
}

func (popper) Receive(c Client, m Message) (Client, []Message) {
	popped, ok := m.Body.(Popped)
	if !ok || c.Waits != forValue {
		return c, nil // who asked has died
	}
	c.Waits = idle
	if popped.Item != "" {
		c.Done = append(c.Done, popped.Item)
	}
	return c, nil
}

// peeker reads a value, does what is to be done, and only then has it deleted.
type peeker struct{ popper }

func (peeker) Actions() []model.Action[Client, Body] {
	again := func(c Client) (Client, []Message, bool) {
		return c, []Message{{To: store, Body: Ack{c.Acks}}}, c.Waits == forAnswer
	}
	return []model.Action[Client, Body]{ask(Peek{}), {Name: "ack again", Kind: model.Timer, Do: again}}
}

func (peeker) Receive(c Client, m Message) (Client, []Message) {
	switch b := m.Body.(type) {
	case Peeked:
		if c.Waits != forValue {
			return c, nil
		}
		if b.Item == "" {
			c.Waits = idle
			return c, nil
		}
		if !slices.Contains(c.Seen, b.ID) { // else it was done before the process died
			c.Done, c.Seen = append(c.Done, b.Item), append(c.Seen, b.ID)
		}
		c.Waits, c.Acks = forAnswer, b.ID
		return c, []Message{{To: store, Body: Ack{b.ID}}}
	case Acked:
		if c.Waits == forAnswer && b.ID == c.Acks {
			c.Waits, c.Acks = idle, 0
		}
	}
	return c, nil
}

// notLost is what whoever pushes counts on.
func notLost(items []string) model.Property {
	p := model.Always("no value is lost", func(v model.View) error {
		left := model.StateOf[Work](v, producer).Left
		q, c := model.StateOf[Queue](v, store), model.StateOf[Client](v, consumer)
		somewhere := slices.Concat(left, c.Done, slices.Sorted(maps.Values(q.Items)))
		for _, m := range model.InFlightOf[Body](v) {
			switch b := m.Body.(type) {
			case Push:
				somewhere = append(somewhere, b.Item)
			case Popped:
				somewhere = append(somewhere, b.Item)
			}
		}
		for _, item := range items {
			if !slices.Contains(somewhere, item) {
				return fmt.Errorf("the value %s was pushed, and now it is neither in the queue, nor on its way, nor done", item)
			}
		}
		return nil
	})
	p.Doc = "what was pushed is in the queue, on its way, or done"
	return p
}

// onceEach is that no value is done twice.
func onceEach(items []string) model.Property {
	p := model.Always("no value is done twice", func(v model.View) error {
		done := model.StateOf[Client](v, consumer).Done
		for _, item := range items {
			if i := slices.Index(done, item); i >= 0 && slices.Contains(done[i+1:], item) {
				return fmt.Errorf("the value %s was done twice", item)
			}
		}
		return nil
	})
	p.Doc = "what is done of a value is done once"
	return p
}

func allDone(items []string) func(v model.View) bool {
	return func(v model.View) bool { return len(model.StateOf[Client](v, consumer).Done) == len(items) }
}
