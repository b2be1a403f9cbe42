package model

// Server is an agent that serves clients from outside the population, when it
// runs on a network: a register, or a store of keys and values. A client is an
// ID that belongs to no agent: it sends the agent a message with the body that
// Ask gives, and the agent answers by a message to that ID, at once or later;
// any agent of the system may answer. A client waits for an answer, or gives
// up, before it asks again.
//
// The explorer never calls these methods, and knows no such clients: there,
// clients are agents of the population.
type Server[M any] interface {
	// Ask is the body of a client's request.
	Ask(r Request) M

	// Answer reads a message to a client; ok is false for one that answers no
	// request.
	Answer(body M) (a Answer, ok bool)
}

// Request is what a client asks of a store of keys and values. A register
// ignores the key.
type Request struct {
	Number     int // the client's own numbering: 1, 2, 3 and so on
	Put        bool
	Key, Value string // the value is that of a put
}

// Answer is what a client is told.
type Answer struct {
	Number int    // of the request
	Value  string // what a get found; empty for nothing, and for a put
}
