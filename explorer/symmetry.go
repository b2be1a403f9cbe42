package explorer

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/permute"
	"github.com/caulk-go/caulk/model"
)

// symmetry is the reduction of that name: of states that a renaming of agents
// makes of each other, one is explored.
//
// The renamings are the permutations, within each of the system's Alike, that leave
// alone every setting that names an agent. They rename all: the agents' places, and
// each model.ID in their states, in messages and in what the observer
// remembers. If renaming commutes with what agents do (for each move of a state the
// renamed state has the renamed move, to the renamed successor) and properties
// answer the same about renamed states, then whatever is reached from a state is
// reached, renamed and after as many moves, from what renaming makes of it. So
// verdicts and shortest lengths are those of the whole search. Both premises are
// checked by generators of the group on everything that the search meets, and a
// search that meets a counterexample ends with it (symmetry_check.go).
//
// Of each orbit the state that is met first stands for all. It is a real one, and so is
// the path to it. What identifies an orbit is a key, the same for all its states and
// exactly theirs: the bytes of the state renamed in a certain way (symmetry_key.go).
type symmetry struct {
	t          *tables
	cells      [][]model.ID // agents that may be renamed to each other, ascending; two or more
	cellOf     []int        // by agent: its cell; -1 for none
	generators []renaming
	locals     [][]*facts // by agent and state; nil where not worked out yet
	bodies     []*facts   // by message
	memories   []*facts   // by state of the observer
	images     map[imageKey]string
	swaps      map[swapKey]int64
	checked    map[checkedMove]bool
	noticed    map[noticed]bool // moves of which the observer's part was checked
}

// renaming is a permutation of the agents.
type renaming []model.ID // by agent

func (r renaming) of(id model.ID) model.ID {
	if id < 1 || int(id) > len(r) {
		return id // no agent
	}
	return r[id-1]
}

func identity(agents int) renaming {
	r := make(renaming, agents)
	for i := range r {
		r[i] = model.ID(i + 1)
	}
	return r
}

// reduceBySymmetry sets up the reduction, or says why it is refused.
func (s *search) reduceBySymmetry() error {
	if !s.asks(Symmetry) {
		return nil
	}
	if err := s.refuseSymmetry(); err != nil {
		return fmt.Errorf("the reduction %q is refused: %w", Symmetry, err)
	}
	y := &symmetry{
		t: s.tables, cellOf: make([]int, len(s.sys.Agents)), locals: make([][]*facts, len(s.sys.Agents)),
		images: map[imageKey]string{}, swaps: map[swapKey]int64{}, checked: map[checkedMove]bool{}, noticed: map[noticed]bool{},
	}
	for i := range y.cellOf {
		y.cellOf[i] = -1
	}
	order := big.NewInt(1)
	for _, alike := range s.sys.Alike {
		for _, cell := range settledApart(s.sys, alike) {
			for _, id := range cell {
				y.cellOf[id-1] = len(y.cells)
			}
			y.cells = append(y.cells, cell)
			order.Mul(order, new(big.Int).MulRange(1, int64(len(cell))))
			y.generators = append(y.generators, generators(len(s.sys.Agents), cell)...)
		}
	}
	s.symmetry = y
	s.notes = append(s.notes, fmt.Sprintf("symmetry: group of order %s", order))
	return nil
}

func (s *search) refuseSymmetry() error {
	for i := range s.properties {
		if p := &s.properties[i]; p.Kind.Liveness() {
			return fmt.Errorf("the property %q is about whole runs (%s), and a loop of orbits need be no loop of states", p.Name, p.Kind)
		}
	}
	o := &s.opts
	switch {
	case len(s.sys.Alike) == 0:
		return errors.New("the algorithm does not say which of its agents are alike (model.System.Alike)")
	case s.asks(Dead) || s.asks(Minimal):
		return errors.New("it does not go with dead or minimal: they number states in ways that renaming does not keep")
	case o.Search != BFS:
		return fmt.Errorf("it is for breadth-first search, not for %s", o.Search)
	case o.Checkpoint != "" || o.Resume != "":
		return errors.New("its search is in memory only: leave out the checkpoint")
	case o.Graph != NoGraph:
		return errors.New("its labels are not all that there are, so that there is no diagram to draw")
	case o.Cover:
		return errors.New("it meets one state of many, so that coverage would not be true")
	case s.sys.Snapshot != nil:
		return errors.New("the system begins in a state that was recorded, in which agents are not alike")
	}
	return nil
}

// settledApart divides agents that are alike into those that no setting tells
// apart, two or more in each cell, in order of the first.
func settledApart(sys *model.System, alike []model.ID) [][]model.ID {
	about := func(id model.ID) string {
		var b strings.Builder
		for _, start := range sys.AllStarts() {
			value, started := start[id]
			fmt.Fprintf(&b, "%t %q,", started, value)
		}
		for _, ids := range [][]model.ID{sys.Wipe, sys.Restart, sys.Crash} {
			fmt.Fprintf(&b, "%t,", slices.Contains(ids, id))
		}
		fmt.Fprint(&b, sys.Observer != nil && sys.Observer.Sees(id))
		return b.String()
	}
	cells := map[string][]model.ID{}
	for _, id := range slices.Sorted(slices.Values(alike)) {
		cells[about(id)] = append(cells[about(id)], id)
	}
	var list [][]model.ID
	for _, key := range slices.Sorted(maps.Keys(cells)) {
		if len(cells[key]) > 1 {
			list = append(list, cells[key])
		}
	}
	slices.SortFunc(list, func(a, b []model.ID) int { return int(a[0] - b[0]) })
	return list
}

// generators are renamings of which all those of a cell are made: the first two
// exchanged, and all moved round.
func generators(agents int, cell []model.ID) []renaming {
	exchange := identity(agents)
	exchange[cell[0]-1], exchange[cell[1]-1] = cell[1], cell[0]
	if len(cell) == 2 {
		return []renaming{exchange}
	}
	round := identity(agents)
	for i, id := range cell {
		round[id-1] = cell[(i+1)%len(cell)]
	}
	return []renaming{exchange, round}
}

// component is one part of a state that may hold IDs.
type component struct {
	kind  componentKind
	agent int // of a local state
	id    uint32
}

type componentKind uint8

const (
	local componentKind = iota
	body
	memory
)

// facts are what is known of a component, worked out once.
type facts struct {
	value any
	bytes string
	ids   []model.ID          // of agents that may be renamed, ascending
	blur  map[model.ID]uint64 // its hash, with one agent told from the others; 0 for none
}

// about gives the facts.
func (y *symmetry) about(c component) *facts {
	list := &y.bodies
	switch c.kind {
	case local:
		list = &y.locals[c.agent]
	case memory:
		list = &y.memories
	}
	for int(c.id) >= len(*list) {
		*list = append(*list, nil)
	}
	f := (*list)[c.id]
	if f == nil {
		f = y.workOut(c)
		(*list)[c.id] = f
	}
	return f
}

func (y *symmetry) workOut(c component) *facts {
	f := &facts{blur: map[model.ID]uint64{}}
	switch c.kind {
	case local:
		f.bytes = y.t.agents[c.agent].states[c.id].bytes
		f.value = y.t.caller.Local(model.ID(c.agent+1), f.bytes)
	case body:
		f.bytes = y.t.messages[c.id].Body
		f.value = y.t.caller.Body(f.bytes)
	case memory:
		f.bytes = y.t.observer.states[c.id]
		f.value = y.t.caller.Memory(f.bytes)
	}
	met := map[model.ID]bool{}
	permute.Each(f.value, func(id model.ID) {
		if id >= 1 && int(id) <= len(y.cellOf) && y.cellOf[id-1] >= 0 {
			met[id] = true
		}
	})
	f.ids = slices.Sorted(maps.Keys(met))
	return f
}

type imageKey struct {
	component
	images string // of the component's ids
}

// image is a component's bytes under a renaming; of a local state, those of the
// agent that its own is renamed to.
func (y *symmetry) image(c component, r renaming) string {
	f := y.about(c)
	moved := c.kind == local && r[c.agent] != model.ID(c.agent+1)
	if !moved && !slices.ContainsFunc(f.ids, func(id model.ID) bool { return r.of(id) != id }) {
		return f.bytes
	}
	if len(f.ids) == 0 {
		return f.bytes // agents of a cell are of one type: the same bytes are the same state
	}
	key := imageKey{c, ""}
	var images []byte
	for _, id := range f.ids {
		images = append(images, byte(r.of(id)), byte(r.of(id)>>8))
	}
	key.images = string(images)
	if b, known := y.images[key]; known {
		return b
	}
	var b string
	var err error
	switch c.kind {
	case local:
		b, err = y.t.caller.PermuteLocal(model.ID(c.agent+1), f.bytes, r.of)
	case body:
		b, err = y.t.caller.PermuteBody(f.bytes, r.of)
	case memory:
		b, err = y.t.caller.PermuteMemory(f.bytes, r.of)
	}
	if err != nil {
		panic("explorer: a value that was plain is not when agents are renamed: " + err.Error())
	}
	y.images[key] = b
	return b
}
