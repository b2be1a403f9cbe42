package explorer

import (
	"context"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// WeakHash says whether this is the build in which almost every two states
// have one hash.
const WeakHash = hashMask != ^uint64(0)

// Engine is the number that checkpoints bear.
const Engine = engine

// Sizes lists the sizes of packed states, in words.
func Sizes() []int { return sizes[:] }

func (s *space[K]) packing() (words int, sparse bool) { return s.layout.words, s.layout.sparse() }

// unbegun is a search that was not begun.
func unbegun(ctx context.Context, sys *model.System, o Options) (*search, error) {
	o.HandlerTime = call.DefaultLimit
	caller, err := call.New(sys, o.HandlerTime)
	if err != nil {
		return nil, err
	}
	return newSearch(ctx, sys, o, caller)
}

// Packing says how states are packed at the end of a search.
func Packing(ctx context.Context, sys model.System, o Options) (words int, sparse bool, err error) {
	s, err := unbegun(ctx, &sys, o)
	if err != nil {
		return 0, false, err
	}
	found, err := s.bfs()
	if err != nil && err != errCut {
		return 0, false, err
	}
	words, sparse = found.(interface{ packing() (int, bool) }).packing()
	return words, sparse, nil
}

// ExploreWrongly explores by the agents' tables, as those of another system have
// it; where it forgets, it also forgets what properties read.
func ExploreWrongly(ctx context.Context, sys, tablesOf model.System, forgets bool, o Options) (*Report, error) {
	o.HandlerTime, o.Workers = call.DefaultLimit, 1
	caller, err := call.New(&sys, o.HandlerTime)
	if err != nil {
		return nil, err
	}
	s, err := newSearch(ctx, &sys, o, caller)
	if err != nil {
		return nil, err
	}
	other, err := call.New(&tablesOf, o.HandlerTime)
	if err != nil {
		return nil, err
	}
	s.tables.shrink.closing = newClosing(&tablesOf, other)
	s.tables.shrink.closing.stopped = s.interrupted
	space, err := s.firstSpace()
	for again := true; again; {
		for a := range s.tables.agents {
			s.tables.shrink.agents[a].kept = s.tables.shrink.agents[a].kept || forgets
		}
		if err == nil {
			err = space.run()
		}
		if err == errOutgrown {
			space, err = s.repack(space)
			continue
		}
		for a := range s.tables.agents {
			s.tables.agents[a].read = s.tables.agents[a].read && !forgets
		}
		if again = s.again(err); again {
			space, err = s.nextRound(err)
		}
	}
	if err != nil && err != errCut {
		return nil, err
	}
	return s.report(levels{s, space})
}

// ExploreCold explores by the agents' tables and merges states from the first
// round on, so that much is made up.
func ExploreCold(ctx context.Context, sys model.System, o Options) (*Report, error) {
	s, err := unbegun(ctx, &sys, o)
	if err != nil {
		return nil, err
	}
	s.tables.shrink.warming = false
	return s.explore()
}

// ExploreUnchecked explores by symmetry without checking that agents are alike.
func ExploreUnchecked(ctx context.Context, sys model.System, o Options) (*Report, error) {
	s, err := unbegun(ctx, &sys, o)
	if err != nil {
		return nil, err
	}
	s.symmetry.generators = nil
	return s.explore()
}
