package mutex

import (
	"github.com/caulk-go/caulk/model"
)

const ricartAgrawalaPaper = `Ricart and Agrawala, "An Optimal Algorithm for Mutual Exclusion in Computer Networks" (1981)`

// RicartAgrawala is the algorithm of Ricart and Agrawala.
func RicartAgrawala() model.Algorithm {
	a := entry("ricartagrawala", "mutual exclusion by Ricart and Agrawala: who goes first answers last", ricartAgrawalaDoc, ricartAgrawalaPaper)
	a.Twins = []string{"ricartagrawala-tie"}
	a.Make = ricart{}.system
	return a
}

const ricartAgrawalaDoc = `Mutual exclusion by Ricart and Agrawala. A process that requests the critical
section enters when everybody has replied. Who is asked replies at once, unless
it is inside, or has requested earlier itself: then when it leaves. Requests are
ordered by time, and by process where times are equal.

No order among messages is needed: it holds on a bag. It counts replies, so that
one that comes twice breaks it (--agents 3 --max-duplicates 1); and a process
that is wiped forgets that it is inside (--wipe 1 --max-wipes 1).

Labels: W waiting, C in the critical section, else a dot; then the clock.`

// RicartAgrawalaTie is the algorithm with an order that is not total.
func RicartAgrawalaTie() model.Algorithm {
	a := entry("ricartagrawala-tie", "mutual exclusion by Ricart and Agrawala with requests ordered by time alone", ricartAgrawalaTieDoc, ricartAgrawalaPaper)
	a.Twins = []string{"ricartagrawala"}
	a.Hole = "requests of the same time are not ordered: both reply, and both enter"
	a.Make = ricart{tie: true}.system
	return a
}

const ricartAgrawalaTieDoc = `Mutual exclusion by Ricart and Agrawala, without a rule for two requests of the
same time: each of the two processes replies to the other.`

// Asker is the state of a process.
type Asker struct {
	Self     model.ID
	Others   []model.ID
	Clock    int        // the latest time that it has seen
	Since    int        // the time of its own request; 0: none
	Awaited  int        // replies that it waits for
	Deferred []model.ID // whom it replies to when it leaves, in order of arrival
	Inside   bool
	Entries  int // that are left
}

type ricart struct {
	entries int
	tie     bool // the hole
}

func (r ricart) Fresh(self model.ID, population []model.ID, _ int) (Asker, []Message) {
	return Asker{Self: self, Others: without(population, self), Entries: r.entries}, nil
}

// Actions: a process requests the critical section when it likes, and leaves it.
func (r ricart) Actions() []model.Action[Asker, Body] {
	return []model.Action[Asker, Body]{
		{Name: "request", Kind: model.Input, Do: r.request},
		{Name: "leave", Kind: model.Step, Fair: true, Do: r.leave},
	}
}

func (ricart) request(a Asker) (Asker, []Message, bool) {
	enabled := a.Entries > 0 && !a.waiting() && !a.Inside
	a.Clock++
	a.Entries--
	a.Since, a.Awaited = a.Clock, len(a.Others)
	return a, tell(a.Others, Request{a.Since}), enabled
}

func (ricart) leave(a Asker) (Asker, []Message, bool) {
	enabled, waiting := a.Inside, a.Deferred
	a.Inside, a.Deferred = false, nil
	return a, tell(waiting, Reply{}), enabled
}

func (r ricart) Receive(a Asker, m Message) (Asker, []Message) {
	switch b := m.Body.(type) {
	case Request:
		a.Clock = max(a.Clock, b.Time)
		if a.Inside || a.waiting() && r.first(a, m.From, b.Time) {
			a.Deferred = append(a.Deferred, m.From)
			return a, nil
		}
		return a, []Message{{To: m.From, Body: Reply{}}}
	case Reply:
		if a.Awaited == 0 {
			return a, nil
		}
		if a.Awaited--; a.Awaited == 0 {
			a.Inside, a.Since = true, 0
		}
	}
	return a, nil
}

// first says whether the process's own request goes before another's.
func (r ricart) first(a Asker, other model.ID, time int) bool {
	if r.tie {
		return a.Since < time
	}
	return earlier(a.Since, a.Self, time, other)
}

func (a Asker) waiting() bool { return a.Since > 0 }
func (a Asker) inside() bool  { return a.Inside }

// Label is what the process does, and its clock.
func (ricart) Label(a Asker) string { return label(a, a.Clock) }

func (r ricart) system(c model.Config) model.System {
	r.entries = c.Params["entries"]
	s := system[Asker](c, model.Of(r), model.Bag)
	s.Bodies = []any{Request{}, Reply{}}
	return s
}
