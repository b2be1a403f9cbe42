package model

import "fmt"

// What each kind of move makes of an agent: the handlers of the table of moves.

// deliveryFate: what was sent on a set can be delivered again and again.
func deliveryFate(n Network) Fate {
	if n == Set {
		return Stays
	}
	return Leaves
}

func deliver(at Site, l Local, m Message[any]) []Outcome {
	return []Outcome{at.outcome(Move{Kind: Deliver, From: m.From, To: m.To, Body: m.Body}, l, at.Node.Receive(l.State, m))}
}

func act(at Site, l Local, _ Message[any]) []Outcome {
	var outcomes []Outcome
	for _, a := range at.Node.Actions() {
		r, enabled := a.Do(l.State)
		if !enabled {
			continue
		}
		o := at.outcome(Move{Kind: Act, Action: a.Name, From: at.Self, To: at.Self}, l, r)
		o.Fair = a.Fair
		if a.Kind == Timer {
			o.Spends = Timeouts
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

func wipe(at Site, l Local, _ Message[any]) []Outcome {
	l.Incarnation = at.nextIncarnation(l)
	return at.begunAnew(Wipe, Wipes, l, at.Node.Fresh(at.Self, at.Population, l.Incarnation))
}

func restart(at Site, l Local, _ Message[any]) []Outcome {
	l.Incarnation = at.nextIncarnation(l)
	return at.begunAnew(Restart, Restarts, l, at.Node.Restart(at.Self, at.Population, l.Incarnation, l.State))
}

// begunAnew is the outcome of a fault after which the agent begins again.
func (at Site) begunAnew(k MoveKind, spends Budget, l Local, r Result) []Outcome {
	o := at.outcome(Move{Kind: k, From: at.Self, To: at.Self}, l, r)
	o.Spends = spends
	return []Outcome{o}
}

func crash(at Site, l Local, _ Message[any]) []Outcome {
	l.Crashed = true
	return []Outcome{{Move: Move{Kind: Crash, From: at.Self, To: at.Self}, Next: l, Spends: Crashes}}
}

// unnoticed is the outcome of a move that no agent notices.
func unnoticed(k MoveKind, spends Budget) func(Site, Local, Message[any]) []Outcome {
	return func(_ Site, l Local, m Message[any]) []Outcome {
		return []Outcome{{Move: Move{Kind: k, From: m.From, To: m.To, Body: m.Body}, Next: l, Spends: spends}}
	}
}

// nextIncarnation counts one more, if the agent asks for it.
func (at Site) nextIncarnation(l Local) int {
	if at.Node.Incarnated() {
		return l.Incarnation + 1
	}
	return l.Incarnation
}

// outcome puts what a handler gave into the world: whoever it says it is, the
// sender is the agent itself.
func (at Site) outcome(m Move, l Local, r Result) Outcome {
	l.State = r.State
	for i := range r.Sent {
		r.Sent[i].From = at.Self
	}
	return Outcome{Move: m, Next: l, Sent: r.Sent}
}

func deliveryLabel(m Move) string {
	kind, detail := describe(m.Body)
	if detail != "" {
		detail = ";" + detail
	}
	return fmt.Sprintf("{%s;%d->%d%s}", kind, m.From, m.To, detail)
}
