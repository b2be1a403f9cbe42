package explorer

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/caulk-go/caulk/model"
)

// Coverage is what a search put to the test, and what it did not.
//
// It speaks of kinds. The kind of a state is its label without the digits: the
// kind of R1 is R, and that of voter3, a state without a label of its own, is
// voter, its type; one of digits alone is a kind of its own. Halted states have none, since they receive nothing. The kind
// of a message is what model.MessageKind says. A pair of kinds could be met if
// some agent with that type of state is ever in the one and ever sent the
// other.
type Coverage struct {
	// Met are the pairs that a handler was called for, by state, then message.
	Met []Pair `json:"-"`

	Pairs    int        `json:"pairs"`     // pairs of kinds that could be met
	NeverMet []KindPair `json:"never_met"` // those that were not, by agent, state and message

	// NeverSent are the kinds of messages of System.Bodies that were never sent,
	// sorted; nil where the system does not say which there are.
	NeverSent *[]string `json:"never_sent,omitempty"`

	// NeverTaken are the own actions that were never possible, sorted.
	NeverTaken []string `json:"never_taken"`

	// NeverTested are the properties that were never put to the test, in the
	// system's order.
	NeverTested []string `json:"never_tested"`
}

// Pair is an agent's state and a message that it was given.
type Pair struct {
	AgentState string `json:"agent_state"` // its label
	Message    string `json:"message"`     // kind and detail: "Accept n=1"
}

// KindPair is a kind of state and a kind of message.
type KindPair struct {
	Agent   string `json:"agent"` // the name of the type of its states
	State   string `json:"state"`
	Message string `json:"message"`
}

// reportCoverage reads it off the tables, which every search fills, in
// whatever order.
func (s *search) reportCoverage(r *Report, names *labels) {
	c := &Coverage{NeverMet: []KindPair{}, NeverTaken: []string{}, NeverTested: []string{}}
	met := map[Pair]bool{}
	k := newKinds(s.tables)
	for a := range s.tables.agents {
		k.gather(a, names, met)
	}
	c.Met = slices.SortedFunc(maps.Keys(met), func(p, q Pair) int {
		return cmp.Or(cmp.Compare(p.AgentState, q.AgentState), cmp.Compare(p.Message, q.Message))
	})
	c.Pairs, c.NeverMet = k.missing()
	c.NeverSent = k.neverSent(s.sys.Bodies)
	c.NeverTaken = append(c.NeverTaken, slices.Sorted(maps.Keys(k.idle))...)
	for _, p := range r.Properties {
		if p.Tested == 0 {
			c.NeverTested = append(c.NeverTested, p.Name)
		}
	}
	r.Coverage = c
}

// kinds is what there is of kinds, by the type of agents' states.
type kinds struct {
	t        *tables
	states   map[string]map[string]bool
	messages map[string]map[string]bool // sent to such an agent
	met      map[KindPair]bool
	idle     map[string]bool // own actions that were never possible
	taken    map[string]bool
}

func newKinds(t *tables) *kinds {
	return &kinds{t, map[string]map[string]bool{}, map[string]map[string]bool{}, map[KindPair]bool{}, map[string]bool{}, map[string]bool{}}
}

// gather adds what one agent met.
func (k *kinds) gather(a int, names *labels, met map[Pair]bool) {
	table := &k.t.agents[a]
	node := k.t.sys.Agents[a]
	agent := typeName(node.StateType())
	if k.states[agent] == nil {
		k.states[agent], k.messages[agent] = map[string]bool{}, map[string]bool{}
	}
	for _, m := range table.messages {
		k.messages[agent][k.messageKind(m)] = true
	}
	for id, state := range table.states {
		if state.traits.Halted || state.traits.Crashed {
			continue
		}
		label := names.agents[a][id]
		kind := stateKind(label)
		k.states[agent][kind] = true
		for m, list := range state.received { //tidy:unordered they are gathered in sets
			if slices.ContainsFunc(list, func(t transition) bool { return t.kind.Handler() != "" }) {
				met[Pair{label, k.t.messages[m].label}] = true
				k.met[KindPair{agent, kind, k.messageKind(m)}] = true
			}
		}
		for _, t := range state.own {
			k.taken[t.action] = true
		}
	}
	for _, action := range node.Actions() {
		k.idle[action.Name] = true
	}
}

func (k *kinds) messageKind(m uint32) string {
	return model.MessageKind(k.t.caller.Body(k.t.messages[m].Body))
}

// missing counts the pairs that could be met, and lists those that were not.
func (k *kinds) missing() (all int, missing []KindPair) {
	missing = []KindPair{}
	for _, agent := range slices.Sorted(maps.Keys(k.states)) {
		for _, state := range slices.Sorted(maps.Keys(k.states[agent])) {
			for _, message := range slices.Sorted(maps.Keys(k.messages[agent])) {
				all++
				if p := (KindPair{agent, state, message}); !k.met[p] {
					missing = append(missing, p)
				}
			}
		}
	}
	maps.DeleteFunc(k.idle, func(action string, _ bool) bool { return k.taken[action] })
	return all, missing
}

func (k *kinds) neverSent(bodies []any) *[]string {
	if bodies == nil {
		return nil
	}
	sent := map[string]bool{}
	for m := range k.t.messages {
		sent[k.messageKind(uint32(m))] = true
	}
	never := []string{}
	for _, body := range bodies {
		if kind := model.MessageKind(body); !sent[kind] {
			never = append(never, kind)
		}
	}
	slices.Sort(never)
	never = slices.Compact(never)
	return &never
}

// stateKind is the kind of a state with such a label.
func stateKind(label string) string {
	kind := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, label))
	if kind == "" {
		return label
	}
	return kind
}
