package explorer

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// resume puts the search where a checkpoint left it, and gives the space. It
// does what the search did then, in the same order: it begins, asks the
// handlers up to when the layout was made, makes it, asks on, packs the answers
// that were packed, and fills in the states.
func (s *search) resume() (packed, error) {
	space, err := s.resumeFrom(s.opts.Resume)
	if err != nil && s.ctx.Err() != nil {
		return nil, &interruptedError{s.opts.Resume, s.ctx.Err()}
	}
	if err != nil {
		return nil, cannotGoOn(s.opts.Resume, err)
	}
	return space, nil
}

// interruptedError says that the search was cancelled before it began.
type interruptedError struct {
	file string
	err  error // the context's
}

func (e *interruptedError) Error() string { return "interrupted while " + e.file + " was read" }
func (e *interruptedError) Unwrap() error { return e.err }

func (s *search) resumeFrom(name string) (packed, error) {
	f, err := openCheckpoint(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &checkpointReader{Reader: bufio.NewReaderSize(f, 1<<16)}
	h, err := r.header()
	if err != nil {
		return nil, err
	}
	if err := s.refuse(&h); err != nil {
		return nil, err
	}
	space, err := s.askAll(&h, r)
	if err != nil {
		return nil, err
	}
	if err := s.takeOver(&h); err != nil {
		return nil, err
	}
	if err := s.fits(f); err != nil {
		return nil, err
	}
	return space, space.load(r)
}

// askAll asks the handlers all that they were asked, and makes an empty space
// on the way.
func (s *search) askAll(h *checkpointHeader, r *checkpointReader) (packed, error) {
	if h.Making.Answers < 0 || h.Making.Answers > h.PackedAnswers || h.PackedAnswers > h.Answers {
		return nil, errSenseless
	}
	var begun mark
	r.bytes(begun[:])
	if _, err := s.start(); err != nil || begun != s.tables.history.start {
		return nil, s.changed("Fresh or Start of an agent", err)
	}
	var space packed
	var toPack []question
	for n := 0; ; n++ {
		if n == h.Making.Answers {
			var err error
			if space, err = s.remake(h.Making); err != nil {
				return nil, err
			}
		}
		if n == h.PackedAnswers {
			if err := space.relearn(toPack); err != nil {
				return nil, err
			}
		}
		if n == h.Answers {
			break
		}
		q := r.question(len(s.tables.agents) + 1 + len(s.tables.queues.list))
		if r.err != nil {
			return nil, r.err
		}
		if err := s.askAgain(q); err != nil {
			return nil, err
		}
		if space != nil && n < h.PackedAnswers && q.agent < len(s.tables.agents) {
			toPack = append(toPack, q)
		}
	}
	if hex.EncodeToString(s.tables.history.digest[:]) != h.Digest {
		return nil, errSenseless // all marks were the same
	}
	return space, nil
}

// askAgain puts a question to the handlers again. The answer must be the same.
func (s *search) askAgain(q question) (err error) {
	t := s.tables
	if err := s.ctx.Err(); err != nil {
		return err
	}
	n := t.answered
	if q.agent >= len(t.agents) {
		if err = t.repeat(q); err == errSenseless {
			return err
		}
	} else if int(q.state) >= len(t.agents[q.agent].states) || q.msg >= len(t.messages) {
		return errSenseless
	} else if q.msg < 0 {
		_, err = t.own(q.agent, q.state)
	} else if m := &t.messages[q.msg]; int(m.To) != q.agent+1 {
		return errSenseless
	} else {
		_, err = t.receive(q.agent, q.state, uint32(q.msg))
	}
	if err == nil && t.answered != n+1 {
		return errSenseless // it was asked before
	}
	if err != nil || t.history.questions[n].answers != q.answers {
		return s.changed(t.site(q), err)
	}
	return nil
}

// changed says that a handler does not answer as it did; err is how it failed,
// if it did.
func (s *search) changed(what string, err error) error {
	if s.panicked != nil {
		err, s.panicked = s.panicked.err, nil // it is no find of this search
	}
	if err == nil {
		return fmt.Errorf("the algorithm has changed since it was written: %s answers differently", what)
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("the algorithm has changed since it was written: %s", text)
}

// site names the handler that a question is put to.
func (t *tables) site(q question) string {
	if q.agent >= len(t.agents) {
		return "the observer"
	}
	id := model.ID(q.agent + 1)
	site := call.Site{
		Agent: id,
		State: canonical.Format(t.caller.Local(id, t.agents[q.agent].states[q.state].bytes).State),
		What:  "an own action or Fresh",
	}
	if q.msg >= 0 {
		m := &t.messages[q.msg]
		site.What = model.Deliver.Handler()
		site.Message = fmt.Sprintf("%s from %d", canonical.Format(t.caller.Body(m.Body)), m.From)
	}
	return site.String()
}

// remake makes the space that the search was in.
func (s *search) remake(m making) (packed, error) {
	if !s.countable(m.Copies) || m.InFlight < 0 || m.InFlight > mostInFlight {
		return nil, errSenseless
	}
	l, err := s.layoutOf(m)
	if err != nil {
		return nil, errSenseless
	}
	return newPacked(s, m, l), nil
}

// What a checkpoint may say of a network: no real one has so many messages.
const (
	mostInFlight = 1 << 24
	mostCopyBits = 20
)

func (s *search) countable(copies map[uint32]int) bool {
	for m, width := range copies {
		if int(m) >= len(s.tables.messages) || width < 1 || width > mostCopyBits {
			return false
		}
	}
	return true
}

// relearn packs what was answered after the space was made.
func (s *space[K]) relearn(answered []question) error {
	if !s.layout.fits(s.demand()) {
		return errSenseless
	}
	for _, q := range answered {
		s.stale[localKey{q.agent, q.state}] = struct{}{}
	}
	s.refresh()
	return nil
}

// takeOver takes over what was counted and found.
func (s *search) takeOver(h *checkpointHeader) error {
	const century = 100 * 366 * 24 * 60 * 60
	if !(h.Seconds >= 0 && h.Seconds < century) || h.InFlight < 0 || h.InFlight > mostInFlight || !s.countable(h.Copies) {
		return errSenseless
	}
	s.earlier = time.Duration(h.Seconds * float64(time.Second))
	s.states, s.transitions, s.terminal = h.States, h.Transitions, h.Terminal
	s.halted, s.inconsistent, s.shortestHalt = h.Halted, h.Inconsistent, h.ShortestHalt
	s.beyond = h.Beyond
	s.inFlight, s.effort = h.InFlight, h.Effort
	for _, copies := range []map[uint32]int{h.Copies, h.Making.Copies} {
		for m, width := range copies { //tidy:unordered a maximum
			s.tables.copies[m] = max(s.tables.copies[m], width)
		}
	}
	for i := range s.properties {
		p, saved := &s.properties[i], h.Properties[i]
		nearest, ok := s.loadHit(saved.Nearest)
		level, ok2 := s.loadHit(saved.Level)
		if !ok || !ok2 || saved.Depth < 0 {
			return errSenseless
		}
		p.tested, p.settled, p.nearest, p.depth, p.level = saved.Tested, saved.Settled, nearest, saved.Depth, level
	}
	return nil
}

func (f savedFlat) flat() flat { return flat{f.States, f.Net, f.Extra} }

// loadHit reads a hit, of states that could have been found.
func (s *search) loadHit(saved *savedHit) (*hit, bool) {
	if saved == nil {
		return nil, true
	}
	values := s.extraValues()
	h := &hit{at: saved.At.flat()}
	known := s.tables.knows(h.at, values)
	if saved.To != nil {
		to := saved.To.flat()
		h.to, known = &to, known && s.tables.knows(to, values)
	}
	return h, known
}

// knows says whether a state is made of numbers that were given.
func (t *tables) knows(f flat, values []int) bool {
	if len(f.states) != len(t.agents) || !slices.IsSorted(f.net) || len(f.extra) > len(values) || len(f.extra) < t.firstQueue() {
		return false
	}
	for i, v := range f.extra {
		if int(v) >= values[i] {
			return false
		}
	}
	for a, state := range f.states {
		if int(state) >= len(t.agents[a].states) {
			return false
		}
	}
	return len(f.net) == 0 || int(f.net[len(f.net)-1]) < len(t.messages)
}

// fits says how much memory a checkpoint takes, if that is too much.
func (s *search) fits(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if need := info.Size() + 16*s.states + partitions*chunkBytes; !s.budget.allows(need) {
		return fmt.Errorf("its %d states take about %d MB, and the limit on memory does not leave so much: raise it", s.states, need/1e6+1)
	}
	return nil
}

// blameCheckpoint catches a panic over what a search cannot have found. It would
// be a bug of caulk's, were it not that a checkpoint can be forged.
func (s *search) blameCheckpoint(report **Report, err *error) {
	if p := recover(); p != nil {
		*report, *err = nil, cannotGoOn(s.opts.Resume, fmt.Errorf("%w: %v", errSenseless, p))
	}
}
