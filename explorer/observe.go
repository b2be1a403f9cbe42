package explorer

import (
	"cmp"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// observation is what was seen of labels: the states and moves of a search,
// gone through once more, slowly, in an order that does not matter.
type observation struct {
	s     *search
	names *labels

	nodes map[string]*Node
	edges map[edge]bool
	awry  map[awryPair]*awryFind

	looked int  // how many nodes and edges there were when memory was looked at
	short  bool // there was not enough, and nothing more is gathered
}

type edge struct {
	from, to string
	label    string
	kind     model.MoveKind
}

// awryPair is an agent's state and a message on which it halts, by their
// labels.
type awryPair struct{ state, message string }

// awryFind is the nearest such halt.
type awryFind struct {
	before flat
	fatal  choice
	depth  int // of the state before
}

// observedTransitions is up to how many transitions labels are gathered
// without being asked for.
const observedTransitions = 1_000_000

func (s *search) observe(all found, names *labels) *observation {
	o := &observation{s: s, names: names, nodes: map[string]*Node{}, edges: map[edge]bool{}, awry: map[awryPair]*awryFind{}}
	all.expanded(o.state)
	all.unexpanded(func(f *flat, _ int, bad bool) {
		if !o.giveUp() {
			o.mark(*f, bad)
		}
	})
	return o
}

// giveUp says whether memory is too short for what is gathered: then what
// nobody asked for is left out, and so is a diagram.
func (o *observation) giveUp() bool {
	const portion = 1 << 10 // nodes and edges between two looks
	const each = 400        // bytes that one takes, about
	n := len(o.nodes) + len(o.edges)
	if o.short || o.s.budget.limit == 0 || n < o.looked+portion {
		return o.short
	}
	o.looked = n
	need := int64(portion * each)
	if o.s.opts.Graph == LabelGraph { // they are sorted in slices, with an index
		need += int64(n) * each / 2
	}
	if o.short = !o.s.budget.allows(need); o.short {
		o.nodes, o.edges, o.awry = nil, nil, nil
	}
	return o.short
}

// mark names a state and says what is wrong with it.
func (o *observation) mark(f flat, bad bool) *Node {
	node := o.node(f)
	node.Inconsistent = node.Inconsistent || bad
	node.Halted = node.Halted || o.s.tables.halted(f)
	return node
}

func (o *observation) state(f *flat, depth int, bad bool) {
	if o.giveUp() {
		return
	}
	t := o.s.tables
	node := o.mark(*f, bad)
	if bad || t.halted(*f) || o.s.outside(f) {
		return
	}
	choices, err := t.choices(*f)
	if err != nil {
		return // the search ended before it
	}
	node.Terminal = node.Terminal || len(choices) == 0
	for _, c := range choices {
		next := t.after(*f, c)
		to := o.node(next)
		if to.Label != node.Label {
			o.edges[edge{node.Name, to.Name, o.names.move(c), c.kind}] = true
		}
		if c.msg >= 0 && t.agents[c.agent].states[c.next].traits.Halted {
			o.halt(*f, c, depth)
		}
	}
}

func (o *observation) node(f flat) *Node {
	name := o.names.state(f)
	n := o.nodes[name]
	if n == nil {
		n = &Node{Name: name, Label: name}
		o.nodes[name] = n
	}
	return n
}

func (o *observation) halt(f flat, c choice, depth int) {
	t := o.s.tables
	pair := awryPair{o.names.agents[c.agent][f.states[c.agent]], t.messages[c.msg].label}
	old := o.awry[pair]
	if old != nil && cmp.Or(cmp.Compare(old.depth, depth), -t.compareChoices(old.fatal, c), t.compare(old.before, f)) <= 0 {
		return
	}
	o.awry[pair] = &awryFind{f.clone(), c, depth}
}

// pairs lists what went awry, by agent state, then message.
func (o *observation) pairs() []awryPair {
	var list []awryPair
	for p := range o.awry {
		list = append(list, p)
	}
	slices.SortFunc(list, func(p, q awryPair) int {
		return cmp.Or(cmp.Compare(p.state, q.state), cmp.Compare(p.message, q.message))
	})
	return list
}
