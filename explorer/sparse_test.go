package explorer_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// hopper passes tokens around a ring. A token counts its hops, so that many
// messages become known, while few are in flight; some agents drop tokens that
// have hopped enough, and every so often one is sent twice.
type hopper struct{ tokens, hops int }

type hops struct {
	Self  model.ID
	Ring  int
	Seen  int // tokens, modulo 3
	Waits bool
}

type token struct{ Hops int }

func (h hopper) Fresh(self model.ID, population []model.ID, _ int) (hops, []model.Message[token]) {
	s := hops{Self: self, Ring: len(population)}
	var sent []model.Message[token]
	if int(self) <= h.tokens {
		sent = append(sent, s.pass(token{})...)
	}
	return s, sent
}

func (s hops) pass(t token) []model.Message[token] {
	return []model.Message[token]{{To: s.Self%model.ID(s.Ring) + 1, Body: t}}
}

func (h hopper) Receive(s hops, m model.Message[token]) (hops, []model.Message[token]) {
	s.Seen = (s.Seen + 1) % 3
	if m.Body.Hops >= h.hops {
		return s, nil
	}
	next := s.pass(token{m.Body.Hops + 1})
	if m.Body.Hops%20 == 7 {
		next = slices.Concat(next, next)
	}
	return s, next
}

func (hopper) Label(s hops) string { return strconv.Itoa(s.Seen) }

func hoppers(agents, tokens, hops int, network model.Network) model.System {
	s := model.System{Name: "hoppers", Network: network}
	for range agents {
		s.Agents = append(s.Agents, model.Of(hopper{tokens, hops}))
	}
	return s
}

// A system that knows many messages, of which few are in flight, is packed as
// lists; what is found is the same.
func TestSparseAgreesWithTheReference(t *testing.T) {
	cases := []struct {
		name string
		sys  model.System
	}{
		{"one token", hoppers(4, 1, 40, model.Bag)},
		{"two tokens", hoppers(3, 2, 26, model.Bag)},
		{"a wipe", func() model.System {
			s := hoppers(3, 1, 12, model.Set)
			s.Wipe = []model.ID{2}
			return s
		}()},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.name == "two tokens" {
				t.Skip("takes long under the race detector")
			}
			want := reference(c.sys)
			for _, workers := range []int{1, 3} {
				compareCounts(t, engine(t, c.sys, workers, want), want)
			}
		})
	}
}

// The layout follows what is in flight: many messages known, few at a time.
func TestManyMessagesOfWhichFewAreInFlight(t *testing.T) {
	words, sparse, err := explorer.Packing(t.Context(), hoppers(5, 1, 1500, model.Bag), explorer.Options{Workers: 1, MaxStates: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	if !sparse || words > 4 {
		t.Errorf("packed in %d words, sparse is %t", words, sparse)
	}
}
