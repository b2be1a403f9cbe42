// Package model is caulk's vocabulary: agents, messages, systems, moves and
// properties.
//
// An algorithm is written as an Agent: pure functions from a state and a
// message to the next state and the messages sent. Package explorer delivers
// every message in every order.
//
// The package imports nothing that does IO, tells the time or draws lots.
package model

// ID names an agent: 1, 2, 3 and so on.
type ID int

// Message is an envelope in flight. A handler that sends fills in To and Body;
// caulk stamps From. The receiver is an agent of the population: a message to
// anybody else is refused.
type Message[M any] struct {
	From, To ID
	Body     M
}

// Agent is the behaviour of one kind of node. S is its state, M the body of
// every message of the system; both are plain values: structs, slices, maps,
// pointers to values, interfaces over plain values, exported or not.
//
// The methods are pure functions. They are given private copies, may keep
// nothing, and must answer the same when they are called again; caulk checks
// that. An empty slice arrives as nil and an empty map as an empty map,
// whatever they were when they were returned.
//
// Everything else that an agent may have is an optional interface below. A
// method of such a name with another signature is refused by System.Check.
type Agent[S, M any] interface {
	// Fresh makes a new node, and a wiped one: its state and what it sends at
	// once. The population lists every agent in order of ID. The incarnation
	// is 0 unless the agent is Incarnated.
	Fresh(self ID, population []ID, incarnation int) (S, []Message[M])

	// Receive handles one message: the next state and what is sent.
	Receive(s S, m Message[M]) (S, []Message[M])
}

// Starter is an agent that is started from outside with a value, as a
// proposer is.
type Starter[S, M any] interface {
	Start(s S, value string) (S, []Message[M])
}

// Halter is an agent that can declare itself lost, in a state that nobody
// thought of. A system state with a halted agent is awry: it is counted and
// drawn, but not explored further.
type Halter[S any] interface {
	Halted(s S) bool
}

// Labeler gives a state the short name that diagrams show, such as R1. The
// label of a system state is its agents' labels in order of ID.
type Labeler[S any] interface {
	Label(s S) string
}

// Incarnated is an agent whose Fresh, and Restart, are told how often the node
// was wiped or restarted before. Its incarnations are part of its state, so
// that wipes without a budget make the system endless.
type Incarnated interface {
	AsksIncarnation()
}

// Persister is an agent of which something survives a restart.
type Persister[S, M any] interface {
	// Persist gives what of a state is on disk: the rest is at its zero value.
	Persist(s S) S

	// Restart makes the node anew from what Persist gave: its state, and what
	// it sends at once.
	Restart(self ID, population []ID, incarnation int, kept S) (S, []Message[M])
}

// Actor is an agent that does things by itself.
type Actor[S, M any] interface {
	// Actions lists all that it can ever do, in a fixed order; whether an
	// action is enabled is for its Do to say.
	Actions() []Action[S, M]
}

// Action is something that an agent does by itself: one atomic move.
type Action[S, M any] struct {
	Name string // unique within the agent; what the move is called in paths
	Kind ActionKind

	// Fair promises, for properties eventually and leads-to, that the action is
	// taken once it stays enabled for ever (weak fairness).
	Fair bool

	// Do gives the next state and what is sent, or enabled false. It is pure.
	Do func(s S) (next S, sent []Message[M], enabled bool)
}

// ActionKind says what causes an own action.
type ActionKind int

// The causes of own actions.
const (
	Step  ActionKind = iota // the agent's own progress
	Timer                   // a clock that ran out
	Input                   // a request from outside
)

// Kinder is a message body that names its own kind; without it the kind is the
// name of the body's type.
type Kinder interface {
	Kind() string
}

// Detailer is a message body that says more than its kind, such as n=1. It
// must not give away the sender or the receiver, and usually leaves out what
// would split one arrow of a diagram into many.
type Detailer interface {
	Detail() string
}
