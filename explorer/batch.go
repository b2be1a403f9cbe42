package explorer

// A batch is how many states are expanded before what was found is collected.
// Batches depend on counts of states only, so that they are the same on every
// machine; large ones keep a partition in cache while many states are worked into
// it. Where states are expanded the general way that is not what takes the time, and
// a batch is so small that what is on its way takes little beside the states found.
const (
	fullBatch  = 1 << 20
	leastBatch = 1 << 15
	batchShare = 32
)

// batchSize is less near --max-states, so as to stop close to it: then it shrinks.
func (s *space[K]) batchSize() (size int, shrinks bool) {
	size = fullBatch
	if s.loose() {
		size = int(min(fullBatch, max(leastBatch, s.states/batchShare)))
	}
	if s.opts.MaxStates > 0 {
		if most := int(max(1, (s.opts.MaxStates-s.states)/4)); most < size {
			return most, true
		}
	}
	return size, false
}
