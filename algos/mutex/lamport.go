package mutex

import (
	"maps"

	"github.com/caulk-go/caulk/model"
)

const lamportPaper = `Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System" (1978)`

// Lamport is Lamport's algorithm.
func Lamport() model.Algorithm {
	a := entry("lamportmutex", "Lamport's mutual exclusion: a queue of requests, by logical clocks", lamportDoc, lamportPaper)
	a.Twins = []string{"lamportmutex-bag"}
	a.Make = func(c model.Config) model.System { return lamport{c.Params["entries"]}.system(c, model.Fifo) }
	return a
}

const lamportDoc = `Lamport's mutual exclusion. Every process has a queue of all requests, ordered
by time, and by process where times are equal. It enters when its own request is
the first, and it has heard something later from everybody else: then no earlier
request can be on its way, if what one sends to another arrives in order.

So it needs the network fifo, on which it is explored. On a bag an
acknowledgement overtakes a request: see lamportmutex-bag. A message that is
lost is overtaken as well: --lossy.

Labels: W waiting, C in the critical section, else a dot; then the clock.`

// LamportBag is Lamport's algorithm where messages overtake each other.
func LamportBag() model.Algorithm {
	a := entry("lamportmutex-bag", "Lamport's mutual exclusion on a network that does not keep order", lamportBagDoc, lamportPaper)
	a.Twins = []string{"lamportmutex"}
	a.Hole = "an acknowledgement overtakes a request: two are in the critical section"
	a.Make = func(c model.Config) model.System { return lamport{c.Params["entries"]}.system(c, model.Bag) }
	return a
}

const lamportBagDoc = `Lamport's mutual exclusion on a bag. Two processes request at the same time. The
first acknowledges the second's request, and that arrives before its own request
does: the second believes that there is none, and enters.

With --network fifo it is lamportmutex, and holds.`

// Queue is the state of a process.
type Queue struct {
	Self     model.ID
	Others   []model.ID
	Clock    int
	Requests map[model.ID]int // the queue: who waits, since when; its own, too
	Heard    map[model.ID]int // the latest time heard from each
	Inside   bool
	Entries  int // that are left
}

type lamport struct{ entries int }

func (r lamport) Fresh(self model.ID, population []model.ID, _ int) (Queue, []Message) {
	q := Queue{Self: self, Entries: r.entries, Requests: map[model.ID]int{}, Heard: map[model.ID]int{}}
	q.Others = without(population, self)
	return q, nil
}

// Actions: a process requests the critical section when it likes, and leaves it.
func (r lamport) Actions() []model.Action[Queue, Body] {
	return []model.Action[Queue, Body]{
		{Name: "request", Kind: model.Input, Do: r.request},
		{Name: "leave", Kind: model.Step, Fair: true, Do: r.leave},
	}
}

// request is rule 1: the request goes to everybody, and into the own queue.
func (lamport) request(q Queue) (Queue, []Message, bool) {
	enabled := q.Entries > 0 && !q.waiting() && !q.Inside
	q.Clock++
	q.Entries--
	q.Requests = with(q.Requests, q.Self, q.Clock)
	return q, tell(q.Others, Request{q.Clock}), enabled
}

// leave is rule 3: the request goes out of the own queue, and everybody is told.
func (lamport) leave(q Queue) (Queue, []Message, bool) {
	enabled := q.Inside
	q.Clock++
	q.Inside = false
	return q, tell(q.Others, Release{q.Clock}), enabled
}

func (r lamport) Receive(q Queue, m Message) (Queue, []Message) {
	var time int
	var sent []Message
	switch b := m.Body.(type) {
	case Request: // rule 2
		time = b.Time
		q.Requests = with(q.Requests, m.From, time)
		sent = []Message{{To: m.From, Body: Ack{max(q.Clock, time) + 1}}}
	case Ack:
		time = b.Time
	case Release: // rule 4
		time = b.Time
		q.Requests = maps.Clone(q.Requests)
		delete(q.Requests, m.From)
	}
	q.Clock = max(q.Clock, time) + 1
	q.Heard = with(q.Heard, m.From, max(q.Heard[m.From], time))
	return q.enter(), sent
}

// enter is rule 5: the process enters once its request is the first, and it has
// heard something later from everybody.
func (q Queue) enter() Queue {
	mine, waits := q.Requests[q.Self]
	if !waits {
		return q
	}
	for _, id := range q.Others {
		if other, waits := q.Requests[id]; waits && earlier(other, id, mine, q.Self) || q.Heard[id] <= mine {
			return q
		}
	}
	q.Requests = maps.Clone(q.Requests)
	delete(q.Requests, q.Self)
	q.Inside = true
	return q
}

func (q Queue) waiting() bool { _, waits := q.Requests[q.Self]; return waits }
func (q Queue) inside() bool  { return q.Inside }

// Label is what the process does, and its clock.
func (lamport) Label(q Queue) string { return label(q, q.Clock) }

func (r lamport) system(c model.Config, n model.Network) model.System {
	s := system[Queue](c, model.Of(r), n)
	s.Bodies = []any{Request{}, Ack{}, Release{}}
	return s
}

func without(ids []model.ID, id model.ID) []model.ID {
	var others []model.ID
	for _, other := range ids {
		if other != id {
			others = append(others, other)
		}
	}
	return others
}

func with(times map[model.ID]int, id model.ID, time int) map[model.ID]int {
	times = maps.Clone(times)
	times[id] = time
	return times
}

func tell(ids []model.ID, body Body) []Message {
	var sent []Message
	for _, id := range ids {
		sent = append(sent, Message{To: id, Body: body})
	}
	return sent
}
