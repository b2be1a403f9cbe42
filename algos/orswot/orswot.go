package orswot

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

const doc = `The observed-remove set without tombstones of Riak's data types. Replicas add
and remove elements and send each other deltas, which may come in any order, any
number of times, or never. Replicas that took in the same updates are equal.

A replica remembers which adds it has seen. If another holds an element by an
add that this one has seen and does not hold, it was removed. So what was seen
must be told exactly, with gaps: in orswot-vector a replica remembers but the
last add of each other, and takes the earlier ones, which are still on their
way, for removed.

ormap is a map of such sets: removing a key removes all that was seen in it.

Try --network set (repetition) and --network fifo --lossy (loss), too.

Labels: the elements of each replica, and how many updates it took in.`

// Message carries an update to another replica.
type Message = model.Message[Update]

// Update is an update of a replica, its N-th, and the delta that came of it.
type Update struct {
	Dot
	Delta Set
}

// Detail is which update it is.
func (u Update) Detail() string { return fmt.Sprintf("%d.%d", u.Replica, u.N) }

// Replica is the state of a replica.
type Replica struct {
	Self    model.ID
	Others  []model.ID
	Set     Set
	Updates int   // that it has made
	Joined  []Dot // the updates that it has taken in, ascending: for the property alone
}

// took is the replica once it has taken in an update.
func (v replica) took(r Replica, u Update) Replica {
	r.Set = v.join(r.Set, u.Delta)
	if at, found := slices.BinarySearchFunc(r.Joined, u.Dot, Dot.compare); !found {
		r.Joined = slices.Insert(slices.Clone(r.Joined), at, u.Dot)
	}
	return r
}

type replica struct {
	updates int
	values  int
	vector  bool // the hole: what was seen is remembered without gaps
	keys    bool // elements are key=value, and a whole key is removed
}

func (replica) Fresh(self model.ID, population []model.ID, _ int) (Replica, []Message) {
	r := Replica{Self: self}
	for _, id := range population {
		if id != self {
			r.Others = append(r.Others, id)
		}
	}
	return r, nil
}

func (v replica) Receive(r Replica, m Message) (Replica, []Message) {
	return v.took(r, m.Body), nil
}

// join is Join, but for the hole.
func (v replica) join(s, delta Set) Set {
	s = Join(s, delta)
	if v.vector {
		s.Seen.UpTo = maps.Clone(s.Seen.UpTo)
		for _, dot := range s.Seen.Cloud {
			s.Seen.UpTo[dot.Replica] = max(s.Seen.UpTo[dot.Replica], dot.N)
		}
		s.Seen.Cloud = nil
	}
	return s
}

// elements are what is added and removed.
func (v replica) elements() []string {
	all := []string{"x", "y", "z"}[:v.values]
	if v.keys {
		for i := range all {
			all[i] = "k=" + all[i]
		}
	}
	return all
}

// Actions: users add and remove.
func (v replica) Actions() []model.Action[Replica, Update] {
	var actions []model.Action[Replica, Update]
	of := func(name string, delta func(Replica) Set) {
		actions = append(actions, model.Action[Replica, Update]{Name: name, Kind: model.Input, Do: func(r Replica) (Replica, []Message, bool) {
			if r.Updates == v.updates {
				return r, nil, false
			}
			r.Updates++
			u := Update{Dot{r.Self, r.Updates}, delta(r)}
			r = v.took(r, u)
			var sent []Message
			for _, id := range r.Others {
				sent = append(sent, Message{To: id, Body: u})
			}
			return r, sent, true
		}})
	}
	for _, e := range v.elements() {
		of("add "+e+" on", func(r Replica) Set { return r.Set.Add(r.Self, e) })
		if !v.keys {
			of("remove "+e+" on", func(r Replica) Set { return r.Set.Remove(e) })
		}
	}
	if v.keys {
		of("remove k on", func(r Replica) Set { return r.Set.RemoveKey("k") })
	}
	return actions
}

// Label is the elements, and how many updates were taken in.
func (replica) Label(r Replica) string {
	return fmt.Sprintf("{%s}%d ", strings.Join(r.Set.Elements(), " "), len(r.Joined))
}

// converge is strong eventual consistency.
func converge() model.Property {
	p := model.Always("replicas converge", func(v model.View) error {
		for a, r := range model.StatesOf[Replica](v) {
			for b, s := range model.StatesOf[Replica](v) {
				if x, y := r.Set.Elements(), s.Set.Elements(); a < b && slices.Equal(r.Joined, s.Joined) && !slices.Equal(x, y) {
					return fmt.Errorf("agents %d and %d have taken in the same updates, and one holds %v and the other %v", a, b, x, y)
				}
			}
		}
		return nil
	})
	p.Doc = "replicas that have taken in the same updates hold the same elements"
	return p
}

// allSeen says whether all updates were made and taken in everywhere, and
// something is left.
func allSeen(updates int) func(v model.View) bool {
	return func(v model.View) bool {
		for _, r := range model.StatesOf[Replica](v) {
			if len(r.Joined) < updates*len(v.Population()) || len(r.Set.Holds) == 0 {
				return false
			}
		}
		return true
	}
}

func entry(name, summary, hole string, vector, keys bool) model.Algorithm {
	return model.Algorithm{
		Name:      name,
		Summary:   summary,
		Doc:       doc,
		Source:    `Bieniusa et al., "An optimized conflict-free replicated set" (2012); deltas: Almeida et al. (2018), section 7`,
		Twins:     []string{"orswot-vector"},
		Hole:      hole,
		Agents:    2,
		MinAgents: 2,
		Params: []model.Param{
			{Name: "updates", Doc: "adds and removes of each replica", Default: 2, Min: 1, Max: 4},
			{Name: "elements", Doc: "elements that there are", Default: 2, Min: 1, Max: 3},
		},
		Make: func(c model.Config) model.System {
			r := replica{c.Params["updates"], c.Params["elements"], vector, keys}
			s := model.System{Properties: []model.Property{converge(), model.Sometimes("all is seen everywhere", allSeen(r.updates))}}
			for range c.Agents {
				s.Agents = append(s.Agents, model.Of(r))
			}
			return s
		},
	}
}

// Algorithms are the entries in the list of algorithms: set and map, then the
// twin.
func Algorithms() []model.Algorithm {
	twin := entry("orswot-vector", "orswot that remembers what it has seen as a version vector",
		"an update that overtakes an earlier one makes the earlier one look seen, and so its element look removed", true, false)
	twin.Twins = []string{"orswot", "ormap"}
	return []model.Algorithm{
		entry("orswot", "a set without tombstones, replicated by deltas", "", false, false),
		entry("ormap", "a map of such sets", "", false, true),
		twin,
	}
}
