package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// findRequest asks for a shortest path, from the start, to a violation of the
// system's properties; to an end, where nothing more can happen; or to a state
// of a label.
type findRequest struct {
	where
	To    string // violation, end or label
	Label string
}

type findAnswer struct {
	Start    int
	Path     []move
	LoopFrom *int   // the moves from this one on repeat for ever
	Says     string // in a sentence
}

func (s *server) find(ctx context.Context, q findRequest) (*findAnswer, error) {
	sys, err := s.system(ctx, q.where)
	if err != nil {
		return nil, err
	}
	nothing := "every property holds"
	switch q.To {
	case "violation":
	case "end":
		sys.Properties = []model.Property{model.AtEnd("goes on", func(model.View) error { return errors.New("nothing more can happen") })}
		nothing = "it goes on for ever: there is no end"
	case "label":
		sys.Properties = []model.Property{model.Always("elsewhere", func(v model.View) error {
			label, own := labelOf(&sys, v)
			if !own {
				return errors.New("an agent has no label of its own")
			}
			if label == q.Label {
				return errors.New("here it is " + label)
			}
			return nil
		})}
		nothing = "no state has the label " + q.Label
	default:
		return nil, fmt.Errorf("to is violation, end or label, not %q", q.To)
	}
	r, err := s.search(ctx, sys, explorer.NoGraph)
	if err != nil {
		return nil, err
	}
	v := r.Violation
	switch {
	case v == nil && r.Verdict == explorer.Violated:
		return nil, errors.New("what should be reached is not reached, in any state: no path shows that")
	case v == nil && r.Complete:
		return nil, fmt.Errorf("%s, in all %d states", nothing, r.States)
	case v == nil:
		return nil, fmt.Errorf("nothing was found in %d states, and the page looks no further: %s explore does", r.States, s.Name)
	}
	a := &findAnswer{LoopFrom: v.LoopFrom, Path: []move{}, Says: fmt.Sprintf("%s: %s", v.Property, v.Reason)}
	for i, start := range sys.AllStarts() {
		if v.Start != nil && maps.Equal(start, v.Start) {
			a.Start = i
		}
	}
	for _, step := range v.Path {
		a.Path = append(a.Path, move{step.Label, step.Body})
	}
	return a, nil
}

// labelOf is the label of a state, if all agents have labels of their own.
func labelOf(sys *model.System, v model.View) (label string, own bool) {
	for _, id := range v.Population() {
		l, ok := sys.Node(id).Label(v.State(id))
		if !ok {
			return "", false
		}
		label += l
	}
	return label, true
}

// search explores within the page's bounds, when it is its turn.
func (s *server) search(ctx context.Context, sys model.System, graph explorer.Graph) (*explorer.Report, error) {
	select {
	case s.searching <- struct{}{}:
		defer func() { <-s.searching }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	o := explorer.Options{MaxStates: mostStates, MaxTime: longest / 2, Graph: graph, HandlerTime: handlerTime}
	if graph == explorer.LabelGraph {
		o.MaxStates, o.MaxTime, o.KeepGoing = mostStates/10, 3*time.Second, true
	}
	return explorer.Explore(ctx, sys, o)
}

// diagramRequest asks for the diagram of labels; where that is too large to be
// read, for what is around one label.
type diagramRequest struct {
	where
	Around string
}

type diagramAnswer struct {
	SVG  string
	Says string // what is not drawn; empty for nothing
}

// mostNodes and mostArrows are drawn whole; of what is larger, only what is
// around the state that the page shows.
const (
	mostNodes  = 80
	mostArrows = 240
	nearby     = 24
)

// labels explores for the diagram of labels: the report has one.
func (s *server) labels(ctx context.Context, q where) (*explorer.Report, error) {
	sys, err := s.system(ctx, q)
	if err != nil {
		return nil, err
	}
	r, err := s.search(ctx, sys, explorer.LabelGraph)
	if err == nil && r.Diagram == nil {
		err = errors.New("there is no state to draw")
	}
	return r, err
}

func (s *server) diagram(ctx context.Context, q diagramRequest) (*diagramAnswer, error) {
	r, err := s.labels(ctx, q.where)
	if err != nil {
		return nil, err
	}
	a := &diagramAnswer{}
	if !r.Complete {
		a.Says = fmt.Sprintf("of the first %d states", r.States)
	}
	d := r.Diagram
	if len(d.Nodes) > mostNodes || len(d.Edges) > mostArrows {
		d = around(d, q.Around)
		a.Says = fmt.Sprintf("%d of %d labels, those nearest to this state", len(d.Nodes), len(r.Diagram.Nodes))
	}
	var b bytes.Buffer
	if err := graphviz.SVG(ctx, &b, d); err != nil {
		return nil, err
	}
	a.SVG = b.String()
	return a, nil
}

// around is the part of a diagram that is nearest to a label, by arrows in either
// direction; to the start, if the label is not there.
func around(d *explorer.Diagram, label string) *explorer.Diagram {
	from := 0
	if len(d.Starts) > 0 {
		from = d.Starts[0]
	}
	next := make([][]int, len(d.Nodes))
	for _, e := range d.Edges {
		next[e.From] = append(next[e.From], e.To)
		next[e.To] = append(next[e.To], e.From)
	}
	for i := range d.Nodes {
		if d.Nodes[i].Label == label {
			from = i
		}
	}
	near := map[int]bool{from: true}
	queue := []int{from}
	for ; len(queue) > 0 && len(near) < nearby; queue = queue[1:] {
		for _, i := range next[queue[0]] {
			if !near[i] && len(near) < nearby {
				near[i] = true
				queue = append(queue, i)
			}
		}
	}
	part := &explorer.Diagram{}
	index := map[int]int{}
	for i, n := range d.Nodes {
		if near[i] {
			index[i] = len(part.Nodes)
			part.Nodes = append(part.Nodes, n)
		}
	}
	for _, i := range d.Starts {
		if near[i] {
			part.Starts = append(part.Starts, index[i])
		}
	}
	for _, e := range d.Edges {
		if near[e.From] && near[e.To] && len(part.Edges) < mostArrows {
			e.From, e.To = index[e.From], index[e.To]
			part.Edges = append(part.Edges, e)
		}
	}
	return part
}

// fileRequest asks for something to keep: the path as path or as test, the diagram
// as dot.
type fileRequest struct {
	where
	As string
}

type fileAnswer struct{ Name, Type, Content string }

func (s *server) file(ctx context.Context, q fileRequest) (*fileAnswer, error) {
	if q.As == "dot" {
		r, err := s.labels(ctx, q.where)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err = graphviz.DOT(&b, r.Diagram)
		return &fileAnswer{r.Algo + ".dot", "text/vnd.graphviz", b.String()}, err
	}
	p, err := s.locate(ctx, q.where)
	if err != nil {
		return nil, err
	}
	setting := trace.SettingOf(&p.sys)
	path := trace.Path{Setting: &setting, Steps: p.steps()}
	var b bytes.Buffer
	switch q.As {
	case "path":
		err = trace.Write(&b, path)
		return &fileAnswer{p.sys.Name + "-path.json", "application/json", b.String()}, err
	case "test":
		source, err := s.Test(&p.sys, path)
		return &fileAnswer{"found_test.go", "text/plain", string(source)}, err
	}
	return nil, fmt.Errorf("as is path, dot or test, not %q", q.As)
}
