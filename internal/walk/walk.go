// Package walk makes the moves of a path again and says what each does, for
// people to follow: what changes in an agent's state, and what is sent.
package walk

import (
	"fmt"
	"time"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
	"github.com/caulk-go/caulk/trace"
)

// Effect is what one move of a path does.
type Effect struct {
	Agent    model.ID      // whose move it is, or who suffers it
	Idle     bool          // no agent has a part in it: a message is lost, an agent is gone
	Changes  []diff.Change // in its state
	Sends    []Sent        // what it sends; a set shows only what is new to it
	Observes []diff.Change // in the observer's state
	Panics   bool
}

// Sent is a message that was sent, as a reader can tell it from others.
type Sent struct {
	Label, Body string
	From, To    model.ID
}

// Walk is a path made again. The zero Walk is none.
type Walk struct {
	Begun   bool     // the start state could be made
	Start   string   // its label; empty if an agent has no label of its own
	Sends   []Sent   // what is on the network at the start
	Effects []Effect // of as many moves as could be made: all, for a path of a report
}

// Along makes the moves of a path again, from one of the start states or,
// where there is but one, nil; and sees what each does.
func Along(sys *model.System, from map[model.ID]string, path []trace.Step, limit time.Duration) Walk {
	if from != nil {
		one := *sys
		one.Starts, one.OtherStarts = from, nil
		sys = &one
	}
	s, err := stepper.New(sys, limit)
	if err != nil {
		return Walk{}
	}
	start, err := s.Start()
	if err != nil {
		return Walk{}
	}
	var made []stepper.Choice
	at := start
	for _, step := range path {
		choices, err := s.Moves(at)
		if err != nil {
			break
		}
		choice, err := stepper.Find(choices, step.Label, step.Body)
		if err != nil {
			break
		}
		made = append(made, choice)
		if choice.Next.IsZero() {
			break
		}
		at = choice.Next
	}
	return Of(sys, s, start, made)
}

// Of tells of moves of a system that were made one after the other.
func Of(sys *model.System, s *stepper.Stepper, start stepper.State, made []stepper.Choice) Walk {
	w := Walk{Begun: !start.IsZero()}
	if w.Begun {
		w.Start = ownLabel(sys, s, start)
		for _, m := range s.Network(start) {
			w.Sends = append(w.Sends, SentOf(m))
		}
	}
	at := start
	for _, choice := range made {
		id := choice.Move.To
		if choice.Next.IsZero() {
			w.Effects = append(w.Effects, Effect{Agent: id, Panics: true})
			break
		}
		w.Effects = append(w.Effects, Effect{
			Agent:    id,
			Idle:     choice.Move.Kind.Handler() == "",
			Changes:  diff.Fields(s.Local(at, id).State, s.Local(choice.Next, id).State),
			Sends:    sent(sys.Network, s, at, choice),
			Observes: observed(sys, s, at, choice.Next),
		})
		at = choice.Next
	}
	return w
}

// observed is what a move changes in what the observer remembers.
func observed(sys *model.System, s *stepper.Stepper, before, after stepper.State) []diff.Change {
	if sys.Observer == nil {
		return nil
	}
	return diff.Fields(s.View(before).Observer(), s.View(after).Observer())
}

// ownLabel is the label of a state whose agents all name themselves. The
// others are named by the search, in the order in which it meets their states.
func ownLabel(sys *model.System, s *stepper.Stepper, st stepper.State) string {
	for _, id := range sys.Population() {
		if _, ok := sys.Node(id).Label(s.Local(st, id).State); !ok {
			return ""
		}
	}
	return s.Label(st)
}

// sent lists what is on the network after a move and was not before, in the
// order in which messages are listed. The message that the move takes off the
// network does not count as being there before, the one that it doubles does
// twice.
func sent(n model.Network, s *stepper.Stepper, before stepper.State, choice stepper.Choice) []Sent {
	copies := map[Sent]int{}
	for _, m := range s.Network(before) {
		copies[SentOf(m)]++
	}
	if choice.Move.Kind.OfMessage() {
		m := choice.Move
		key := SentOf(model.Message[any]{From: m.From, To: m.To, Body: m.Body})
		switch m.Kind.Fate(n) {
		case model.Leaves:
			copies[key]--
		case model.Doubles:
			copies[key]++
		}
	}
	var list []Sent
	for _, m := range s.Network(choice.Next) {
		key := SentOf(m)
		if copies[key]--; copies[key] < 0 {
			list = append(list, key)
		}
	}
	return list
}

// SentOf is a message as a reader can tell it from others. Its label is the user's
// code; where that panics, the label says as much as can be said without it.
func SentOf(m model.Message[any]) (f Sent) {
	f = Sent{fmt.Sprintf("{a message;%d->%d}", m.From, m.To), canonical.Format(m.Body), m.From, m.To}
	// A body's Kind and Detail are the user's code. If one panics the search
	// says so where the message is delivered; a report need not.
	defer func() { _ = recover() }()
	f.Label = model.Move{Kind: model.Deliver, From: m.From, To: m.To, Body: m.Body}.Label()
	return f
}
