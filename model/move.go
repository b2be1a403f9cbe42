package model

import (
	"fmt"
	"reflect"
	"slices"
)

// Move is one atomic step of a system.
type Move struct {
	Kind     MoveKind
	Action   string // the name of an own action, for Act
	From, To ID     // equal for what one agent does or suffers
	Body     any    // of the message, for a move that is about one
}

// Name is what the move is called in paths and reports: its kind, or the own
// action's name.
func (m Move) Name() string {
	if m.Action != "" {
		return m.Action
	}
	return m.Kind.String()
}

// Label is what the move's arrow says in a diagram.
func (m Move) Label() string { return moveKinds[m.Kind].label(m) }

// MessageLabel names a message by kind and detail, without sender, receiver
// and value: "Prepare n=1".
func MessageLabel(body any) string {
	kind, detail := describe(body)
	if detail == "" {
		return kind
	}
	return kind + " " + detail
}

// MessageKind is the kind of a message alone: what its body's Kind says, or
// else the name of the body's type.
func MessageKind(body any) string {
	kind, _ := describe(body)
	return kind
}

func describe(body any) (kind, detail string) {
	if k, ok := body.(Kinder); ok {
		kind = k.Kind()
	} else if t := reflect.TypeOf(body); t != nil {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if kind = t.Name(); kind == "" {
			kind = t.String()
		}
	} else {
		kind = "nil"
	}
	if d, ok := body.(Detailer); ok {
		detail = d.Detail()
	}
	return kind, detail
}

// MoveKind is a row of the table of moves.
type MoveKind int

// The kinds of moves, in the order in which a state's moves are listed.
const (
	Deliver   MoveKind = iota // an agent receives a message
	Act                       // an agent's own action
	Wipe                      // an agent loses everything and starts afresh
	Restart                   // an agent starts anew with what it persisted
	Crash                     // an agent crashes for good
	Drop                      // the network loses a message
	Duplicate                 // the network doubles a message
	Beginning                 // an agent begins: no move of a search, only observers see it
)

// Fate is what becomes of the message that a move is about.
type Fate uint8

// The fates of a message.
const (
	Stays   Fate = iota // where it is
	Leaves              // one copy is taken off the network
	Doubles             // one copy is added
)

// moveKinds is the table of moves: all that caulk knows about a kind stands in
// its row, and nothing else in caulk tells kinds apart.
var moveKinds = [...]moveKind{
	Deliver: {
		name:     "deliver",
		handler:  "Receive",
		method:   "Receive",
		message:  true,
		fate:     deliveryFate,
		subject:  func(*System, ID) bool { return true },
		outcomes: deliver,
		label:    deliveryLabel,
	},
	Act: {
		name:     "act",
		handler:  "an own action",
		subject:  func(s *System, id ID) bool { return len(s.Node(id).Actions()) > 0 },
		outcomes: act,
		label:    func(m Move) string { return fmt.Sprintf("%s %d", m.Action, m.To) },
	},
	Wipe: {
		name:     "wipe",
		handler:  "Fresh",
		method:   "Fresh",
		fault:    true,
		subject:  func(s *System, id ID) bool { return slices.Contains(s.Wipe, id) },
		outcomes: wipe,
		label:    func(m Move) string { return fmt.Sprintf("Wipe %d", m.To) },
	},
	Restart: {
		name:     "restart",
		handler:  "Persist or Restart",
		method:   "Restart",
		fault:    true,
		subject:  func(s *System, id ID) bool { return slices.Contains(s.Restart, id) },
		outcomes: restart,
		label:    func(m Move) string { return fmt.Sprintf("Restart %d", m.To) },
	},
	Crash: {
		name:     "crash",
		fault:    true,
		subject:  func(s *System, id ID) bool { return slices.Contains(s.Crash, id) },
		outcomes: crash,
		label:    func(m Move) string { return fmt.Sprintf("Crash %d", m.To) },
	},
	Drop: {
		name:     "drop",
		message:  true,
		fault:    true,
		network:  true,
		fate:     func(Network) Fate { return Leaves },
		subject:  func(s *System, _ ID) bool { return s.Lossy },
		outcomes: unnoticed(Drop, Drops),
		label:    func(m Move) string { return "Drop " + deliveryLabel(m) },
	},
	Duplicate: {
		name:     "duplicate",
		message:  true,
		fault:    true,
		network:  true,
		fate:     func(Network) Fate { return Doubles },
		subject:  func(s *System, _ ID) bool { _, limited := s.Budgets[Duplicates]; return limited },
		outcomes: unnoticed(Duplicate, Duplicates),
		label:    func(m Move) string { return "Duplicate " + deliveryLabel(m) },
	},
	Beginning: {
		name:     "begin",
		handler:  "Fresh or Start",
		subject:  func(*System, ID) bool { return false },
		outcomes: func(Site, Local, Message[any]) []Outcome { return nil },
		label:    func(m Move) string { return fmt.Sprintf("Begin %d", m.To) },
	},
}

type moveKind struct {
	name     string
	handler  string                      // what of the agent's it calls, for error messages
	method   string                      // of the agent's, that decides what comes of it; empty for an own action, and where there is none
	message  bool                        // it is about one message in flight
	fate     func(n Network) Fate        // of that message
	fault    bool                        // the world's doing, not the algorithm's
	network  bool                        // the network's doing, whether or not the agent has crashed
	subject  func(s *System, id ID) bool // whether the agent can make or suffer it in this system
	outcomes func(at Site, l Local, m Message[any]) []Outcome
	label    func(m Move) string
}

// MoveKinds lists the kinds of which moves are, in order.
func MoveKinds() []MoveKind {
	kinds := make([]MoveKind, Beginning)
	for i := range kinds {
		kinds[i] = MoveKind(i)
	}
	return kinds
}

// ParseMoveKind is the inverse of String.
func ParseMoveKind(name string) (MoveKind, bool) {
	for _, k := range MoveKinds() {
		if moveKinds[k].name == name {
			return k, true
		}
	}
	return 0, false
}

func (k MoveKind) String() string { return moveKinds[k].name }

// OfMessage says whether a move of this kind is about a message in flight;
// otherwise it is about an agent alone.
func (k MoveKind) OfMessage() bool { return moveKinds[k].message }

// Fate is what becomes, on a network, of the message that such a move is
// about.
func (k MoveKind) Fate(n Network) Fate {
	if moveKinds[k].fate == nil {
		return Stays
	}
	return moveKinds[k].fate(n)
}

// Handler names what of the agent's such a move calls; empty if nothing.
func (k MoveKind) Handler() string { return moveKinds[k].handler }

// Entries are the program counters at which the agent's code for such a move
// may begin, for runtime.FuncForPC: of the method, or of the function of the own
// action of that name and then of the method Actions. Go generates functions that
// are nowhere written: to promote the method of an embedded type, which comes
// after it, and for a method that is used as a value. There is none where nothing
// of the agent's is called.
func (k MoveKind) Entries(n Node, action string) []uintptr {
	if method := moveKinds[k].method; method != "" {
		return n.entries(method)
	}
	for _, a := range n.Actions() {
		if a.Name == action && a.entry != 0 {
			return append([]uintptr{a.entry}, n.entries("Actions")...)
		}
	}
	return nil
}

// Fault says whether such a move is the world's doing.
func (k MoveKind) Fault() bool { return moveKinds[k].fault }

// Concerns says whether the agent can make or suffer such a move in the system.
func (k MoveKind) Concerns(s *System, id ID) bool { return moveKinds[k].subject(s, id) }

// Outcomes lists what moves of this kind an agent has in a local state, and
// where each leads, in a fixed order; m is the message for a kind that is
// OfMessage. It calls the agent's handlers and is as pure as they are.
func (k MoveKind) Outcomes(at Site, l Local, m Message[any]) []Outcome {
	if l.Crashed && !moveKinds[k].network {
		return nil
	}
	return moveKinds[k].outcomes(at, l, m)
}

// Site is where a move happens.
type Site struct {
	Node       Node
	Self       ID
	Population []ID // the callee's to keep
}

// Local is all that the world knows of one agent.
type Local struct {
	State       any
	Incarnation int  // how often it was wiped or restarted; always 0 unless the agent asks to know
	Crashed     bool // for good
}

// Outcome is one move that an agent can make, and what comes of it. The
// senders of what it sends are stamped.
type Outcome struct {
	Move   Move
	Next   Local
	Sent   []Message[any]
	Spends Budget // one of it, where the system limits it; the move needs that there is one left
	Fair   bool   // an own action that is Fair
}

// Begin is how an agent comes into the world: its fresh state and, if it is
// among the system's Starts, what it makes of its value.
func Begin(s *System, id ID) Outcome {
	o := Fresh(s, id)
	if started, ok := Start(s, id, o.Next); ok {
		o.Next, o.Sent = started.Next, append(o.Sent, started.Sent...)
	}
	return o
}

// Fresh is the first half of Begin: an agent before it is started.
func Fresh(s *System, id ID) Outcome {
	at := Site{s.Node(id), id, s.Population()}
	return at.outcome(Move{}, Local{}, at.Node.Fresh(id, at.Population, 0))
}

// Start is the second half: what an agent makes of its value, and sends on top
// of what Fresh sent; ok is false if it is not among the system's Starts.
func Start(s *System, id ID, l Local) (o Outcome, ok bool) {
	value, ok := s.Starts[id]
	if !ok {
		return Outcome{}, false
	}
	at := Site{s.Node(id), id, s.Population()}
	return at.outcome(Move{}, l, at.Node.Start(l.State, value)), true
}
