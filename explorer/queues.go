package explorer

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// queueTables are the queues of a fifo network: one for each ordered pair of
// agents that ever used one. A queue's content is a number, as a local state
// is; 0 is the empty one.
type queueTables struct {
	ids  map[pair]int
	list []queueTable // in order of discovery
}

// pair is the two ends of a queue.
type pair struct{ from, to model.ID }

type queueTable struct {
	pair
	ids      map[string]uint32
	contents []content
}

// content is the messages in a queue, the next one to be delivered first.
type content struct {
	messages []uint32
	rest     uint32            // the content without its first message
	pushed   map[uint32]uint32 // the content with one more behind
}

// use is the queue between two agents, made if there was none.
func (t *tables) use(p pair) int {
	if q, ok := t.queues.ids[p]; ok {
		return q
	}
	if t.queues.ids == nil {
		t.queues.ids = map[pair]int{}
	}
	q := len(t.queues.list)
	t.queues.ids[p] = q
	t.queues.list = append(t.queues.list, queueTable{pair: p, ids: map[string]uint32{"": 0}, contents: []content{{}}})
	return q
}

// pushed is a queue's content with a message behind it, if that was ever worked
// out.
func (q *queueTable) pushed(c, m uint32) (uint32, bool) {
	n, ok := q.contents[c].pushed[m]
	return n, ok
}

// push is the same, and works it out.
func (t *tables) push(queue int, c, m uint32) uint32 {
	q := &t.queues.list[queue]
	if n, ok := q.pushed(c, m); ok {
		return n
	}
	n := q.intern(append(slices.Clone(q.contents[c].messages), m))
	if q.contents[c].pushed == nil {
		q.contents[c].pushed = map[uint32]uint32{}
	}
	q.contents[c].pushed[m] = n
	t.answered++
	t.history.addPushed(t, queue, c, m)
	return n
}

// intern gives a content its number, and those of all that it will become.
func (q *queueTable) intern(messages []uint32) uint32 {
	var key []byte
	for _, m := range messages {
		key = binary.AppendUvarint(key, uint64(m))
	}
	if n, ok := q.ids[string(key)]; ok {
		return n
	}
	rest := q.intern(messages[1:])
	n := uint32(len(q.contents))
	q.ids[string(key)] = n
	q.contents = append(q.contents, content{messages: messages, rest: rest})
	return n
}

// compareQueues orders the queues of two states by what they are: by sender and
// receiver, then by the messages in order.
func (t *tables) compareQueues(f, g flat) int {
	order := make([]int, len(t.queues.list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		p, q := t.queues.list[x].pair, t.queues.list[y].pair
		return cmp.Or(cmp.Compare(p.from, q.from), cmp.Compare(p.to, q.to))
	})
	for _, q := range order {
		x, y := t.queued(f, q), t.queued(g, q)
		if c := slices.CompareFunc(x, y, t.compareMessages); c != 0 {
			return c
		}
	}
	return 0
}

// queued is the messages in a queue of a state, the next one first.
func (t *tables) queued(f flat, queue int) []uint32 {
	return t.queues.list[queue].contents[f.more(t.firstQueue()+queue)].messages
}
