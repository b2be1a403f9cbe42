package explorer

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/caulk-go/caulk/internal/permute"
	"github.com/caulk-go/caulk/model"
)

// key identifies the orbit of a state, exactly.
//
// Agents of a cell are told apart by colours: hashes of the whole state as it looks
// from each, which renaming does not change. They are renamed in the order of
// their colours. Where colours are equal and exchanging the agents leaves the state as
// it is, any order will do. Otherwise colours are refined by the colours of
// others, and where that does not help all orders are tried, and the least bytes taken.
// A hash that is the same by chance costs time, and nothing else.
func (y *symmetry) key(f flat) string {
	colours := y.colours(f, nil)
	ties := y.ties(f, colours)
	for distinct := count(colours); len(ties) > 0; {
		colours = y.colours(f, colours)
		ties = y.ties(f, colours)
		n := count(colours)
		if n == distinct {
			break
		}
		distinct = n
	}
	order := make([][]model.ID, len(y.cells))
	for i, cell := range y.cells {
		order[i] = slices.Clone(cell)
		slices.SortFunc(order[i], func(a, b model.ID) int { return cmp.Or(cmp.Compare(colours[a-1], colours[b-1]), cmp.Compare(a, b)) })
	}
	least := ""
	y.orders(order, ties, func() {
		if b := y.renamed(f, y.renamingTo(order)); least == "" || b < least {
			least = b
		}
	})
	return least
}

func count(colours []uint64) int {
	return len(slices.Compact(slices.Sorted(slices.Values(colours))))
}

// tie is a stretch of a cell's order in which agents have one colour, and are not
// all the same.
type tie struct{ cell, from, to int }

// orders calls f for every order of those that are tied; it changes order.
func (y *symmetry) orders(order [][]model.ID, ties []tie, f func()) {
	if len(ties) == 0 {
		f()
		return
	}
	t := ties[0]
	stretch := order[t.cell][t.from:t.to]
	var arrange func(n int)
	arrange = func(n int) {
		if n == len(stretch) {
			y.orders(order, ties[1:], f)
			return
		}
		for i := n; i < len(stretch); i++ {
			stretch[n], stretch[i] = stretch[i], stretch[n]
			arrange(n + 1)
			stretch[n], stretch[i] = stretch[i], stretch[n]
		}
	}
	arrange(0)
}

// renamingTo renames the agents of each cell in an order to the cell's own.
func (y *symmetry) renamingTo(order [][]model.ID) renaming {
	r := identity(len(y.cellOf))
	for i, cell := range y.cells {
		for k, id := range order[i] {
			r[id-1] = cell[k]
		}
	}
	return r
}

// ties are the stretches that must be tried in every order.
func (y *symmetry) ties(f flat, colours []uint64) []tie {
	var list []tie
	for i, cell := range y.cells {
		order := slices.Clone(cell)
		slices.SortFunc(order, func(a, b model.ID) int { return cmp.Or(cmp.Compare(colours[a-1], colours[b-1]), cmp.Compare(a, b)) })
		for from := 0; from < len(order); {
			to := from + 1
			same := true
			for ; to < len(order) && colours[order[to]-1] == colours[order[from]-1]; to++ {
				same = same && y.fixed(f, order[to-1], order[to])
			}
			if !same {
				list = append(list, tie{i, from, to})
			}
			from = to
		}
	}
	return list
}

const (
	me     = 0x5bd1e995
	others = 0x1b873593
)

// colours are by agent; with colours from before, one agent sees the others in
// those.
func (y *symmetry) colours(f flat, before []uint64) []uint64 {
	list := make([]uint64, len(y.cellOf))
	for a, cell := range y.cellOf {
		if cell >= 0 {
			list[a] = y.colour(f, model.ID(a+1), before)
		}
	}
	return list
}

// colour is a hash of the state as it looks from one agent.
func (y *symmetry) colour(f flat, from model.ID, before []uint64) uint64 {
	of := func(id model.ID) uint64 {
		switch {
		case id == from:
			return me
		case id < 1 || int(id) > len(y.cellOf) || y.cellOf[id-1] < 0:
			return uint64(id)
		case before != nil:
			return before[id-1]
		}
		return permute.Mix(others, uint64(y.cellOf[id-1]))
	}
	hash := func(c component) uint64 {
		facts := y.about(c)
		if before != nil && len(facts.ids) > 0 {
			return permute.Hash(facts.value, of)
		}
		seen := from
		if !slices.Contains(facts.ids, from) {
			seen = 0
		}
		h, known := facts.blur[seen]
		if !known {
			h = permute.Hash(facts.value, of)
			facts.blur[seen] = h
		}
		return h
	}
	var sum uint64
	for a, state := range f.states {
		sum += permute.Mix(of(model.ID(a+1)), hash(component{local, a, state}))
	}
	envelope := func(m uint32) uint64 {
		e := &y.t.messages[m]
		return permute.Mix(permute.Mix(of(e.From), of(e.To)), hash(component{body, 0, m}))
	}
	if y.t.sys.Network == model.Fifo {
		for q := range y.t.queues.list {
			h := uint64(0)
			for _, m := range y.t.queued(f, q) {
				h = permute.Mix(h+1, envelope(m))
			}
			sum += h
		}
	}
	for _, m := range f.net {
		sum += envelope(m)
	}
	if y.t.observer != nil {
		sum += hash(component{memory, 0, f.more(y.t.observerAt())})
	}
	return sum
}

type swapKey struct {
	message uint32
	a, b    model.ID
}

// fixed says whether exchanging two agents leaves a state as it is.
func (y *symmetry) fixed(f flat, a, b model.ID) bool {
	r := identity(len(y.cellOf))
	r[a-1], r[b-1] = b, a
	for i, state := range f.states {
		to := int(r[i]) - 1
		if y.image(component{local, i, state}, r) != y.t.agents[to].states[f.states[to]].bytes {
			return false
		}
	}
	if o := y.t.observer; o != nil {
		at := f.more(y.t.observerAt())
		if y.image(component{memory, 0, at}, r) != o.states[at] {
			return false
		}
	}
	if y.t.sys.Network == model.Fifo {
		return y.renamed(f, r) == y.renamed(f, identity(len(y.cellOf)))
	}
	return y.fixedNetwork(f, a, b, r)
}

// fixedNetwork says whether the messages in flight are the same when two agents
// are exchanged.
func (y *symmetry) fixedNetwork(f flat, a, b model.ID, r renaming) bool {
	images := make([]uint32, 0, len(f.net))
	for _, m := range f.net {
		key := swapKey{m, a, b}
		to, known := y.swaps[key]
		if !known {
			to = -1
			if id, there := y.t.ids[y.envelope(m, r)]; there {
				to = int64(id)
				y.swaps[key] = to // one that is not known yet may be later
			}
		}
		if to < 0 {
			return false
		}
		images = append(images, uint32(to))
	}
	slices.Sort(images)
	return slices.Equal(images, f.net)
}

// renamed is the bytes of a state under a renaming: two states have the same if
// and only if renaming them so gives the same state.
func (y *symmetry) renamed(f flat, r renaming) string {
	back := identity(len(y.cellOf))
	for i, id := range r {
		back[id-1] = model.ID(i + 1)
	}
	var b []byte
	add := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, id := range back {
		add(y.image(component{local, int(id) - 1, f.states[id-1]}, r))
	}
	for i := range y.t.budgets {
		b = binary.AppendUvarint(b, uint64(f.more(i)))
	}
	if y.t.observer != nil {
		add(y.image(component{memory, 0, f.more(y.t.observerAt())}, r))
	}
	var envelopes []string
	for _, m := range y.t.inFlight(f) { // on fifo queue by queue, the first first
		e := y.envelope(m, r)
		envelopes = append(envelopes, string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(e.From)), uint32(e.To)))+e.Body)
	}
	if y.t.sys.Network == model.Fifo {
		slices.SortStableFunc(envelopes, func(x, y string) int { return cmp.Compare(x[:8], y[:8]) })
	} else {
		slices.Sort(envelopes)
	}
	for _, e := range envelopes {
		add(e)
	}
	return string(b)
}
