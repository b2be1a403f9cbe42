package explorer

import "slices"

// want is whether a message can ever be noticed by an agent that is in a class, or
// will come to another.
type want uint8

const (
	unsettled want = iota
	wanted
	unwanted
)

// wanted finds that out. It asks only what it must: nearest first, until it comes
// to a state that takes notice; all that can be reached is asked about only
// if there is none. While no states are merged most pairs of a table are never
// asked about that way.
func (k *shrink) wanted(a int, class int32, rank int) bool {
	g := &k.agents[a]
	if g.want[rank] == nil {
		g.want[rank] = make([]want, len(g.members))
	}
	known := g.want[rank]
	if known[class] != unsettled {
		return known[class] == wanted
	}
	from := map[int32]int32{class: -1} // by class reached: the one before
	for reached := []int32{class}; len(reached) > 0; reached = reached[1:] {
		at := reached[0]
		if known[at] == unwanted {
			continue
		}
		if known[at] == wanted || k.heedsAny(a, at, rank) {
			for ; at >= 0; at = from[at] {
				known[at] = wanted
			}
			return true
		}
		for _, next := range k.leadsTo(a, at) {
			if _, met := from[next]; !met {
				from[next] = at
				reached = append(reached, next)
			}
		}
	}
	for at := range from { //tidy:unordered marks are set
		known[at] = unwanted
	}
	return false
}

// heedsAny says whether some state of a class takes notice of a message. It says
// so without asking when enough was asked.
func (k *shrink) heedsAny(a int, class int32, rank int) bool {
	for _, member := range k.agents[a].members[class] {
		if k.closing.asked > maxAsked || k.closing.stopped() || k.heeds(a, class, k.closing.pair(a, int(member), rank)) {
			return true
		}
	}
	return false
}

// leadsTo lists the classes that the moves of a class lead to: its least state
// has those of all.
func (k *shrink) leadsTo(a int, class int32) []int32 {
	g := &k.agents[a]
	if g.next[class] != nil {
		return g.next[class]
	}
	list := []int32{}
	c := &k.closing.agents[a]
	row := &c.rows[g.members[class][0]]
	for i := range row.pairs {
		if p := &row.pairs[i]; p.met {
			list = append(list, g.reduced.Class[c.places[p.next]])
		}
	}
	for _, o := range row.own {
		list = append(list, g.reduced.Class[c.places[o.next]])
	}
	slices.Sort(list)
	g.next[class] = slices.Compact(list)
	return g.next[class]
}

// settle asks what must be known to say which messages are dead where they were
// met.
func (k *shrink) settle(a int) {
	g := &k.agents[a]
	for class, members := range g.members {
		for rank := range g.inputs {
			for _, member := range members {
				if k.closing.agents[a].rows[member].pairs[rank].met {
					k.wanted(a, int32(class), rank)
					break
				}
			}
		}
	}
}
