package explorer

import "runtime/debug"

// budget keeps the process's resident set below what the user allows.
//
// Nothing can be given back in the middle of a batch, so the search asks
// before each whether what the batch may need is there, and ends if it is not.
// Meanwhile the Go runtime knows of the limit and collects garbage the harder
// the nearer it comes.
type budget struct {
	limit int64 // bytes; 0 for none

	// overhead is what is resident and not the Go runtime's own: the program,
	// above all. It grows while more of the program is used.
	overhead int64

	held     int64 // by the Go runtime, when the resident set was looked at last
	enforced bool  // the Go runtime knows of the limit
}

func newBudget(limit int64) budget {
	b := budget{limit: limit}
	if limit > 0 {
		b.look(inUse())
	}
	return b
}

// look measures the overhead. The Go runtime must know when it grows.
func (b *budget) look(held int64) {
	b.held = held
	if overhead := resident() - held; overhead > b.overhead {
		b.overhead = overhead
		b.tellRuntime()
	}
}

// margin is what is kept free: estimates are estimates, and the collector
// takes its time, the more of it the busier the machine is.
func (b *budget) margin() int64 { return b.limit/32 + 3<<20 }

// used is what is resident, or will be when all that the runtime holds is
// touched.
func (b *budget) used() int64 {
	const much = 1 << 18 // looking at the resident set takes a while
	held := inUse()
	if held > b.held+much || held < b.held-much {
		b.look(held)
	}
	return held + b.overhead
}

// allows says whether so much more may be taken. Before it says no it has the
// garbage collected, all of it, and looks again.
func (b *budget) allows(need int64) bool {
	if b.limit == 0 || b.used()+need <= b.limit-b.margin() {
		return true
	}
	debug.FreeOSMemory()
	// Twice the margin, or the next batch would have everything collected
	// again, and the one after it.
	return b.used()+need <= b.limit-2*b.margin()
}

// enforce tells the Go runtime of the limit; the function that it gives takes
// that back.
func (b *budget) enforce() (restore func()) {
	if b.limit == 0 {
		return func() {}
	}
	old := debug.SetMemoryLimit(-1)
	b.enforced = true
	b.tellRuntime()
	return func() { debug.SetMemoryLimit(old) }
}

// tellRuntime lowers the Go runtime's limit to what the budget leaves it. It
// is never raised, for the user may have set it too.
func (b *budget) tellRuntime() {
	if b.enforced {
		debug.SetMemoryLimit(min(debug.SetMemoryLimit(-1), max(1, b.limit-b.overhead-b.margin()/2)))
	}
}

// enough ends the search if it may not take so much more memory.
func (s *search) enough(need func() int64) error {
	if s.budget.limit == 0 || s.budget.allows(need()) {
		return nil
	}
	s.cut = &Bound{Name: "memory", Limit: s.budget.limit}
	return errCut
}
