package explorer

import "github.com/caulk-go/caulk/model"

// judge says of every new state whether the properties hold. A property is a
// pure function of what it reads, so that its answer is remembered for the
// agents' states that it read: mostly far fewer combinations than there are
// states.
//
// The owners of partitions glance at new states in parallel and use only what
// is remembered; the rest is settled afterwards, by one goroutine, in order.
type judge[K words] struct {
	s         *space[K]
	memos     []memo[K]     // by property
	pairs     []pairMemo[K] // by property, for those over moves
	boundary  memo[K]
	glances   []glimpse[K] // by owner
	unsettled [][]uint32   // by partition: states that some property must be asked about
}

// glimpse is what one owner saw in a batch.
type glimpse[K words] struct {
	tally
	bad []K

	_ [128]byte // the next owner's is another core's at the same time
}

// tally counts what was judged, and keeps the first of each find.
type tally struct {
	halted, inconsistent int64
	tested               []int64 // by property
	found                []*hit  // by property: where one fails, a sometimes is reached
}

// answer is what a property says of a state.
type answer uint8

const (
	unasked   answer = iota
	elsewhere        // it does not apply
	holds
	fails
	metElsewhere // of leads-to: what it leads to holds where it does not apply
)

// tests says whether the property was put to the test.
func (a answer) tests() bool { return a == holds || a == fails }

// learned forgets what was answered of a network of fewer messages: what a
// property read of it then was all there was, and is no longer.
func (j *judge[K]) learned() {
	for i := range j.memos {
		j.memos[i].widen(&j.s.networkBits)
		if p := &j.pairs[i]; p.network {
			p.before, p.after, p.answers = with(&p.before, &j.s.networkBits), with(&p.after, &j.s.networkBits), nil
		}
	}
	j.boundary.widen(&j.s.networkBits)
}

func newJudge[K words](s *space[K]) *judge[K] {
	j := &judge[K]{s: s, unsettled: make([][]uint32, partitions), glances: make([]glimpse[K], s.workers), boundary: newMemo[K]()}
	for range s.properties {
		j.memos = append(j.memos, newMemo[K]())
		j.pairs = append(j.pairs, pairMemo[K]{})
	}
	for i := range j.glances {
		j.glances[i].tally = newTally(len(s.properties))
	}
	return j
}

func newTally(properties int) tally {
	// Capacity to spare keeps two owners' counts out of one cache line.
	return tally{tested: make([]int64, properties, properties+16), found: make([]*hit, properties)}
}

// glance judges the states of a partition from a number on, as far as that
// needs no call of a property.
func (j *judge[K]) glance(owner, part int, from uint32) {
	p := &j.s.parts[part]
	g := &j.glances[owner]
	answers := make([]answer, len(j.memos))
	for i := from; i < p.states; i++ {
		k := p.at(i)
		if !j.recall(k, answers) {
			j.unsettled[part] = append(j.unsettled[part], i)
			continue
		}
		if j.tally(&g.tally, k, answers) {
			g.bad = append(g.bad, *k)
		}
	}
}

// recall gives the remembered answers; false if one is missing.
func (j *judge[K]) recall(k *K, answers []answer) bool {
	for i := range j.memos {
		if answers[i] = j.s.properties[i].given(); answers[i] != unasked {
			continue
		}
		if answers[i] = j.memos[i].get(k); answers[i] == unasked {
			return false
		}
	}
	return true
}

// tally counts a state, and says whether it is inconsistent.
func (j *judge[K]) tally(t *tally, k *K, answers []answer) (bad bool) {
	if j.s.tables.anyHalted && j.s.haltedKey(k) {
		t.halted++
	}
	for i, a := range answers {
		p := &j.s.properties[i]
		if a.tests() {
			t.tested[i]++
		}
		if a == fails && p.Kind == model.KindAlways {
			bad = true
		}
		if p.hits(a) {
			h := &hit{}
			j.s.unpack(k, &h.at)
			t.find(j.s.tables, i, h)
		}
	}
	if bad {
		t.inconsistent++
	}
	return bad
}

// find keeps the greatest find of a level: any fixed choice would do.
func (t *tally) find(tables *tables, property int, h *hit) {
	if best := t.found[property]; best == nil || tables.compareHits(h, best) > 0 {
		t.found[property] = h
	}
}

// given is what a property is known to say of any state without being asked;
// unasked if nothing is.
func (p *property) given() answer {
	switch {
	case p.settled:
		return holds
	case !p.byState():
		return elsewhere
	}
	return unasked
}

// settle puts together what the owners saw, and asks the properties about the
// states that they could not judge.
func (j *judge[K]) settle() error {
	level := j.s.queue.depth() + 1 // the one that grows
	for i := range j.glances {
		g := &j.glances[i]
		j.s.count(&g.tally, level)
		for _, k := range g.bad {
			j.s.bad[k] = struct{}{}
		}
		g.bad = g.bad[:0]
		g.tally = newTally(len(j.memos))
	}
	t := newTally(len(j.memos))
	answers := make([]answer, len(j.memos))
	for part := range j.unsettled {
		// In portions, so that a property that never returns is noticed.
		const portion = 64
		for list := j.unsettled[part]; len(list) > 0; list = list[min(portion, len(list)):] {
			err := j.s.guardProperties(func() {
				for _, i := range list[:min(portion, len(list))] {
					k := j.s.parts[part].at(i)
					j.ask(k, answers)
					if j.tally(&t, k, answers) {
						j.s.bad[*k] = struct{}{}
					}
				}
			})
			if err != nil {
				return err
			}
		}
		j.unsettled[part] = j.unsettled[part][:0]
	}
	j.s.count(&t, level)
	return nil
}

// ask asks the properties, and remembers what they say.
func (j *judge[K]) ask(k *K, answers []answer) {
	for i := range j.memos {
		if answers[i] = j.s.properties[i].given(); answers[i] != unasked {
			continue
		}
		if answers[i] = j.memos[i].get(k); answers[i] == unasked {
			answers[i] = j.askOne(i, k)
		}
	}
}

// within asks the boundary, unless it is remembered: holds within, fails beyond.
func (j *judge[K]) within(k *K) answer {
	a := j.boundary.get(k)
	if a == unasked {
		v := &view[K]{s: j.s, k: k}
		a = j.s.askBoundary(v)
		j.boundary.remember(v, a)
		j.s.boundaryReads = j.s.boundaryReads || v.network
	}
	return a
}

// askOne asks one of them.
func (j *judge[K]) askOne(property int, k *K) answer {
	v := &view[K]{s: j.s, k: k}
	a := ask(&j.s.properties[property].Property, v)
	j.memos[property].remember(v, a)
	j.s.properties[property].network = j.s.properties[property].network || v.network
	return a
}

// haltedKey says whether some agent is halted.
func (s *space[K]) haltedKey(k *K) bool {
	for a := range s.agents {
		if s.agents[a].rows[get(k, s.agents[a].field)].halted {
			return true
		}
	}
	return false
}
