package explorer

import (
	"cmp"
	"slices"

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
		if e.kind.Fault() {
			wipes++
		}
	}
	nodes, edges := len(o.nodes), len(o.edges)
	r.LabelNodes, r.LabelEdges, r.LabelWipeEdges = &nodes, &edges, &wipes
	awry := []Awry{}
	for _, pair := range o.pairs() {
		find := o.awry[pair]
		steps, _, err := s.retrace(append(all.path(find.before, find.depth), find.fatal), names)
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
	if r.Violation != nil {
		path = r.Violation.Path
	}
	r.Diagram = o.diagram(names.state(s.first), path)
	return nil
}

// diagram is the observed labels, sorted.
func (o *observation) diagram(start string, path []trace.Step) *Diagram {
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
	d.Start = index[start]
	d.sortEdges()
	d.markPath(start, path)
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
