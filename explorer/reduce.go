package explorer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// reduce sets up the reductions asked for, or says why one is refused.
func (s *search) reduce() error {
	s.tables.shrink = s.newShrink()
	if err := s.refuseShrink(); err != nil {
		return err
	}
	if err := s.reduceBySymmetry(); err != nil {
		return err
	}
	if s.tables.ignored = s.asks(Ignored); !s.tables.ignored {
		return nil
	}
	if err := s.refuseIgnored(); err != nil {
		return fmt.Errorf("the reduction %q is refused: %w", Ignored, err)
	}
	return nil
}

// asks says whether a reduction was asked for.
func (s *search) asks(r Reduction) bool { return slices.Contains(s.opts.Reduce, r) }

func (s *search) refuseIgnored() error {
	for i := range s.properties {
		p := &s.properties[i]
		if p.Kind.Liveness() {
			return fmt.Errorf("the property %q is about whole runs (%s), and it keeps only what holds in states", p.Name, p.Kind)
		}
		if p.byEnd() {
			return fmt.Errorf("the property %q is about ends (%s), and a state from which only ignored messages can be delivered is none", p.Name, p.Kind)
		}
	}
	switch {
	case s.sys.Network == model.Fifo:
		return errors.New("on a fifo network an ignored message blocks its queue until it is delivered")
	case s.sys.Network == model.Set:
		return errors.New("it is for a bag: on a set a delivery that changes nothing costs nothing")
	}
	return nil
}

// reducedNetwork says whether a property's verdict rests on a network that a
// reduction has changed. What is found there is real, for a search that leaves
// moves out makes only moves that the whole system has; but that there is
// nothing to find is not proved.
func (s *search) reducedNetwork(p *property) bool {
	return (s.tables.ignored || s.tables.shrink != nil) && p.network
}

func (s *search) reduceNames() []string {
	names := []string{}
	for _, r := range Reductions() {
		if slices.Contains(s.opts.Reduce, r) {
			names = append(names, r.String())
		}
	}
	return names
}

// leavesOut says whether the reductions leave out every one of the moves about
// a message in a state, whatever the observer's state is.
func (t *tables) leavesOut(state uint32, msg int, moves []transition) bool {
	if !t.leavesSomeOut() {
		return false
	}
	for i := range moves {
		if moves[i].number != unseen || !t.silent(state, msg, &moves[i]) {
			return false
		}
	}
	return true
}
