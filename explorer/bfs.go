package explorer

import (
	"errors"

	"github.com/caulk-go/caulk/internal/call"
)

// packed is a space of any size of words.
type packed interface {
	// run explores on: until nothing is left (nil), the search is cut short
	// (errCut), or the layout is outgrown (errOutgrown).
	run() error

	begin(f flat) error
	order() *queue
	survey() int
	pending() []flat
	each(runs []run, f func(state *flat, bad bool))
	predecessors(runs []run, of flat, f func(state *flat))
	absorb(old packed)
}

// bfs searches breadth first, and gives the last of the spaces that it worked
// in: it holds every state found.
func (s *search) bfs() (packed, error) {
	start, err := s.start()
	if err != nil {
		return nil, err
	}
	space, err := s.newPacked()
	if err != nil {
		return nil, err
	}
	if err := space.begin(start); err != nil {
		return space, err
	}
	for {
		err := space.run()
		if err != errOutgrown {
			return space, err
		}
		// Now is the time to see whether another layout would do better.
		s.inFlight = max(1, s.inFlight, space.survey())
		next, err := s.newPacked()
		if err != nil {
			return space, err
		}
		next.absorb(space)
		space = next
	}
}

// start is the state in which the system begins.
func (s *search) start() (flat, error) {
	states, sent, err := s.tables.start()
	if p := new(call.PanicError); errors.As(err, &p) {
		s.panicked = &panicked{err: p}
		return flat{}, errCut
	}
	if err != nil {
		return flat{}, err
	}
	f := flat{states: states}
	for _, m := range sent {
		f.net = s.tables.send(f.net, m)
	}
	s.demandNetwork(f)
	s.first = f
	return f, nil
}

// demandNetwork makes the next layout hold the network of this state.
func (s *search) demandNetwork(f flat) {
	if s.inFlight > 0 {
		s.inFlight = max(s.inFlight, len(f.net))
	}
	s.tables.countCopies(f.net)
}

// newPacked makes an empty space that holds what is demanded by now.
func (s *search) newPacked() (packed, error) {
	// Packing all states anew must not cost more than finding them did: where
	// it costs something, a layout without room is made only if twice as many
	// states are known as when the last one was.
	l, err := newLayout(s.demand(), s.states < 1<<16 || s.states >= 2*s.repacked)
	s.repacked = s.states
	if err != nil {
		return nil, err
	}
	switch l.words {
	case 1:
		return newSpace[[1]uint64](s, l), nil
	case 2:
		return newSpace[[2]uint64](s, l), nil
	case 3:
		return newSpace[[3]uint64](s, l), nil
	case 4:
		return newSpace[[4]uint64](s, l), nil
	case 6:
		return newSpace[[6]uint64](s, l), nil
	case 8:
		return newSpace[[8]uint64](s, l), nil
	case 16:
		return newSpace[[16]uint64](s, l), nil
	case 32:
		return newSpace[[32]uint64](s, l), nil
	}
	return newSpace[[64]uint64](s, l), nil
}

// batchSize is how many states are expanded before what was found is
// collected. It depends on counts of states only, so that batches are the same
// on every machine. Large batches keep a partition in cache while many states
// are worked into it; near --max-states they shrink, so as to stop close to it.
func (s *search) batchSize() int {
	const most = 1 << 20
	if s.opts.MaxStates == 0 {
		return most
	}
	return int(min(most, max(1, (s.opts.MaxStates-s.states)/4)))
}

func (s *space[K]) begin(f flat) error {
	k, ok := s.pack(f)
	if !ok {
		panic("explorer: the first layout does not hold the start state")
	}
	s.worker[0].emit(&k)
	s.worker[0].flush()
	if err := s.collect(); err != nil {
		return err
	}
	if s.closeLevel(0) {
		return errCut
	}
	return nil
}

func (s *space[K]) run() error {
	for {
		if len(s.aside) > 0 {
			if err := s.takeUp(); err != nil {
				return err
			}
			continue
		}
		if s.queue.depth() >= 0 {
			if batch := s.queue.take(s.batchSize()); batch != nil {
				s.expandBatch(batch)
				if err := s.collect(); err != nil {
					return err
				}
				if err := s.pause(s.queue.depth(), s.frontier()); err != nil {
					return err
				}
				continue
			}
		}
		if more, err := s.nextLevel(); !more {
			return err
		}
	}
}

// nextLevel goes on to the level that was found last, unless that is empty or
// beyond a bound.
func (s *space[K]) nextLevel() (more bool, err error) {
	found := s.queue.depth() + 1
	if s.queue.depth() >= 0 && s.closeLevel(found) {
		return false, errCut
	}
	if d := s.opts.Depth; d != nil && found >= *d {
		s.cut = &Bound{Name: "depth", Limit: *d}
		return false, nil
	}
	return s.queue.open(), nil
}

// takeUp expands the states that were set aside, after everything is worked
// out that they need.
func (s *space[K]) takeUp() error {
	if err := s.resolveAside(); err != nil {
		return err
	}
	if !s.layout.fits(s.demand()) {
		return errOutgrown
	}
	s.refresh()
	again := s.aside
	s.aside = nil
	w := s.worker[0]
	for i := range again {
		w.expandAny(&again[i])
	}
	w.flush()
	// What is still aside has more copies of a message than can be counted, or
	// more messages than there are slots for.
	var f flat
	for i := range w.aside {
		s.unpack(&w.aside[i], &f)
		choices, err := s.tables.choices(f)
		if err != nil {
			return err
		}
		for _, c := range choices {
			s.demandNetwork(s.tables.after(f, c))
		}
	}
	s.aside = append(s.aside, w.aside...)
	w.aside = w.aside[:0]
	return s.collect()
}

// resolveAside calls the handlers for every state set aside, in order.
func (s *space[K]) resolveAside() error {
	var f flat
	for i := range s.aside {
		s.unpack(&s.aside[i], &f)
		if err := s.resolve(f, s.queue.depth()); err != nil {
			return err
		}
		for a, state := range f.states {
			s.stale[localKey{a, state}] = struct{}{}
		}
	}
	return nil
}

// refresh packs what was learned since the layout was made: messages, new
// local states, and what changed in old ones.
func (s *space[K]) refresh() {
	if from := s.layout.messages; from < len(s.tables.messages) {
		s.layout.learn(len(s.tables.messages))
		s.learnMessages(from)
	}
	for a := range s.agents {
		for state := len(s.agents[a].rows); state < len(s.tables.agents[a].states); state++ {
			s.refreshRow(a, uint32(state))
		}
	}
	for key := range s.stale { //tidy:unordered each row is packed by itself
		s.refreshRow(key.agent, key.state)
	}
	clear(s.stale)
}

func (s *space[K]) frontier() int64 {
	_, left := s.queue.split()
	growing := s.queue.runs[s.queue.starts[len(s.queue.starts)-1]:]
	return int64(total(left) + total(growing))
}

func (s *space[K]) order() *queue { return &s.queue }
