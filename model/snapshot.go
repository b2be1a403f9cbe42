package model

import "fmt"

// Snapshot is a system state to begin in, such as one in which real nodes were.
type Snapshot struct {
	Locals   []Local        // of the agents, in order of ID; none has crashed
	InFlight []Message[any] // on fifo each queue in its order
	Memory   any            // of the observer, if there is one
	From     string         // what it is called: the flag --from takes it
}

// checkSnapshot says what is wrong with the snapshot, in one line, or nil.
func (s *System) checkSnapshot() error {
	if s.Snapshot == nil {
		return nil
	}
	if len(s.OtherStarts) > 0 {
		return fmt.Errorf("a system that begins in the middle has no other starts, but it has %d", len(s.OtherStarts))
	}
	if got, want := len(s.Snapshot.Locals), len(s.Agents); got != want {
		return fmt.Errorf("the state to begin in has %d agents, and the system %d", got, want)
	}
	for _, m := range s.Snapshot.InFlight {
		for _, id := range []ID{m.From, m.To} {
			if err := s.Has(id); err != nil {
				return fmt.Errorf("in the state to begin in, a message from %d to %d is in flight: %w", m.From, m.To, err)
			}
		}
	}
	return nil
}

// Resumed is how an agent comes into the world of a Snapshot, which the system
// must have: in the state that it has there, as the sender of what it has in
// flight.
func Resumed(s *System, id ID) Outcome {
	o := Outcome{Next: s.Snapshot.Locals[id-1]}
	for _, m := range s.Snapshot.InFlight {
		if m.From == id {
			o.Sent = append(o.Sent, m)
		}
	}
	return o
}
