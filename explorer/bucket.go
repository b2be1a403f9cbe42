package explorer

// successor is a state that a move leads to, and the moves that need not be
// made there (see sleep.go).
type successor[K words] struct{ key, sleep K }

// bucket holds successors on their way to one partition, in order. They lie in
// blocks that are used again and again, so that a bucket never moves, takes no
// more than it holds, and leaves nothing to the garbage collector.
type bucket[K words] struct {
	full [][]successor[K]
	last []successor[K] // the block that is being filled
}

// line gathers successors for one bucket before they are written to it. The
// lines of all buckets stay in the core's cache, so that a successor costs a
// store there, and not a miss in the cache and in the TLB for a bucket that
// was last written to long ago.
type line[K words] [lineLength]successor[K]

const lineLength = 8

// blockBytes is about what a block takes: some full lines, at least one.
const blockBytes = 1 << 12

// blockLength is how many successors a block takes.
func blockLength[K words]() int {
	var k K
	return lineLength * max(1, blockBytes/16/len(k)/lineLength)
}

// scatter distributes the successors found to the buckets.
func (w *worker[K]) scatter() {
	for i := range w.found {
		x := &w.found[i]
		b := hash(&x.key) >> (64 - partitionBits)
		n := w.filled[b]
		w.lines[b][n%lineLength] = *x
		n++
		if n == lineLength {
			w.write(int(b))
			n = 0
		}
		w.filled[b] = n
	}
	w.found = w.found[:0]
}

// scattered is how many successors are gathered before they are scattered: few
// enough to stay in the nearest cache.
const scattered = 256

// write writes a full line to its bucket.
func (w *worker[K]) write(b int) {
	bucket := &w.buckets[b]
	n := len(bucket.last)
	if n == cap(bucket.last) {
		w.addBlock(bucket)
		n = 0
	}
	bucket.last = bucket.last[:n+lineLength]
	*(*line[K])(bucket.last[n:]) = w.lines[b]
}

func (w *worker[K]) addBlock(b *bucket[K]) {
	if b.last != nil {
		b.full = append(b.full, b.last)
	}
	if n := len(w.free); n > 0 {
		b.last, w.free = w.free[n-1], w.free[:n-1]
		return
	}
	b.last = make([]successor[K], 0, blockLength[K]())
}

// flush writes out what is left in the lines. It leaves a bucket's last block
// shorter by part of a line, which is no matter, for the bucket is emptied
// before it is written to again.
func (w *worker[K]) flush() {
	w.scatter()
	for b := range w.buckets {
		n := int(w.filled[b])
		if n == 0 {
			continue
		}
		bucket := &w.buckets[b]
		if len(bucket.last) == cap(bucket.last) {
			w.addBlock(bucket)
		}
		bucket.last = append(bucket.last, w.lines[b][:n]...)
		w.filled[b] = 0
	}
}

// each calls f for the successors, block by block, in order.
func (b *bucket[K]) each(f func([]successor[K])) {
	for _, block := range b.full {
		f(block)
	}
	f(b.last)
}

// states is how many successors there are.
func (b *bucket[K]) states() int {
	n := len(b.last)
	for _, block := range b.full {
		n += len(block)
	}
	return n
}

// empty empties all buckets, and keeps their blocks for the next batch.
func (w *worker[K]) empty() {
	for i := range w.buckets {
		b := &w.buckets[i]
		for _, block := range b.full {
			w.free = append(w.free, block[:0])
		}
		b.full, b.last = b.full[:0], b.last[:0]
	}
}

// bucketBytes is the memory that the worker's buckets take.
func (w *worker[K]) bucketBytes() int64 {
	blocks := len(w.free)
	for i := range w.buckets {
		blocks += len(w.buckets[i].full) + 1
	}
	var k K
	return int64(blocks) * int64(blockLength[K]()*16*len(k))
}
