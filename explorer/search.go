package explorer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// search is one run of Explore: what does not depend on how states are packed.
type search struct {
	ctx         context.Context
	sys         *model.System
	opts        Options
	tables      *tables
	workers     int
	handlerTime time.Duration
	properties  []property
	started     time.Time
	earlier     time.Duration // what a resumed search took before
	budget      budget
	keeper      *keeper   // nil without checkpoints
	reported    time.Time // when Progress was last called

	first                          flat // the start state
	states, transitions            int64
	terminal, halted, inconsistent int64
	shortestHalt                   int    // -1 while there is none
	inFlight                       int    // see demand
	making                         making // of the layout
	packedAnswers                  int    // so many of the handlers' answers are packed in rows
	effort                         effort // of the last batch
	cut                            *Bound // what ended the search early
	panicked                       *panicked
}

// property is a property and what the search found of it.
type property struct {
	model.Property
	tested  int64
	settled bool // a sometimes that was reached and need not be asked about again

	nearest *flat // where an always fails, or a sometimes is reached, first; nil if nowhere yet
	depth   int   // how far that is from the start
	level   *flat // the same in the level that is being found
}

// hit says whether an answer is what the search is to find.
func (p *property) hit(a answer) bool {
	if p.nearest != nil {
		return false
	}
	if p.Kind == model.KindSometimes {
		return a == holds
	}
	return a == fails
}

// panicked is a move on which a handler panicked.
type panicked struct {
	err   *call.PanicError
	at    flat
	depth int // of that state
	move  choice
}

// errors that end a stretch of the search; none of them is for users.
var (
	errOutgrown = errors.New("the layout is outgrown")
	errCut      = errors.New("the search is cut short")
)

func newSearch(ctx context.Context, sys *model.System, o Options, caller *call.Caller) (*search, error) {
	s := &search{
		ctx: ctx, sys: sys, opts: o,
		tables:       newTables(sys, caller),
		workers:      o.Workers,
		handlerTime:  o.HandlerTime,
		started:      time.Now(),
		shortestHalt: -1,
	}
	s.reported = s.started
	s.budget = newBudget(o.MaxMemory)
	keeper, err := newKeeper(&o)
	if err != nil {
		return nil, err
	}
	if s.keeper = keeper; o.Checkpoint != "" || o.Resume != "" {
		s.tables.history = &history{}
	}
	chosen, err := chooseProperties(sys.Properties, o.Properties)
	s.properties = chosen
	return s, err
}

func chooseProperties(all []model.Property, names []string) ([]property, error) {
	var chosen []property
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	for _, p := range all {
		if names == nil || wanted[p.Name] {
			chosen = append(chosen, property{Property: p})
			delete(wanted, p.Name)
		}
	}
	for _, n := range names {
		if wanted[n] {
			return nil, fmt.Errorf("there is no property %q: there are %s", n, propertyNames(all))
		}
	}
	return chosen, nil
}

func propertyNames(all []model.Property) string {
	text := ""
	for i, p := range all {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%q", p.Name)
	}
	return text
}

func (s *search) isBag() bool { return s.sys.Network == model.Bag }

// demand is what a layout must hold by now.
func (s *search) demand() demand {
	d := demand{messages: len(s.tables.messages), copies: s.tables.copies, inFlight: s.inFlight}
	for _, a := range s.tables.agents {
		d.states = append(d.states, len(a.states))
	}
	return d
}

// count adds what was judged.
func (s *search) count(t *tally, level int) {
	if t.halted > 0 && s.shortestHalt < 0 {
		s.shortestHalt = level
	}
	s.halted += t.halted
	s.inconsistent += t.inconsistent
	for i := range s.properties {
		p := &s.properties[i]
		p.tested += t.tested[i]
		if f := t.found[i]; f != nil && (p.level == nil || s.tables.compare(*f, *p.level) > 0) {
			p.level = f
		}
	}
}

// closeLevel takes over what a whole level was found to hold; it says whether
// the search is over because of it.
func (s *search) closeLevel(level int) (over bool) {
	for i := range s.properties {
		p := &s.properties[i]
		if p.level != nil && p.nearest == nil {
			p.nearest, p.depth = p.level, level
			p.settled = p.Kind == model.KindSometimes && p.Applies == nil
		}
		if p.nearest != nil && p.Kind == model.KindAlways && !s.opts.KeepGoing {
			over = true
		}
	}
	return over
}

// interrupted says whether the search was cancelled or has used up its time.
func (s *search) interrupted() bool {
	switch {
	case s.ctx.Err() != nil:
		s.cut = &Bound{Name: "interrupted"}
	case s.opts.MaxTime > 0 && time.Since(s.started) >= s.opts.MaxTime:
		s.cut = &Bound{Name: "time", Limit: s.opts.MaxTime.Seconds()}
	}
	return s.cut != nil
}

// elapsed is what the search took so far, before it was resumed too.
func (s *search) elapsed() time.Duration { return s.earlier + time.Since(s.started) }

// pause is where a search can be cut short: between batches.
func (s *search) pause(depth int, frontier int64) error {
	if !s.interrupted() && s.opts.MaxStates > 0 && s.states >= s.opts.MaxStates {
		s.cut = &Bound{Name: "states", Limit: s.opts.MaxStates}
	}
	if s.opts.Graph == StateGraph && s.states > MaxDrawnStates {
		return fmt.Errorf("a diagram of states has at most %d, and there are more: draw labels, or bound the search (depth, states)", MaxDrawnStates)
	}
	if s.cut != nil {
		return errCut
	}
	if now := time.Now(); s.opts.Progress != nil && now.Sub(s.reported) >= time.Second {
		s.reported = now
		s.opts.Progress(Progress{s.states, depth, frontier, inUse(), s.elapsed(), s.keeper.failure()})
	}
	return nil
}

// resolve works out every move of a state that is not known yet.
func (s *search) resolve(f flat, depth int) error {
	if s.interrupted() {
		return errCut
	}
	_, err := s.tables.choices(f)
	return s.blame(err, f, depth)
}

// blame says in which state the user's code went wrong.
func (s *search) blame(err error, f flat, depth int) error {
	var p *call.PanicError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		s.panicked = &panicked{p, f.clone(), depth, s.tables.calling}
		return errCut
	}
	return &misbehaved{err, f.clone(), depth, s.tables.calling}
}

// misbehaved is the user's code gone wrong in a state.
type misbehaved struct {
	err   error
	at    flat
	depth int
	move  choice
}

func (m *misbehaved) Error() string { return m.err.Error() }
