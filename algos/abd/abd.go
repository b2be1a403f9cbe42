// Package abd is a register that survives the loss of a minority of replicas:
// Hagit Attiya, Amotz Bar-Noy and Danny Dolev, "Sharing Memory Robustly in
// Message-Passing Systems", Journal of the ACM 42 (1995), with one writer.
package abd

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

const source = `Attiya, Bar-Noy and Dolev, "Sharing Memory Robustly in Message-Passing Systems" (1995)`

// Algorithms lists the register, and its broken twin after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		{
			Name:    "abd",
			Summary: "a register on a majority of replicas: one writer, and readers that write back",
			Doc:     doc,
			Source:  source,
			Twins:   []string{"abd-nowriteback"},
			Params:  params(1),
			Make:    reader{}.system,
		},
		{
			Name:    "abd-nowriteback",
			Summary: "a register on a majority of replicas whose readers do not write back",
			Doc:     noWriteBackDoc,
			Source:  source,
			Twins:   []string{"abd"},
			Hole:    "a reader does not write back: the new value is read, and after that the old one",
			Params:  params(2),
			Make:    reader{hasty: true}.system,
		},
	}
}

const doc = `A register on replicas, agents 1 to 3, of which a minority may be lost. The
writer, agent 4, numbers its values, and has written one when a majority has
stored it. A reader, after it, asks a majority and takes the latest value; then
it writes that back, to a majority, before it returns it.

So no later reader can find an older value. Without that he can: see
abd-nowriteback. An observer keeps the history of calls and returns, which must
be linearizable. With two readers: --param readers=2 --reduce ignored.

Labels: the value that a replica has stored; what a client does: w writing,
r reading, b writing back, and a dot.`

const noWriteBackDoc = `The register whose readers return what they find at once. The new value has come
to one replica; the first reader finds it there, and returns; the second, which
begins after that, asks two others and returns the old one.

With one reader, who reads once, it holds: --param readers=1.`

func params(readers int) []model.Param {
	return []model.Param{
		{Name: "replicas", Doc: "replicas; then come the writer, and the readers", Default: 3, Min: 1, Max: 9},
		{Name: "readers", Doc: "readers, each of which reads once", Default: readers, Min: 1, Max: 9},
		{Name: "writes", Doc: "how often the writer writes", Default: 1, Min: 1, Max: 9},
	}
}

// Message is a message between a client and a replica.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ model.Detailer }

// The messages.
type (
	// Ask asks a replica for its value.
	Ask struct{}

	// Has is the answer.
	Has struct{ Value int }

	// Store asks a replica to store a value, unless it has a later one.
	Store struct{ Value int }

	// Stored is the answer.
	Stored struct{ Value int }
)

// Detail is empty: there is no more to say.
func (Ask) Detail() string { return "" }

// Detail is the value: v=1.
func (m Has) Detail() string { return fmt.Sprintf("v=%d", m.Value) }

// Detail is the value: v=1.
func (m Store) Detail() string { return fmt.Sprintf("v=%d", m.Value) }

// Detail is the value: v=1.
func (m Stored) Detail() string { return fmt.Sprintf("v=%d", m.Value) }

// Replica is the state of a replica: the latest value. The writer's values are
// 1, 2 and so on, and stand for their own number; 0 is what there is at first.
type Replica int

type replica struct{}

func (replica) Fresh(model.ID, []model.ID, int) (Replica, []Message) { return 0, nil }

func (replica) Receive(r Replica, m Message) (Replica, []Message) {
	switch b := m.Body.(type) {
	case Ask:
		return r, []Message{{To: m.From, Body: Has{int(r)}}}
	case Store:
		return max(r, Replica(b.Value)), []Message{{To: m.From, Body: Stored(b)}}
	}
	return r, nil
}

// Label is the value.
func (replica) Label(r Replica) string { return fmt.Sprint(int(r)) }

// Writer is the state of the writer.
type Writer struct {
	Value   int // its latest
	Writing bool
	Answers model.IDSet // who has stored it
}

type writer struct{ replicas, writes int }

func (writer) Fresh(model.ID, []model.ID, int) (Writer, []Message) { return Writer{}, nil }

// Actions: it writes when it likes, one value after the other.
func (r writer) Actions() []model.Action[Writer, Body] {
	return []model.Action[Writer, Body]{{Name: "write", Kind: model.Input, Do: func(w Writer) (Writer, []Message, bool) {
		enabled := !w.Writing && w.Value < r.writes
		w = Writer{w.Value + 1, true, model.IDSet{}}
		return w, tell(r.replicas, Store{w.Value}), enabled
	}}}
}

// Receive counts who has stored the value, until a majority has.
func (r writer) Receive(w Writer, m Message) (Writer, []Message) {
	if b, ok := m.Body.(Stored); ok && w.Writing && b.Value == w.Value {
		if w.Answers = w.Answers.With(m.From); len(w.Answers) > r.replicas/2 {
			w = Writer{Value: w.Value}
		}
	}
	return w, nil
}

// Label is w while it writes.
func (writer) Label(w Writer) string {
	if w.Writing {
		return " w"
	}
	return " ."
}

// Reader is the state of a reader.
type Reader struct {
	Phase   Phase
	Value   int         // the latest that it was told of
	Answers model.IDSet // who has answered in this phase
}

// Phase is what a reader does.
type Phase int

// The phases of a read.
const (
	Idle Phase = iota
	Asking
	WritingBack
	Done
)

type reader struct {
	replicas int
	hasty    bool // the hole
}

func (reader) Fresh(model.ID, []model.ID, int) (Reader, []Message) { return Reader{}, nil }

// Actions: it reads when it likes, once.
func (r reader) Actions() []model.Action[Reader, Body] {
	return []model.Action[Reader, Body]{{Name: "read by", Kind: model.Input, Do: func(s Reader) (Reader, []Message, bool) {
		enabled := s.Phase == Idle
		s.Phase, s.Answers = Asking, model.IDSet{}
		return s, tell(r.replicas, Ask{}), enabled
	}}}
}

func (r reader) Receive(s Reader, m Message) (Reader, []Message) {
	switch b := m.Body.(type) {
	case Has:
		if s.Phase != Asking {
			return s, nil
		}
		s.Value = max(s.Value, b.Value)
		if s.Answers = s.Answers.With(m.From); !r.majority(s) {
			return s, nil
		}
		if r.hasty {
			return Reader{Phase: Done, Value: s.Value}, nil
		}
		return Reader{WritingBack, s.Value, model.IDSet{}}, tell(r.replicas, Store{s.Value})
	case Stored:
		if s.Phase != WritingBack || b.Value != s.Value {
			return s, nil
		}
		if s.Answers = s.Answers.With(m.From); r.majority(s) {
			return Reader{Phase: Done, Value: s.Value}, nil
		}
	}
	return s, nil
}

func (r reader) majority(s Reader) bool { return len(s.Answers) > r.replicas/2 }

// Label is r reading, b writing back, the value that was read, or a dot.
func (reader) Label(s Reader) string {
	switch s.Phase {
	case Asking:
		return "r"
	case WritingBack:
		return "b"
	case Done:
		return fmt.Sprint(s.Value)
	}
	return "."
}

func tell(replicas int, body Body) []Message {
	var sent []Message
	for id := model.ID(1); int(id) <= replicas; id++ {
		sent = append(sent, Message{To: id, Body: body})
	}
	return sent
}
