package explorer

// run is a range of states of one partition.
type run struct {
	part       uint32
	start, end uint32
}

func (r run) states() int { return int(r.end - r.start) }

// queue holds all states found, as runs, in the order in which they are
// expanded: by level, and within a level in order of discovery.
type queue struct {
	runs   []run
	starts []int  // by level: its first run; the last level is the one that still grows
	taken  int    // the runs before this one are expanded
	offset uint32 // and so many states of this one
}

func newQueue() queue { return queue{starts: []int{0}} }

func (q *queue) push(r run) { q.runs = append(q.runs, r) }

// open closes the growing level, so that it can be expanded; false if it is
// empty.
func (q *queue) open() bool {
	if q.starts[len(q.starts)-1] == len(q.runs) {
		return false
	}
	q.starts = append(q.starts, len(q.runs))
	return true
}

// depth is the level that is being expanded; -1 before the first.
func (q *queue) depth() int { return len(q.starts) - 2 }

// take gives the next states of the level that is being expanded, at most so
// many; none at its end.
func (q *queue) take(most int) []run {
	var batch []run
	for end := q.starts[len(q.starts)-1]; most > 0 && q.taken < end; {
		r := q.runs[q.taken]
		r.start += q.offset
		if r.states() > most {
			r.end = r.start + uint32(most)
			q.offset += uint32(most)
		} else {
			q.taken, q.offset = q.taken+1, 0
		}
		most -= r.states()
		batch = append(batch, r)
	}
	return batch
}

// level is the states of a level.
func (q *queue) level(d int) []run {
	if d+1 < len(q.starts) {
		return q.runs[q.starts[d]:q.starts[d+1]]
	}
	return q.runs[q.starts[d]:]
}

// split gives the states of the level that is being expanded: those taken and
// those not yet.
func (q *queue) split() (taken, left []run) {
	level := q.level(q.depth())
	n := int(q.offset)
	for _, r := range q.runs[q.starts[q.depth()]:q.taken] {
		n += r.states()
	}
	return slice(level, 0, n), slice(level, n, total(level))
}

// left is how many states of the level that is being expanded are not taken
// yet.
func (q *queue) left() int {
	if q.depth() < 0 {
		return 0
	}
	return total(q.runs[q.taken:q.starts[len(q.starts)-1]]) - int(q.offset)
}

// growing is the level that still grows.
func (q *queue) growing() []run { return q.runs[q.starts[len(q.starts)-1]:] }

// slice cuts a range of states out of runs.
func slice(runs []run, from, to int) []run {
	var part []run
	at := 0
	for _, r := range runs {
		lo, hi := max(from-at, 0), min(to-at, r.states())
		if lo < hi {
			part = append(part, run{r.part, r.start + uint32(lo), r.start + uint32(hi)})
		}
		at += r.states()
	}
	return part
}

func total(runs []run) int {
	n := 0
	for _, r := range runs {
		n += r.states()
	}
	return n
}
