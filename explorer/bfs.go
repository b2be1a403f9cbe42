package explorer

import (
	"cmp"
	"maps"
)

// packed is a space of any size of words.
type packed interface {
	// run explores on: until nothing is left (nil), the search is cut short
	// (errCut), or the layout is outgrown (errOutgrown).
	run() error

	begin(starts []flat) error
	order() *queue
	survey() int
	pending() []flat
	each(runs []run, f func(state *flat, bad bool))
	predecessors(runs []run, of flat, f func(state *flat))
	absorb(old packed)
	graph() stateGraph
	release()

	save(w *checkpointWriter)
	load(r *checkpointReader) error
	relearn(answered []question) error
}

// bfs searches breadth first, and gives the last of the spaces that it worked
// in: it holds every state found.
func (s *search) bfs() (packed, error) {
	space, err := s.firstSpace()
	if err != nil && (space == nil || s.tables.shrink == nil) {
		return space, err
	}
	for {
		if err == nil {
			err = space.run()
		}
		if err == errOutgrown {
			var next packed
			if next, err = s.repack(space); err == nil {
				space = next
				continue
			}
		}
		if refused := s.refuseReaders(); refused != nil {
			return space, refused
		}
		if s.again(err) {
			next, failed := s.nextRound(err)
			if err = failed; next != nil {
				space = next
				continue
			}
		}
		if s.cut != nil {
			s.keeper.save(s, space)
			// What was found in a level that is not complete is found.
			s.closeLevel(space.order().depth() + 1)
		}
		if err == nil || err == errCut {
			err = cmp.Or(s.judgeRuns(space.graph), err)
		}
		space.release()
		return space, err
	}
}

// firstSpace gives the space to start in: with the start state, or with what a
// checkpoint holds.
func (s *search) firstSpace() (packed, error) {
	if s.opts.Resume != "" {
		return s.resume()
	}
	starts, err := s.start()
	if err != nil {
		return nil, err
	}
	if s.tables.shrink != nil {
		return s.nextRound(nil)
	}
	m := s.nextMaking()
	l, err := s.layoutOf(m)
	if err != nil {
		return nil, err
	}
	space := newPacked(s, m, l)
	return space, space.begin(starts)
}

// repack moves all states to a space with room for what is demanded by now,
// and with another layout where that does better.
func (s *search) repack(old packed) (packed, error) {
	s.inFlight = max(1, s.inFlight, old.survey())
	m := s.nextMaking()
	l, err := s.layoutOf(m)
	if err != nil {
		return nil, err
	}
	if err := s.enough(func() int64 { return s.repackNeed(l) }); err != nil {
		return nil, err
	}
	space := newPacked(s, m, l)
	space.absorb(old)
	return space, nil
}

// demandNetwork makes the next layout hold the network of this state.
func (s *search) demandNetwork(f flat) {
	if s.inFlight > 0 {
		s.inFlight = max(s.inFlight, len(f.net))
	}
	s.tables.countCopies(f.net)
}

// making is what a layout is made of: a later process makes the same of the
// same.
type making struct {
	Answers  int            `json:"answers"` // of the handlers', by then
	States   int64          `json:"states"`  // known by then
	Tight    bool           `json:"tight"`
	InFlight int            `json:"in_flight"`
	Copies   map[uint32]int `json:"copies"`
}

// nextMaking is for a layout that holds what is demanded by now.
func (s *search) nextMaking() making {
	d := s.demand()
	return making{
		Answers: s.tables.answered,
		States:  s.states,
		// Packing all states anew must not cost more than finding them did:
		// where it costs something, a layout without room is made only if twice
		// as many states are known as when the last one was.
		Tight:    s.states < 1<<16 || s.states >= 2*s.making.States,
		InFlight: d.inFlight,
		Copies:   maps.Clone(d.copies),
	}
}

// layoutOf makes a layout. As many answers must be known as then.
func (s *search) layoutOf(m making) (*layout, error) {
	d := s.demand()
	d.inFlight, d.copies = m.InFlight, m.Copies
	return newLayout(d, m.Tight)
}

// newPacked makes an empty space.
func newPacked(s *search, m making, l *layout) packed {
	s.making, s.packedAnswers = m, s.tables.answered
	switch l.words {
	case 1:
		return newSpace[[1]uint64](s, l)
	case 2:
		return newSpace[[2]uint64](s, l)
	case 3:
		return newSpace[[3]uint64](s, l)
	case 4:
		return newSpace[[4]uint64](s, l)
	case 6:
		return newSpace[[6]uint64](s, l)
	case 8:
		return newSpace[[8]uint64](s, l)
	case 16:
		return newSpace[[16]uint64](s, l)
	case 32:
		return newSpace[[32]uint64](s, l)
	}
	return newSpace[[64]uint64](s, l)
}

func (s *space[K]) begin(starts []flat) error {
	for _, f := range starts {
		k, ok := s.pack(f)
		if !ok {
			panic("explorer: the first layout does not hold the start state")
		}
		s.worker[0].emit(&k)
	}
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
		if err := s.betweenBatches(); err != nil {
			return err
		}
		if len(s.aside) > 0 {
			if err := s.takeUp(); err != nil {
				return err
			}
			continue
		}
		if batch := s.nextBatch(); batch != nil {
			s.expandBatch(batch)
			if err := s.gather(total(batch)); err != nil {
				return err
			}
			continue
		}
		if more, err := s.nextLevel(); !more {
			return err
		}
	}
}

// betweenBatches is where all that was found is in its place: the search can
// be cut short here, and taken up again.
func (s *space[K]) betweenBatches() error {
	depth := s.queue.depth()
	if err := s.pause(depth, s.frontier()); err != nil {
		return err
	}
	if d := s.opts.Depth; d != nil && depth >= *d { // as a resumed search may be
		s.cut = &Bound{Name: "depth", Limit: *d}
		return errCut
	}
	if err := s.enough(s.need); err != nil {
		return err
	}
	s.keeper.saveWhenDue(s.search, s)
	return nil
}

// nextBatch takes the states to expand next off the queue; none at the end of
// a level.
func (s *space[K]) nextBatch() []run {
	if s.queue.depth() < 0 {
		return nil
	}
	size, shrinks := s.batchSize()
	if shrinks && size < s.queue.left() {
		s.keeper.saveBeforeBound(s.search, s)
	}
	return s.queue.take(size)
}

// gather collects what the expansion of so many states gave: of none where they
// are those set aside, for these were counted when they were expanded first.
func (s *space[K]) gather(expanded int) error {
	known, emitted := s.states, s.emitted()
	err := s.collect()
	if expanded > 0 {
		s.effort = effort{Expanded: int64(expanded), Aside: int64(len(s.aside))}
	}
	s.effort.Emitted += emitted
	s.effort.Fresh += s.states - known
	return err
}

// nextLevel goes on to the level that was found last, unless that is empty or
// beyond a bound.
func (s *space[K]) nextLevel() (more bool, err error) {
	found := s.queue.depth() + 1
	if s.queue.depth() >= 0 && s.closeLevel(found) {
		return false, errCut
	}
	if s.due() {
		return false, errAgain
	}
	if d := s.opts.Depth; d != nil && found >= *d {
		s.cut = &Bound{Name: "depth", Limit: *d}
		return false, nil
	}
	s.lieDown()
	return s.queue.open(), nil
}

func (s *space[K]) frontier() int64 {
	return int64(s.queue.left() + total(s.queue.growing()))
}

func (s *space[K]) order() *queue { return &s.queue }
