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

// ignores says whether an input, in a state, is seen by nobody and leads to a
// state of the same class.
func (m *Machine) ignores(class []int32, state, input int) bool {
	i := state*m.Inputs + input
	return m.Out[i] == 0 && class[m.Next[i]] == class[state]
}

func (m *Machine) own(state int) []Own {
	if m.Own == nil {
		return nil
	}
	return m.Own[state]
}

// Machine is the machine of the classes: each does what its least state does,
// to classes. Own moves that show nothing and stay in the class are left out.
func (r *Reduced) Machine(m *Machine) *Machine {
	q := &Machine{States: len(r.Least), Inputs: m.Inputs}
	for c, least := range r.Least {
		begin, end := int(least)*m.Inputs, (int(least)+1)*m.Inputs
		for _, next := range m.Next[begin:end] {
			q.Next = append(q.Next, r.Class[next])
		}
		q.Out = append(q.Out, m.Out[begin:end]...)
		q.Class = append(q.Class, m.Class[least])
		var own []Own
		for _, o := range m.own(int(least)) {
			if to := r.Class[o.Next]; o.Out != 0 || int(to) != c {
				own = append(own, Own{o.Label, to, o.Out})
			}
		}
		q.Own = append(q.Own, own)
	}
	return q
}
