// Package pure does in handlers what is good there, and elsewhere what would not
// be.
package pure

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/caulk-go/caulk/model"
)

type state struct {
	N     int
	Items []int
	Index map[string]int
	Next  *state
	Phase any
}

type leading struct{ Votes []int }

type message = model.Message[string]

type node struct{ quorum int }

const patience = 3 * time.Second

var names = map[string]int{"a": 1}

func (n node) Fresh(self model.ID, _ []model.ID, _ int) (state, []message) {
	return state{Index: map[string]int{}, N: int(patience.Seconds()) + names["a"]}, nil
}

func (n node) Receive(s state, m message) (state, []message) {
	s.N++
	s.Items = append(s.Items, int(m.From))
	s.Items = slices.Clone(s.Items)
	s.Items[0] = 1
	slices.Sort(s.Items)
	s.Index = maps.Clone(s.Index)
	s.Index[m.Body]++
	next := *s.clone()
	next.Items = make([]int, 3)
	next.Items[2] = n.quorum
	s.Next = &state{}
	s.Next.N = 4
	switch phase := s.Phase.(type) {
	case leading:
		phase.Votes = append(slices.Clip(phase.Votes), 1)
		s.Phase = phase
	}
	s.bump()
	s.hear(m.Body)
	hear(&s, m.Body)
	return s, s.answers()
}

func (s *state) bump() { s.N++ }

// What hear writes to is the handler's own by then.
func (s *state) hear(name string) { s.Index[name] = s.N }

func hear(s *state, name string) { s.hear(name) }

func (s state) clone() *state {
	s.Index = maps.Clone(s.Index)
	return &s
}

func (s state) answers() (sent []message) {
	all := map[model.ID]bool{}
	all[1] = true
	for id := range all {
		sent = append(sent, message{To: id})
	}
	slices.SortFunc(sent, func(a, b message) int { return int(a.To - b.To) })
	total := 0
	for _, n := range s.Index {
		total += n
	}
	keys := slices.Collect(maps.Keys(s.Index))
	slices.Sort(keys)
	return sent
}

// Start tells the time, to see what comes of that.
//
//caulk:impure
func (n node) Start(s state, _ string) (state, []message) {
	s.N = time.Now().Nanosecond()
	return s, nil
}

func (n node) Halted(s state) bool {
	for _, count := range s.Index {
		if count > 3 {
			return true
		}
	}
	return false
}

func (n node) Label(s state) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.Index)) {
		fmt.Fprintf(&b, "%s ", name)
	}
	return b.String()
}

func (n node) Actions() []model.Action[state, string] {
	var list []model.Action[state, string]
	for i := range 3 {
		list = append(list, model.Action[state, string]{Name: fmt.Sprint(i), Do: func(s state) (state, []message, bool) {
			s.N = i
			return s, nil, s.N == 0
		}})
	}
	return list
}

var wrong = errors.New("wrong")

func holds(v model.View) error {
	if model.StateOf[state](v, 1).N > 3 {
		return wrong
	}
	return nil
}

func system() model.System {
	return model.System{Properties: []model.Property{model.Always("p", holds)}}
}

// What is no handler may do what it likes.
type clock struct {
	sync.Mutex
	at time.Time
}

func (c *clock) Receive(n int, s string) { c.at = time.Now() }

func (c *clock) Fresh() { c.Lock(); os.Exit(1) }
