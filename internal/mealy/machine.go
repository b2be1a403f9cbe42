package mealy

// Machine is one agent as a table: what it makes of each message in each of its
// states, and what it does and suffers by itself. The table is closed: whatever
// a transition leads to is one of its states.
//
// Numbers for what can be seen of a transition are equal if and only if what
// can be seen is: the messages sent, each as often as it is, and what the
// observer makes of it, in every state that the observer can be in. Zero means
// that nothing is sent and that the observer stays as it is. That the agent's
// state changes is not to be seen, unless Class tells the two states apart.
type Machine struct {
	States, Inputs int // numbered from 0; an input is the delivery of one message

	// Next and Out are by state*Inputs+input: the state after, and the number for
	// what can be seen.
	Next, Out []int32

	// Met is by state*Inputs+input: whether the input can happen in the state, where
	// that is known; nil if any input can happen anywhere. One that cannot is as if
	// it were ignored when states are merged, and leads nowhere; but if it would
	// not be ignored, it is not dead. Its Next may be -1: no state of the table.
	Met []bool

	Own [][]Own // by state; nil if there are none

	// Class is by state: what is told apart by any property, by the boundary, or
	// as halted or crashed, has different numbers.
	Class []int32
}

// Own is something that an agent does, or suffers, by itself: an own action, a
// wipe, a restart, a crash. Of one label, from 0, there may be several.
type Own struct {
	Label     int32 // names the move, and the budget that it spends
	Next, Out int32
}

// Reduced is a machine with equivalent states merged, and what it ignores for
// ever.
type Reduced struct {
	Class []int32 // by state; classes are numbered from 0 in the order of their least states
	Least []int32 // by class: its least state, which stands for all of them
	Dead  Dead    // by class
}

// Reduce merges the states of a machine as far as possible, and says which
// inputs are dead to each class. Neither can be carried further: merging again
// merges nothing more, and makes nothing more dead.
func Reduce(m *Machine) Reduced {
	class := Merge(m)
	var least []int32
	for s, c := range class {
		if int(c) == len(least) {
			least = append(least, int32(s))
		}
	}
	return Reduced{class, least, dead(m, class, least)}
}

// happens says whether an input, by state*Inputs+input, can happen and may be
// noticed.
func (m *Machine) happens(state, i int) bool {
	return (m.Met == nil || m.Met[i]) && (m.Out[i] != 0 || int(m.Next[i]) != state)
}

func (m *Machine) own(state int) []Own {
	if m.Own == nil {
		return nil
	}
	return m.Own[state]
}
