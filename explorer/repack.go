package explorer

import "sync"

// absorb fills an empty space with all that another holds, packed anew. The
// queue keeps its levels, and what was expanded stays so; within a level the
// order changes with the hash.
func (s *space[K]) absorb(old packed) {
	q := old.order()
	for d := 0; d < q.depth(); d++ {
		s.absorbRuns(old, q.level(d))
		s.queue.open()
	}
	if q.depth() >= 0 {
		taken, left := q.split()
		s.absorbRuns(old, taken)
		s.queue.taken = len(s.queue.runs)
		s.absorbRuns(old, left)
		s.queue.open()
	}
	s.absorbRuns(old, q.level(q.depth()+1))
	for _, f := range old.pending() {
		k, ok := s.pack(f)
		if !ok {
			panic("explorer: a new layout does not hold what the old one did")
		}
		s.aside = append(s.aside, successor[K]{key: k})
	}
}

// absorbed is how many states are moved at a time.
const absorbed = 1 << 18

// absorbRuns moves some states.
func (s *space[K]) absorbRuns(old packed, runs []run) {
	s.wakeAll()
	for n := total(runs); n > 0; n = total(runs) {
		batch := slice(runs, 0, min(n, absorbed))
		runs = slice(runs, min(n, absorbed), n)
		var wg sync.WaitGroup
		bad := make([][]K, len(s.worker))
		for i, w := range s.worker {
			size := min(n, absorbed)
			part := slice(batch, size*i/len(s.worker), size*(i+1)/len(s.worker))
			s.parallel(&wg, len(s.worker), func() { bad[i] = w.absorb(old, part) })
		}
		wg.Wait()
		for _, list := range bad {
			for _, k := range list {
				s.bad[k] = struct{}{}
			}
		}
		s.insertBuckets(nil)
	}
}

func (w *worker[K]) absorb(old packed, runs []run) (bad []K) {
	old.each(runs, func(f *flat, isBad bool) {
		k, ok := w.s.pack(*f)
		if !ok {
			panic("explorer: a new layout does not hold what the old one did")
		}
		w.emit(&k)
		if len(w.found) >= scattered {
			w.scatter()
		}
		if isBad {
			bad = append(bad, k)
		}
	})
	w.flush()
	return bad
}

// each calls f for the states of some runs, in order. The state is f's until
// it returns.
func (s *space[K]) each(runs []run, f func(state *flat, bad bool)) {
	var state flat
	for _, r := range runs {
		p := &s.parts[r.part]
		for i := r.start; i < r.end; i++ {
			k := p.at(i)
			s.unpack(k, &state)
			_, bad := s.bad[*k]
			f(&state, bad)
		}
	}
}

// pending is the states set aside.
func (s *space[K]) pending() []flat {
	list := make([]flat, len(s.aside))
	for i := range s.aside {
		s.unpack(&s.aside[i].key, &list[i])
	}
	return list
}
