package mealy

// Dead says which inputs are dead to each state, or class of states.
type Dead struct {
	component []int32 // by state or class: the strongly connected component
	alive     []bits  // by component: the inputs that are not dead
}

// Has says whether an input is dead to a state, or class: nobody sees it there
// or anywhere that any inputs and own moves lead to, and it changes nothing.
func (d *Dead) Has(state, input int) bool { return !d.alive[d.component[state]].has(input) }

// DeadInputs says which inputs are dead to each state while no states are
// merged.
func DeadInputs(m *Machine) Dead {
	each := make([]int32, m.States)
	for s := range each {
		each[s] = int32(s)
	}
	return dead(m, each, each)
}

// dead works on the classes that Merge gives, or on one class for each state.
//
// An input is alive to a class if a state of it does not ignore the input, or a
// transition leads to a class to which it is. All classes of a strongly connected
// component have the same inputs alive. Components are found (Tarjan, Depth-first
// search and linear graph algorithms, 1972) after all that they lead to, so
// that one look at each transition is enough.
func dead(m *Machine, class, least []int32) Dead {
	heeded := heeds(m, class, len(least))
	t := newTarjan(successors(m, class, least))
	d := Dead{component: t.component}
	for c := range t.components() {
		alive := newBits(m.Inputs)
		for _, k := range c {
			alive.join(heeded[k])
			for _, to := range t.next[k] {
				if there := t.component[to]; int(there) < len(d.alive) {
					alive.join(d.alive[there])
				}
			}
		}
		d.alive = append(d.alive, alive)
	}
	return d
}

// heeds gives, by class, the inputs that not all of its states ignore: that
// show something, or lead out of the class.
func heeds(m *Machine, class []int32, classes int) []bits {
	list := make([]bits, classes)
	for c := range list {
		list[c] = newBits(m.Inputs)
	}
	for s, c := range class {
		for i, next := range m.Next[s*m.Inputs : (s+1)*m.Inputs] {
			if m.Out[s*m.Inputs+i] != 0 || next < 0 || class[next] != c {
				list[c].add(i)
			}
		}
	}
	return list
}

// successors are the classes that the transitions of each class lead to, each
// once, without itself. Its least state has those of all its states.
func successors(m *Machine, class, least []int32) [][]int32 {
	next := make([][]int32, len(least))
	met := make([]int32, len(least)) // by class: one more than the last class that leads to it
	for c, s := range least {
		add := func(to int32) {
			if k := class[to]; int(k) != c && met[k] != int32(c)+1 {
				met[k] = int32(c) + 1
				next[c] = append(next[c], k)
			}
		}
		for i := range m.Inputs {
			if k := int(s)*m.Inputs + i; m.happens(int(s), k) {
				add(m.Next[k])
			}
		}
		for _, o := range m.own(int(s)) {
			add(o.Next)
		}
	}
	return next
}
