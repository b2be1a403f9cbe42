package explorer

import (
	"errors"
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// refuseShrink says why the reductions dead and minimal are refused, as far as
// that is known before the search.
func (s *search) refuseShrink() error {
	for _, r := range []Reduction{Dead, Minimal} {
		if !s.asks(r) {
			continue
		}
		if err := s.refuseOne(r); err != nil {
			return fmt.Errorf("the reduction %q is refused: %w", r, err)
		}
	}
	return nil
}

func (s *search) refuseOne(r Reduction) error {
	o := &s.opts
	switch {
	case s.sys.Network == model.Fifo:
		return errors.New("on a fifo network a message that is ignored blocks its queue until it is delivered")
	case o.Search != BFS:
		return fmt.Errorf("it goes over its tables level by level, and the search is %q", o.Search)
	case o.Checkpoint != "" || o.Resume != "":
		return errors.New("a checkpoint does not hold its tables")
	case o.Cover:
		return errors.New("coverage counts deliveries that it leaves out")
	case o.Graph == StateGraph:
		return errors.New("a diagram of states shows networks, and it takes messages off them")
	case o.Graph != NoGraph && r == Minimal:
		return errors.New("a diagram shows every label, and it merges states")
	}
	for i := range s.properties {
		p := &s.properties[i]
		switch {
		case p.Kind.Liveness():
			return fmt.Errorf("the property %q is about whole runs (%s), and it keeps only what holds in states", p.Name, p.Kind)
		case p.byEnd():
			return fmt.Errorf("the property %q is about ends (%s), and what it takes off the network is delivered before an end", p.Name, p.Kind)
		case p.byMove() && r == Minimal:
			return fmt.Errorf("the property %q is about steps (%s), and it leaves out steps between states that it merges", p.Name, p.Kind)
		}
	}
	return nil
}

// refuseReaders says why the reductions are refused after all, once something is
// seen to read the network. A sometimes may: its witness is asked about again,
// in the whole system.
func (s *search) refuseReaders() error {
	k := s.tables.shrink
	if k == nil {
		return nil
	}
	for i := range s.properties {
		if p := &s.properties[i]; p.network && p.Kind != model.KindSometimes {
			return fmt.Errorf("the reduction %s is refused: the property %q reads the network, which it changes", k, p.Name)
		}
	}
	if s.boundaryReads {
		return fmt.Errorf("the reduction %s is refused: the boundary reads the network, which it changes", k)
	}
	return nil
}
