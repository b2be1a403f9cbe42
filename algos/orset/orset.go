// Package orset is the observed-remove set by operations: Marc Shapiro, Nuno
// Preguiça, Carlos Baquero and Marek Zawirski, "A comprehensive study of
// Convergent and Commutative Replicated Data Types", INRIA RR-7506 (2011),
// specification 15. Package orswot has the set by states, without tombstones.
package orset

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

const source = `Shapiro et al., "A comprehensive study of Convergent and Commutative Replicated Data Types" (2011), specification 15`

// Algorithms lists the set, and its broken twin after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		{
			Name:    "orset",
			Summary: "a replicated set whose operations are delivered in causal order",
			Doc:     doc,
			Source:  source,
			Twins:   []string{"orset-eager"},
			Agents:  3, MinAgents: 2,
			Params: params(),
			Make:   replica{}.system,
		},
		{
			Name:    "orset-eager",
			Summary: "a replicated set whose operations are applied as they come",
			Doc:     eagerDoc,
			Source:  source,
			Twins:   []string{"orset"},
			Hole:    "a remove overtakes the add that it has seen: replicas diverge",
			Agents:  3, MinAgents: 2,
			Params: params(),
			Make:   replica{eager: true}.system,
		},
	}
}

const doc = `The observed-remove set by operations. An add is tagged by its replica; a remove
carries the tags that it has seen, and takes those out: an add that it has not
seen wins over it. Replicas tell each other the operations.

Adding and removing the same tag does not commute. So an operation is applied
only after all that its replica had applied when it was made: it carries how
many of each replica's that were, and waits.

Labels: the tags of each replica, replica.number, and how many operations it has
applied.`

const eagerDoc = `The observed-remove set whose operations are applied as they come. A remove that
arrives before the add that it has seen takes out nothing; then the add arrives,
and stays. On a bag a replica's own remove overtakes its add, after four moves.

Three replicas show it even if the order between any two is kept, --network
fifo: one adds, the second removes, and the third hears of the remove first.
With two replicas on fifo it holds. Seen in basho/riak_dt, issue 99 and pull
request 78.`

func params() []model.Param {
	return []model.Param{{Name: "operations", Doc: "a replica makes operations until it knows of so many", Default: 2, Min: 1, Max: 9}}
}

// Message tells an operation to another replica.
type Message = model.Message[Operation]

// Operation is the N-th operation of a replica.
type Operation struct {
	Tag
	After  map[model.ID]int // how many of each replica's had been applied
	Remove []Tag            // the tags to take out; nil: the operation adds its own
}

// Kind is Add or Remove.
func (o Operation) Kind() string {
	if o.Remove == nil {
		return "Add"
	}
	return "Remove"
}

// Detail is the operation's tag.
func (o Operation) Detail() string { return o.String() }

// Tag names an operation.
type Tag struct {
	Replica model.ID
	N       int
}

func (t Tag) compare(u Tag) int {
	return cmp.Or(cmp.Compare(t.Replica, u.Replica), cmp.Compare(t.N, u.N))
}

func (t Tag) String() string { return fmt.Sprintf("%d.%d", t.Replica, t.N) }

// Set is the state of a replica: a set that may hold one element, by some tags.
type Set struct {
	Self    model.ID
	Made    int         // its own operations
	Tags    []Tag       // ascending; any: the element is in the set
	Applied []Tag       // operations, ascending
	Waiting []Operation // that have come too early, by tag
}

type replica struct {
	replicas, operations int
	eager                bool // the hole
}

func (replica) Fresh(self model.ID, _ []model.ID, _ int) (Set, []Message) {
	return Set{Self: self}, nil
}

// Actions: users add the element, and remove it where it is.
func (r replica) Actions() []model.Action[Set, Operation] {
	return []model.Action[Set, Operation]{
		{Name: "add at", Kind: model.Input, Do: func(s Set) (Set, []Message, bool) {
			return r.make(s, nil)
		}},
		{Name: "remove at", Kind: model.Input, Do: func(s Set) (Set, []Message, bool) {
			s, sent, enabled := r.make(s, s.Tags)
			return s, sent, enabled && sent[0].Body.Remove != nil
		}},
	}
}

// make applies an operation of the replica's own, and tells the others, as long as
// the replica knows of few enough.
func (r replica) make(s Set, remove []Tag) (Set, []Message, bool) {
	enabled := len(s.Applied)+len(s.Waiting) < r.operations
	s.Made++
	o := Operation{Tag: Tag{s.Self, s.Made}, After: s.applied(), Remove: remove}
	s = s.apply(o)
	var sent []Message
	for id := model.ID(1); int(id) <= r.replicas; id++ {
		if id != s.Self {
			sent = append(sent, Message{To: id, Body: o})
		}
	}
	return s, sent, enabled
}

// Receive applies an operation, and those that have waited for it.
func (r replica) Receive(s Set, m Message) (Set, []Message) {
	o := m.Body
	if slices.Contains(s.Applied, o.Tag) {
		return s, nil
	}
	if r.eager {
		return s.apply(o), nil
	}
	s.Waiting = append(slices.DeleteFunc(slices.Clone(s.Waiting), func(p Operation) bool { return p.Tag == o.Tag }), o)
	slices.SortFunc(s.Waiting, func(o, p Operation) int { return o.compare(p.Tag) })
	for {
		i := slices.IndexFunc(s.Waiting, s.due)
		if i < 0 {
			return s, nil
		}
		due := s.Waiting[i]
		s.Waiting = slices.Delete(s.Waiting, i, i+1)
		s = s.apply(due)
	}
}

// due says whether all was applied that an operation comes after.
func (s Set) due(o Operation) bool {
	applied := s.applied()
	for _, id := range slices.Sorted(maps.Keys(o.After)) {
		if applied[id] < o.After[id] {
			return false
		}
	}
	return true
}

// applied is how many operations of each replica were applied.
func (s Set) applied() map[model.ID]int {
	n := map[model.ID]int{}
	for _, t := range s.Applied {
		n[t.Replica]++
	}
	return n
}

func (s Set) apply(o Operation) Set {
	if o.Remove == nil {
		s.Tags = insert(s.Tags, o.Tag)
	} else {
		s.Tags = slices.DeleteFunc(slices.Clone(s.Tags), func(t Tag) bool { return slices.Contains(o.Remove, t) })
	}
	s.Applied = insert(s.Applied, o.Tag)
	return s
}

func insert(tags []Tag, t Tag) []Tag {
	at, _ := slices.BinarySearchFunc(tags, t, Tag.compare)
	return slices.Insert(slices.Clone(tags), at, t)
}

// Label is the tags, and how many operations were applied.
func (replica) Label(s Set) string { return fmt.Sprintf("%v%d ", s.Tags, len(s.Applied)) }

func (r replica) system(c model.Config) model.System {
	r.replicas, r.operations = c.Agents, c.Params["operations"]
	converge := model.Always("replicas converge", func(v model.View) error {
		for a, s := range model.StatesOf[Set](v) {
			for b, t := range model.StatesOf[Set](v) {
				if a < b && slices.Equal(s.Applied, t.Applied) && (len(s.Tags) > 0) != (len(t.Tags) > 0) {
					return fmt.Errorf("replicas %d and %d have applied the same operations, and only one of them holds the element", a, b)
				}
			}
		}
		return nil
	})
	converge.Doc = "replicas that have applied the same operations hold the same elements"
	s := model.System{
		Agents:     slices.Repeat([]model.Node{model.Of(r)}, c.Agents),
		Properties: []model.Property{converge},
		Bodies:     []any{Operation{}, Operation{Remove: []Tag{{}}}},
	}
	if r.operations > 1 {
		s.Properties = append(s.Properties, model.Sometimes("removed everywhere", func(v model.View) bool {
			for _, s := range model.StatesOf[Set](v) {
				if len(s.Tags) > 0 || len(s.Applied) < 2 {
					return false
				}
			}
			return true
		}))
	}
	return s
}
