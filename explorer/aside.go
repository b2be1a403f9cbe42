package explorer

import (
	"slices"

	"github.com/caulk-go/caulk/internal/call"
)

// takeUp expands the states that were set aside, after everything is worked
// out that they need.
func (s *space[K]) takeUp() error {
	if err := s.resolveAside(); err != nil {
		return err
	}
	if !s.layout.fits(s.demand()) {
		return errOutgrown
	}
	if err := s.enough(s.refreshNeed); err != nil {
		return err
	}
	s.refresh()
	again := s.aside
	s.aside = nil
	w := s.worker[0]
	if err := s.expandAgain(w, again); err != nil {
		return err
	}
	w.flush()
	// What is still aside has more copies of a message than can be counted, or
	// more messages than there are slots for.
	var f flat
	for i := range w.aside {
		s.unpack(&w.aside[i].key, &f)
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
	return s.gather(0)
}

// expandAgain expands what was set aside. Properties are asked then, in
// portions, so that one that never returns is noticed.
func (s *space[K]) expandAgain(w *worker[K], again []successor[K]) error {
	const portion = 64
	expand := func(part []successor[K]) {
		for i := range part {
			w.expandAny(&part[i].key, &part[i].sleep)
		}
	}
	if !s.general {
		expand(again)
		return nil
	}
	w.looker.asking = true
	for part := range slices.Chunk(again, portion) {
		if err := s.guardProperties(func() { expand(part) }); err != nil {
			return err
		}
		if s.broken != nil {
			return s.broken
		}
	}
	w.looker.asking = false
	return nil
}

// resolveAside calls the handlers for every state set aside, in order.
func (s *space[K]) resolveAside() error {
	const portion = 128 // after so many answers, see whether there is room for more
	var f flat
	err := s.tables.caller.Watched(func() error {
		for i, next := 0, s.tables.answered+portion; i < len(s.aside); i++ {
			if s.tables.answered >= next {
				next = s.tables.answered + portion
				if err := s.enough(func() int64 { return 0 }); err != nil {
					return err
				}
			}
			s.unpack(&s.aside[i].key, &f)
			if err := s.resolve(f, s.queue.depth()); err != nil {
				return err
			}
			for a, state := range f.states {
				s.stale[localKey{a, state}] = struct{}{}
			}
		}
		return nil
	})
	switch err.(type) {
	case *call.TimeoutError, *call.PanicError: // nobody was left to say where
		return s.blame(err, f, s.queue.depth())
	}
	return err
}

// refresh packs what was learned since the layout was made: messages, new
// local states, and what changed in old ones.
func (s *space[K]) refresh() {
	if from, now := s.layout.messages, s.demand().messages; from < now {
		s.layout.learn(now)
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
	s.packedAnswers = s.tables.answered
}
