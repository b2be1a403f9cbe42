package mealy

// Merge gives the coarsest partition of a machine's states such that two states
// of a class
//
//   - have the same Class,
//   - show the same on each input and go to states of the same class, and
//   - have the same set of own moves, by label, by what they show, and by the
//     class that they lead to; those that show nothing and stay in the class
//     do not count.
//
// Classes are numbered from 0 in the order of their least states.
//
// It begins with Class and splits until nothing is left to split. Of a class
// that falls apart the largest part keeps the number, so that a state is given
// a new one at most log n times, and only then is it looked at again, with
// those that lead to it.
func Merge(m *Machine) []int32 {
	p := newPartition(m)
	for len(p.queue) > 0 {
		c := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		p.split(c)
	}
	return renumber(p.class)
}

// partition is one in the making.
type partition struct {
	edges   edges
	sources sources

	class   []int32   // by state
	members [][]int32 // by class
	place   []int32   // by state: where it stands among the members of its class

	// Of each class, those members that must be looked at again. All others
	// have the same signature.
	again  [][]int32
	marked []bool  // by state: whether it stands in again
	queue  []int32 // the classes where again is not empty

	signatures
}

func newPartition(m *Machine) *partition {
	p := &partition{
		edges:  newEdges(m),
		class:  make([]int32, m.States),
		place:  make([]int32, m.States),
		marked: make([]bool, m.States),
	}
	p.sources = p.edges.sources()
	for s, c := range renumber(m.Class) {
		if int(c) == len(p.members) {
			p.open()
		}
		p.put(int32(s), c)
	}
	for s := range p.class {
		p.mark(int32(s))
	}
	return p
}

// open makes an empty class.
func (p *partition) open() int32 {
	p.members = append(p.members, nil)
	p.again = append(p.again, nil)
	return int32(len(p.members) - 1)
}

func (p *partition) put(state, class int32) {
	p.class[state] = class
	p.place[state] = int32(len(p.members[class]))
	p.members[class] = append(p.members[class], state)
}

func (p *partition) take(state int32) {
	list := p.members[p.class[state]]
	last := list[len(list)-1]
	list[p.place[state]] = last
	p.place[last] = p.place[state]
	p.members[p.class[state]] = list[:len(list)-1]
}

func (p *partition) mark(state int32) {
	if p.marked[state] {
		return
	}
	p.marked[state] = true
	c := p.class[state]
	if len(p.again[c]) == 0 {
		p.queue = append(p.queue, c)
	}
	p.again[c] = append(p.again[c], state)
}

// split looks again at the members of a class that are marked, and moves out
// what no longer belongs together.
func (p *partition) split(c int32) {
	again := p.again[c]
	p.again[c] = nil
	groups := p.group(c, again)
	for _, s := range again {
		p.marked[s] = false
	}
	for _, g := range groups {
		fresh := p.open()
		for _, s := range g {
			p.take(s)
			p.put(s, fresh)
		}
	}
	for _, g := range groups {
		for _, s := range g {
			p.mark(s)
			for _, from := range p.sources.of(s) {
				p.mark(from)
			}
		}
	}
}

// group sorts the members of a class by signature and gives all groups but the
// largest, which is to stay.
func (p *partition) group(c int32, again []int32) [][]int32 {
	members := p.members[c]
	if len(members) == 1 {
		return nil
	}
	edges := 0
	for _, s := range again {
		edges += len(p.edges.of(s))
	}
	p.signatures.reset(len(again)+1, edges)
	var groups [][]int32
	unmarked := len(members) - len(again) // they are all of the first group
	if unmarked > 0 {
		for _, s := range members {
			if !p.marked[s] {
				p.signatures.number(p.edges.of(s), p.class, c)
				groups = append(groups, nil)
				break
			}
		}
	}
	for _, s := range again {
		i := p.signatures.number(p.edges.of(s), p.class, c)
		if i == len(groups) {
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	largest, most := 0, len(groups[0])+unmarked
	for i, g := range groups {
		if len(g) > most {
			largest, most = i, len(g)
		}
	}
	if largest != 0 && unmarked > 0 {
		for _, s := range members {
			if !p.marked[s] {
				groups[0] = append(groups[0], s)
			}
		}
	}
	return append(groups[:largest], groups[largest+1:]...)
}

// renumber gives classes new numbers, from 0 in the order of their least
// states.
func renumber(class []int32) []int32 {
	numbers := map[int32]int32{}
	list := make([]int32, len(class))
	for s, c := range class {
		n, known := numbers[c]
		if !known {
			n = int32(len(numbers))
			numbers[c] = n
		}
		list[s] = n
	}
	return list
}
