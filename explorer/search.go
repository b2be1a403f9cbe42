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
	symmetry    *symmetry // the reduction of that name; nil without it
	reported    time.Time // when Progress was last called

	starts                         []flat // by number among the system's AllStarts
	wholeStarts                    []flat // the same, unreduced by dead and minimal
	boundaryReads                  bool   // the boundary was seen to read the network
	general                        bool   // see expandGeneral
	states, transitions            int64
	beyond                         int64 // states beyond the system's boundary
	broken                         error // what is wrong with the boundary, or with a property about runs
	notes                          []string
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

	nearest *hit   // where it fails, or a sometimes is reached, first; nil if nowhere yet
	depth   int    // how far that state is from the start
	level   *hit   // the same in the level that is being found
	network bool   // it was seen to read the network
	lasso   *lasso // a run on which one about runs fails; nil if none was found
	unsure  bool   // of one about runs: too little was expanded to say that it holds
}

// hits says whether an answer about a state is what the search is to find.
func (p *property) hits(a answer) bool {
	switch {
	case p.nearest != nil:
		return false
	case p.Kind == model.KindSometimes:
		return a == holds
	}
	return a == fails && p.Kind == model.KindAlways
}

// violated says whether the property was found to fail.
func (p *property) violated() bool {
	return p.Kind != model.KindSometimes && p.nearest != nil || p.lasso != nil
}

// byState says whether the property is asked about every state when it is
// found; the others when a state is expanded.
func (p *property) byState() bool { return !p.byMove() && !p.byEnd() }
func (p *property) byMove() bool  { return p.Kind == model.KindStep }
func (p *property) byEnd() bool   { return p.Kind == model.KindAtEnd }

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
	if s.properties, err = chooseProperties(sys.Properties, o.Properties); err != nil {
		return nil, err
	}
	if err := s.reduce(); err != nil {
		return nil, err
	}
	s.general = s.needsGeneral()
	return s, nil
}

func chooseProperties(all []model.Property, names []string) ([]property, error) {
	var chosen []property
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	for _, p := range all {
		if names == nil || wanted[p.Name] {
			chosen = append(chosen, property{Property: p, unsure: p.Kind.Liveness()}) // until it is judged
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
	for _, b := range s.tables.budgets {
		d.budgets = append(d.budgets, s.sys.Budgets[b])
	}
	if o := s.tables.observer; o != nil {
		d.extras = append(d.extras, len(o.states))
	}
	for i := range s.tables.queues.list {
		d.extras = append(d.extras, len(s.tables.queues.list[i].contents))
	}
	if s.sys.Network == model.Fifo {
		d.messages = 0 // queues hold them
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
		if h := t.found[i]; h != nil && p.nearest == nil && (p.level == nil || s.tables.compareHits(h, p.level) > 0) {
			p.level = h
		}
	}
}

// countHalted counts a halted state that was met at a depth.
func (s *search) countHalted(depth int) {
	s.halted++
	if s.shortestHalt < 0 || depth < s.shortestHalt {
		s.shortestHalt = depth
	}
}

// closeLevel takes over what a whole level was found to hold, and the expansion
// of the one before it; it says whether the search is over because of it.
func (s *search) closeLevel(level int) (over bool) {
	for i := range s.properties {
		p := &s.properties[i]
		if p.level != nil && p.nearest == nil {
			if p.nearest, p.depth = p.level, level; !p.byState() {
				p.depth = level - 1
			}
			p.settled = p.Kind == model.KindSometimes && p.Applies == nil
		}
		if p.violated() && !s.opts.KeepGoing {
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
	s.tables.meet(f)
	choices, err := s.tables.choices(f)
	if err == nil && s.sys.Network == model.Fifo {
		for _, c := range choices {
			s.tables.after(f, c) // numbers what becomes of the queues
		}
	}
	return s.blame(err, f, depth)
}

// outside says whether a state is beyond the system's boundary.
func (s *search) outside(f *flat) bool {
	return s.sys.Boundary != nil && s.askBoundary(&flatView{t: s.tables, f: f}) != holds
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
