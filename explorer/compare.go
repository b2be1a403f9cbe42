package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/trace"
)

// ComparisonSchema is the name of the comparison's format.
const ComparisonSchema = "caulk/diff/v1"

// Comparison is what a newer variant fixed, broke and made reachable. Its JSON
// names are a contract: add, never rename. No list is nil.
type Comparison struct {
	Schema string `json:"schema"`
	Older  Side   `json:"older"`
	Newer  Side   `json:"newer"`

	// Broke says whether the newer one has something wrong with it that the older
	// one, as far as it was explored, has not: a pair that goes awry, a property
	// that fails, a handler that panics.
	Broke bool `json:"broke"`

	Fixed     []PairChange `json:"fixed"`      // went awry in the older one only
	NewlyAwry []PairChange `json:"newly_awry"` // goes awry in the newer one only
	StillAwry []PairChange `json:"still_awry"` // goes awry in both

	NewlyReachable    []Pair `json:"newly_reachable"`     // met in the newer one only, awry or not
	NoLongerReachable []Pair `json:"no_longer_reachable"` // met in the older one only

	Properties []PropertyChange `json:"properties"` // in the newer one's order, then those that only the older one has
}

// Side is one of two variants that are compared.
type Side struct {
	trace.Setting
	Verdict     Verdict    `json:"verdict"`
	Complete    bool       `json:"complete"`
	Bounds      []Bound    `json:"bounds"`
	States      int64      `json:"states"`
	Transitions int64      `json:"transitions"`
	AwryPairs   int        `json:"awry_pairs"`
	Violation   *Violation `json:"violation"` // the nearest
}

// PairChange is a pair of an agent's state and a message that goes awry in
// one or both of two variants.
type PairChange struct {
	Pair
	OlderMoves *int `json:"older_moves"` // of the shortest path to such a halt; null where it does not go awry
	NewerMoves *int `json:"newer_moves"`

	// Met says, for a pair that goes awry in one variant only, whether the other
	// one meets it too, and handles it.
	Met bool `json:"met"`

	// Path leads to the halt: in the newer variant, if it goes awry there.
	Path []trace.Step `json:"path"`
}

// Change says what became of a property.
type Change string

// The changes.
const (
	Same   Change = "same"
	Mended Change = "mended" // it fails in the older variant only
	Broken Change = "broken" // it fails in the newer one only
	Added  Change = "added"  // only the newer one has it, and it does not fail
	Gone   Change = "gone"   // only the older one has it
	Other  Change = "other"  // the verdicts differ, but no failure came or went
)

// PropertyChange is what became of one property.
type PropertyChange struct {
	Name   string  `json:"name"`
	Older  Verdict `json:"older"` // empty where the variant has no such property
	Newer  Verdict `json:"newer"`
	Change Change  `json:"change"`
}

// Compare tells two reports apart. Both must be of searches with KeepGoing,
// Cover and the LabelGraph: else there is an error, as there is where
// MaxMemory left too little to gather what goes awry.
func Compare(older, newer *Report) (*Comparison, error) {
	for _, r := range []*Report{older, newer} {
		switch {
		case r.Coverage == nil:
			return nil, fmt.Errorf("the report of %s lacks its coverage: search with Options.Cover", r.Algo)
		case r.Awry == nil && r.States > 0:
			return nil, errors.New("--max-memory leaves too little to compare what goes awry")
		}
	}
	c := &Comparison{
		Schema: ComparisonSchema, Older: sideOf(older), Newer: sideOf(newer),
	}
	inOlder, inNewer := pairSet(older.Coverage.Met), pairSet(newer.Coverage.Met)
	c.NewlyReachable, c.NoLongerReachable = lacking(newer.Coverage.Met, inOlder), lacking(older.Coverage.Met, inNewer)
	c.comparePairs(older, newer, inOlder, inNewer)
	c.compareProperties(older, newer)
	c.Broke = len(c.NewlyAwry) > 0 || anyPanic(newer) && !anyPanic(older)
	for _, p := range c.Properties {
		c.Broke = c.Broke || p.Change == Broken
	}
	return c, nil
}

func sideOf(r *Report) Side {
	return Side{r.Setting, r.Verdict, r.Complete, r.Bounds, r.States, r.Transitions, len(awryOf(r)), r.Violation}
}

// awryOf is empty where there is not even a start state.
func awryOf(r *Report) []Awry {
	if r.Awry == nil {
		return nil
	}
	return *r.Awry
}

// anyPanic says whether a handler panicked, also behind another violation.
func anyPanic(r *Report) bool {
	return r.Violation != nil && r.Violation.Property == noPanic || !r.Complete && len(r.Bounds) == 0
}

func pairSet(list []Pair) map[Pair]bool {
	set := make(map[Pair]bool, len(list))
	for _, p := range list {
		set[p] = true
	}
	return set
}

// lacking lists, in order, those pairs that are not in a set.
func lacking(list []Pair, set map[Pair]bool) []Pair {
	rest := []Pair{}
	for _, p := range list {
		if !set[p] {
			rest = append(rest, p)
		}
	}
	return rest
}

// comparePairs lists what goes awry, the nearest first. Sets hold what each
// variant meets.
func (c *Comparison) comparePairs(older, newer *Report, inOlder, inNewer map[Pair]bool) {
	c.Fixed, c.NewlyAwry, c.StillAwry = []PairChange{}, []PairChange{}, []PairChange{}
	old := map[Pair]Awry{}
	for _, a := range awryOf(older) {
		old[pairOf(a)] = a
	}
	for _, a := range awryOf(newer) {
		p := PairChange{Pair: pairOf(a), NewerMoves: &a.Moves, Path: a.Path}
		before, was := old[p.Pair]
		if was {
			p.OlderMoves = &before.Moves
			c.StillAwry = append(c.StillAwry, p)
			delete(old, p.Pair)
			continue
		}
		p.Met = inOlder[p.Pair]
		c.NewlyAwry = append(c.NewlyAwry, p)
	}
	for _, a := range awryOf(older) {
		if _, fixed := old[pairOf(a)]; fixed {
			c.Fixed = append(c.Fixed, PairChange{Pair: pairOf(a), OlderMoves: &a.Moves, Path: a.Path, Met: inNewer[pairOf(a)]})
		}
	}
	for _, list := range [][]PairChange{c.Fixed, c.NewlyAwry, c.StillAwry} {
		slices.SortStableFunc(list, func(p, q PairChange) int { return cmp.Compare(len(p.Path), len(q.Path)) })
	}
}

func pairOf(a Awry) Pair { return Pair{a.AgentState, a.Message} }

func (c *Comparison) compareProperties(older, newer *Report) {
	c.Properties = []PropertyChange{}
	find := func(r *Report, name string) Verdict {
		for _, p := range r.Properties {
			if p.Name == name {
				return p.Verdict
			}
		}
		return ""
	}
	for _, p := range newer.Properties {
		was := find(older, p.Name)
		c.Properties = append(c.Properties, PropertyChange{p.Name, was, p.Verdict, changeOf(was, p.Verdict)})
	}
	for _, p := range older.Properties {
		if find(newer, p.Name) == "" {
			c.Properties = append(c.Properties, PropertyChange{p.Name, p.Verdict, "", Gone})
		}
	}
}

func changeOf(older, newer Verdict) Change {
	fails := func(v Verdict) bool { return v == Violated || v == NotReached }
	switch {
	case fails(newer) && !fails(older):
		return Broken
	case fails(older) && !fails(newer):
		return Mended
	case older == "":
		return Added
	case older == newer:
		return Same
	}
	return Other
}
