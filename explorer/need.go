package explorer

import "unsafe"

// Estimates of what the next step of a search may take beyond what is in use.
// They err on the side of too much: a search that ends early can be told to go
// on with more memory, a process that the system kills cannot.

// effort is what a batch took: how many states were expanded, how many of them
// were set aside at first; how many successors they were found to have in the
// end, and how many of those were new.
type effort struct {
	Expanded int64 `json:"expanded"`
	Aside    int64 `json:"aside"`
	Emitted  int64 `json:"emitted"`
	Fresh    int64 `json:"fresh"`
}

// scaled is the effort of another batch, of so many states, with a quarter
// more for what may be different in it.
func (e effort) scaled(states int64) effort {
	if e.Expanded == 0 {
		return effort{Expanded: states, Aside: states, Emitted: states, Fresh: states}
	}
	scale := func(n int64) int64 { return n*states/e.Expanded*5/4 + 16 }
	return effort{states, min(states, scale(e.Aside)), scale(e.Emitted), scale(e.Fresh)}
}

// need is for expanding the states that are set aside, and then the next
// batch.
func (s *space[K]) need() int64 {
	var k K
	size := int64(8 * len(k))
	waiting := s.queue.left()
	if waiting == 0 {
		waiting = total(s.queue.growing())
	}
	most, _ := s.batchSize()
	batch := s.effort.scaled(int64(min(waiting, most)))
	aside := s.effort.scaled(int64(len(s.aside)))
	fresh := batch.Fresh + aside.Fresh
	need := s.bucketNeed(batch.Emitted, aside.Emitted)
	need += fresh*3*size + min(fresh, partitions)*chunkBytes // each with what sleeps in it, in a slice that grows
	need += 3 * batch.Aside * size                           // the workers' lists, the space's, which is copied as it grows
	need += 8 * fresh                                        // what the properties must be asked about
	for p := range s.parts {
		part := &s.parts[p]
		need += 4 * tableNeed(len(part.table), int64(part.states)+fresh/partitions*9/8+32)
	}
	for i := range s.judge.memos {
		m := &s.judge.memos[i]
		used := int64(m.used) + int64(m.used)*fresh/max(1, s.states) + min(fresh, 1<<10)
		need += (size + 1) * tableNeed(len(m.keys), used)
	}
	return need + 4*(size+8)*fresh*s.inconsistent/max(1, s.states)
}

// bucketNeed is for successors on their way to the partitions. Those of the
// states set aside all come from one worker.
func (s *space[K]) bucketNeed(batch, aside int64) int64 {
	var k K
	var need int64
	for i, w := range s.worker {
		emitted := batch / int64(len(s.worker))
		if i == 0 {
			emitted = max(emitted, min(batch, 32*small), aside)
		}
		need += max(0, emitted*int64(16*len(k))+min(emitted, partitions)*blockBytes-w.bucketBytes())
	}
	return need
}

// tableNeed is how many slots a hash table of so many makes anew until it
// holds so many entries.
func tableNeed(slots int, entries int64) (need int64) {
	for n := int64(slots); entries*4 >= n*3; need += n {
		n = max(64, 2*n)
	}
	return need
}

// refreshNeed is for packing rows anew.
func (s *space[K]) refreshNeed() (need int64) {
	var k K
	for key := range s.stale {
		local := &s.tables.agents[key.agent].states[key.state]
		need += rowBytes(len(k), 1, len(local.received)+len(local.own))
	}
	fresh := s.tables.answered - s.packedAnswers
	return need + rowBytes(len(k), fresh, 0) // each may have led to a new local state
}

// rowBytes is about what rows with so many effects take together.
func rowBytes(words, rows, effects int) int64 {
	return int64(rows)*int64(16*words+160) + int64(effects)*int64(24*words+64)
}

// repackNeed is for a second space, of another layout, while the first is
// still there.
func (s *search) repackNeed(l *layout) int64 {
	locals := 0
	for _, a := range s.tables.agents {
		locals += len(a.states)
	}
	size := int64(8 * l.words)
	// A table has up to 8/3 slots for each state, and half as many more while
	// it grows.
	need := s.states*(size+16) + min(s.states, partitions)*chunkBytes
	need += rowBytes(l.words, locals, s.tables.answered)
	return need + min(s.states, absorbed)*size + min(s.states, int64(partitions*s.workers))*blockBytes
}

// emitted is how many successors wait in the buckets.
func (s *space[K]) emitted() (n int64) {
	for _, w := range s.worker {
		for p := range w.buckets {
			n += int64(w.buckets[p].states())
		}
	}
	return n
}

// release gives back what only searching needs; the states stay.
func (s *space[K]) release() {
	s.worker, s.judge = nil, nil
	for p := range s.parts {
		s.parts[p].table = nil
	}
}

// enough ends a search depth first that may not go on for so many states.
func (t *tree) enough() error {
	const portion = 1 << 10 // states between two looks
	const each = 1 << 10    // what one takes, about, with its maps and slices
	full := len(t.states) == cap(t.states)
	if !full && len(t.states)%portion != 0 {
		return nil
	}
	return t.s.enough(func() int64 {
		need := int64(portion * each)
		if full { // they move to a place a quarter larger
			need += int64(cap(t.states)) * 5 / 4 * int64(unsafe.Sizeof(treeState{}))
		}
		return need
	})
}
