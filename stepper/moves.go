package stepper

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// Choice is a move that is possible in a state, and where it leads.
type Choice struct {
	Move  model.Move
	Label string // the move's: what its arrow says
	Body  string // the message in full, for a move that is about one

	// Envelope is the message as the network holds it, for a move that is
	// about one.
	Envelope call.Envelope

	// Fair says whether the move must be made once it stays possible for ever.
	Fair bool

	// Next is the state after the move; none where the handler panics.
	Next State

	// Panic is set where the handler panics on the move. When that is one of
	// an agent's own actions, which one is not known: the Choice stands for all
	// that the agent has, and bears the name of the kind.
	Panic *call.PanicError
}

// Moves lists every move that is possible in a state, in a fixed order: the
// kinds as in model.MoveKinds; within a kind by agent, deliveries by receiver,
// sender, label and body (and so every move about a message), own actions as the
// agent lists them. Identical copies of a message are one move, and on fifo moves
// are about the first of each queue. In a state with a halted agent nothing is
// possible.
func (s *Stepper) Moves(st State) ([]Choice, error) {
	if s.halted(st) {
		return nil, nil
	}
	var all []Choice
	for _, k := range model.MoveKinds() {
		choices, err := s.movesOf(st, k)
		if err != nil {
			return nil, err
		}
		all = append(all, choices...)
	}
	return all, nil
}

func (s *Stepper) halted(st State) bool {
	return slices.ContainsFunc(s.sys.Population(), func(id model.ID) bool { return s.call.Halted(id, st.Local(id)) })
}

func (s *Stepper) movesOf(st State, k model.MoveKind) ([]Choice, error) {
	var all []Choice
	if !k.OfMessage() {
		for _, id := range s.sys.Population() {
			choices, err := s.Make(st, k, id, nil)
			if err != nil {
				return nil, err
			}
			all = append(all, choices...)
		}
		return all, nil
	}
	for _, e := range s.subjects(st) {
		choices, err := s.Make(st, k, e.To, &e)
		if err != nil {
			return nil, err
		}
		all = append(all, choices...)
	}
	slices.SortStableFunc(all, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(a.Move.To, b.Move.To), cmp.Compare(a.Move.From, b.Move.From),
			strings.Compare(a.Label, b.Label), strings.Compare(a.Body, b.Body), strings.Compare(a.Envelope.Body, b.Envelope.Body))
	})
	return all, nil
}

// Make lists the moves of one kind that one agent has in a state that is not
// halted: with the message, which must be on the network (on fifo the first of
// its queue), for a kind that is about one, and with nil for the others. It is
// the part of Moves that who knows what comes next needs.
func (s *Stepper) Make(st State, k model.MoveKind, id model.ID, m *call.Envelope) ([]Choice, error) {
	if !k.Concerns(s.sys, id) {
		return nil, nil
	}
	outcomes, err := s.call.Outcomes(k, id, st.Local(id), m)
	var panicked *call.PanicError
	if errors.As(err, &panicked) {
		c, err := s.choice(s.failed(k, id, m), m)
		if err != nil {
			return nil, err
		}
		c.Panic = panicked
		return []Choice{c}, nil
	}
	if err != nil {
		return nil, err
	}
	var choices []Choice
	for _, o := range outcomes {
		if left, limited := s.Left(st, o.Spends); limited && left == 0 {
			continue
		}
		c, err := s.choice(o.Move, m)
		if err != nil {
			return nil, err
		}
		c.Fair = o.Fair || k.OfMessage() && !k.Fault()
		c.Next, err = s.after(st, k, id, m, o)
		if errors.As(err, &c.Panic) {
			c.Next, err = State{}, nil
		}
		if err != nil {
			return nil, err
		}
		choices = append(choices, c)
	}
	return choices, nil
}

// after is the state after a move.
func (s *Stepper) after(st State, k model.MoveKind, id model.ID, m *call.Envelope, o call.Outcome) (State, error) {
	next := State{locals: slices.Clone(st.locals), network: st.network, left: slices.Clone(st.left)}
	next.locals[id-1] = o.Next
	switch k.Fate(s.sys.Network) {
	case model.Leaves:
		next.network = s.take(next.network, *m)
	case model.Doubles:
		next.network = s.send(next.network, []call.Envelope{*m})
	}
	next.network = s.send(next.network, o.Sent)
	if i := slices.Index(s.budgets, o.Spends); i >= 0 {
		next.left[i]--
	}
	e := call.Event{Kind: k, Action: o.Move.Action, Agent: id, Message: m, Before: st.Local(id), After: o.Next, Sent: o.Sent}
	memory, err := s.observe(st.memory, e)
	next.memory = memory
	return next, err
}

// failed is what a move would have been, had its handler not panicked.
func (s *Stepper) failed(k model.MoveKind, id model.ID, m *call.Envelope) model.Move {
	if m == nil {
		return model.Move{Kind: k, Action: k.String(), From: id, To: id}
	}
	return model.Move{Kind: k, From: m.From, To: m.To, Body: s.call.Body(m.Body)}
}

// choice names a move. A body that panics when it is asked for its kind or
// detail is an error, whatever the handler made of it.
func (s *Stepper) choice(move model.Move, m *call.Envelope) (Choice, error) {
	c := Choice{Move: move}
	if m != nil {
		c.Envelope = *m
		c.Body = canonical.Format(s.call.Body(m.Body))
	}
	site := call.Site{Agent: move.From, Message: c.Body, What: "Kind or Detail of a message"}
	err := call.Guard(site, s.limit, func() { c.Label = move.Label() })
	if err != nil {
		return Choice{}, err // and c is left alone: the user's code may still be running
	}
	return c, nil
}

// ErrNotPossible is what Find answers when no move bears the label.
var ErrNotPossible = errors.New("no such move is possible")

// AmbiguousError is what Find answers when several moves bear the label and
// the body does not single one out.
type AmbiguousError struct {
	Label  string
	Bodies []string // those of the moves that bear the label
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s stands for %d moves: say which body it carries: %s", e.Label, len(e.Bodies), strings.Join(e.Bodies, ", "))
}

// Find picks the move that bears a label. A label that only one move bears is
// enough, whatever the body, so that a path survives a field added to a
// message; among several the one with that body is taken. Otherwise the error
// is ErrNotPossible or an *AmbiguousError: a guess could turn a path into
// another one that happens to apply.
func Find(choices []Choice, label, body string) (Choice, error) {
	var named, exact []Choice
	for _, c := range choices {
		if !sameText(c.Label, label) {
			continue
		}
		named = append(named, c)
		if sameText(c.Body, body) {
			exact = append(exact, c)
		}
	}
	switch {
	case len(named) == 0:
		return Choice{}, ErrNotPossible
	case len(named) == 1:
		return named[0], nil
	case len(exact) == 1:
		return exact[0], nil
	}
	e := &AmbiguousError{Label: label}
	for _, c := range named {
		e.Bodies = append(e.Bodies, c.Body)
	}
	return Choice{}, e
}

// sameText compares as a file would: bytes that are not UTF-8 do not survive
// JSON.
func sameText(a, b string) bool { return a == b || string([]rune(a)) == string([]rune(b)) }
