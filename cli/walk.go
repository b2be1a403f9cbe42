package cli

import (
	"fmt"
	"time"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/diff"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
	"github.com/caulk-go/caulk/trace"
)

// effect is what one move of a path does.
type effect struct {
	agent    model.ID      // whose move it is, or who suffers it
	idle     bool          // no agent has a part in it: a message is lost, an agent is gone
	changes  []diff.Change // in its state
	sends    []string      // the labels of what it sends; a set shows only what is new to it
	observes []diff.Change // in the observer's state
	panics   bool
}

// walk is a path made again, for people to follow.
type walk struct {
	begun   bool     // the start state could be made
	start   string   // its label; empty if an agent has no label of its own
	effects []effect // of as many moves as could be made: all, for a path of a report
}

// walkAlong makes the moves of a path again, from one of the start states or,
// where there is but one, nil; and sees what each does.
func walkAlong(sys *model.System, from map[model.ID]string, path []trace.Step, limit time.Duration) walk {
	if from != nil {
		one := *sys
		one.Starts, one.OtherStarts = from, nil
		sys = &one
	}
	s, err := stepper.New(sys, limit)
	if err != nil {
		return walk{}
	}
	start, err := s.Start()
	if err != nil {
		return walk{}
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
	return walkOf(sys, s, start, made)
}

// walkOf tells of moves of a system that were made one after the other.
func walkOf(sys *model.System, s *stepper.Stepper, start stepper.State, made []stepper.Choice) walk {
	w := walk{begun: !start.IsZero()}
	if w.begun {
		w.start = ownLabel(sys, s, start)
	}
	at := start
	for _, choice := range made {
		id := choice.Move.To
		if choice.Next.IsZero() {
			w.effects = append(w.effects, effect{agent: id, panics: true})
			break
		}
		w.effects = append(w.effects, effect{
			agent:    id,
			idle:     choice.Move.Kind.Handler() == "",
			changes:  diff.Fields(s.Local(at, id).State, s.Local(choice.Next, id).State),
			sends:    sent(sys.Network, s, at, choice),
			observes: observed(sys, s, at, choice.Next),
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
func sent(n model.Network, s *stepper.Stepper, before stepper.State, choice stepper.Choice) []string {
	copies := map[inFlight]int{}
	for _, m := range s.Network(before) {
		copies[seen(m)]++
	}
	if choice.Move.Kind.OfMessage() {
		m := choice.Move
		key := seen(model.Message[any]{From: m.From, To: m.To, Body: m.Body})
		switch m.Kind.Fate(n) {
		case model.Leaves:
			copies[key]--
		case model.Doubles:
			copies[key]++
		}
	}
	var labels []string
	for _, m := range s.Network(choice.Next) {
		key := seen(m)
		if copies[key]--; copies[key] < 0 {
			labels = append(labels, key.label)
		}
	}
	return labels
}

// inFlight is what a reader can tell messages apart by.
type inFlight struct{ label, body string }

func seen(m model.Message[any]) (f inFlight) {
	f = inFlight{fmt.Sprintf("{a message;%d->%d}", m.From, m.To), canonical.Format(m.Body)}
	// A body's Kind and Detail are the user's code. If one panics the search
	// says so where the message is delivered; a report need not.
	defer func() { _ = recover() }()
	f.label = model.Move{Kind: model.Deliver, From: m.From, To: m.To, Body: m.Body}.Label()
	return f
}
