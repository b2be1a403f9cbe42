package explorer

import (
	"cmp"
	"slices"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// reportLabels goes through all that was found once more, for what the report
// says of labels and for the diagram.
func (s *search) reportLabels(r *Report, all found, names *labels) error {
	o := s.observe(all, names)
	if o.short {
		return nil
	}
	wipes := 0
	for e := range o.edges {
		if e.kind == model.Wipe {
			wipes++
		}
	}
	nodes, edges := len(o.nodes), len(o.edges)
	r.LabelNodes, r.LabelEdges, r.LabelWipeEdges = &nodes, &edges, &wipes
	awry := []Awry{}
	for _, pair := range o.pairs() {
		find := o.awry[pair]
		r := all.path(find.before, find.depth)
		r.moves = append(r.moves, find.fatal)
		steps, _, err := s.retrace(r, names)
		if err != nil {
			return err
		}
		awry = append(awry, Awry{AgentState: pair.state, Message: pair.message, Moves: len(steps), Path: steps})
	}
	r.Awry = &awry
	if s.opts.Graph == NoGraph {
		return nil
	}
	if s.opts.Graph == StateGraph {
		const each = 500 // bytes that a node or an edge takes, about
		if s.budget.allows(each * (s.states + s.transitions)) {
			r.Diagram = s.stateDiagram(all, names)
		}
		return nil
	}
	var path []trace.Step
	from := ""
	if r.Violation != nil {
		path = r.Violation.Path
		from = names.state(s.starts[0])
		if worst := s.worst(all); worst >= 0 {
			from = names.state(all.pathOf(worst).start)
		}
	}
	r.Diagram = o.diagram(from, path)
	return nil
}

// diagram is the observed labels, sorted.
// The path leads from the label given.
func (o *observation) diagram(from string, path []trace.Step) *Diagram {
	d := &Diagram{}
	for _, n := range o.nodes {
		d.Nodes = append(d.Nodes, *n)
	}
	slices.SortFunc(d.Nodes, func(a, b Node) int { return cmp.Compare(a.Name, b.Name) })
	index := map[string]int{}
	for i, n := range d.Nodes {
		index[n.Name] = i
	}
	for e := range o.edges { //tidy:unordered sorted below
		d.Edges = append(d.Edges, Edge{From: index[e.from], To: index[e.to], Label: e.label, Kind: e.kind})
	}
	for _, f := range o.s.starts {
		if i := index[o.names.state(f)]; !slices.Contains(d.Starts, i) {
			d.Starts = append(d.Starts, i)
		}
	}
	d.sortEdges()
	d.markPath(from, path)
	return d
}

func (d *Diagram) sortEdges() {
	slices.SortFunc(d.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Label, b.Label))
	})
}

// markPath marks the nodes and the edges of a path of labels.
func (d *Diagram) markPath(at string, path []trace.Step) {
	if len(path) == 0 {
		return
	}
	nodes := map[string]*Node{}
	for i := range d.Nodes {
		nodes[d.Nodes[i].Name] = &d.Nodes[i]
	}
	nodes[at].OnPath = true
	for _, step := range path {
		if step.State == "" { // a handler panics there
			return
		}
		for i := range d.Edges {
			e := &d.Edges[i]
			if d.Nodes[e.From].Name == at && d.Nodes[e.To].Name == step.State && e.Label == step.Label {
				e.OnPath = true
			}
		}
		at = step.State
		if n := nodes[at]; n != nil {
			n.OnPath = true
		}
	}
}
