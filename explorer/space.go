package explorer

import (
	"sync"
	"sync/atomic"

	"github.com/caulk-go/caulk/model"
)

// space is the set of states found, packed in words of one layout, with the
// order in which they were found. A search works in one space until the
// layout is outgrown, then goes on in the next.
type space[K words] struct {
	*search
	layout      *layout
	bag         bool
	isFifo      bool
	agents      []agentRows[K]
	multi       K        // messages whose copies are counted
	messageAt   []uint32 // by bit: the message
	messageBits K        // all bits of messages
	networkBits K        // all bits of the network: of messages, their copies, queues

	parts  []partition[K]
	queue  queue
	bad    map[K]struct{} // inconsistent states: never expanded
	judge  *judge[K]
	worker []*worker[K]
	aside  []successor[K]        // states of the last batch that needed something worked out
	stale  map[localKey]struct{} // rows that lack what was worked out since they were packed
}

// localKey names one state of one agent.
type localKey struct {
	agent int
	state uint32
}

func newSpace[K words](s *search, l *layout) *space[K] {
	var k K
	n := &space[K]{
		search:    s,
		layout:    l,
		bag:       s.isBag(),
		isFifo:    s.sys.Network == model.Fifo,
		messageAt: make([]uint32, len(k)*64),
		parts:     make([]partition[K], partitions),
		queue:     newQueue(),
		bad:       map[K]struct{}{},
		stale:     map[localKey]struct{}{},
	}
	for i := range n.parts {
		n.parts[i].awake = n.loose() // moves are made in every order
	}
	n.judge = newJudge(n)
	for range s.workers {
		n.worker = append(n.worker, &worker[K]{s: n, mover: newMover(n), looker: newLooker(n)})
	}
	n.agents = make([]agentRows[K], len(s.tables.agents))
	n.learnMessages(0)
	n.refreshAgents()
	return n
}

// small is how many states are expanded by one worker, since waking others
// would take longer.
const small = 1 << 11

// expandBatch expands the states of some runs, in parallel.
func (s *space[K]) expandBatch(batch []run) {
	states := total(batch)
	workers := s.worker
	if states < small {
		workers = workers[:1]
	}
	var wg sync.WaitGroup
	for i, w := range workers {
		part := slice(batch, states*i/len(workers), states*(i+1)/len(workers))
		s.parallel(&wg, len(workers), func() { w.expandRuns(part) })
	}
	wg.Wait()
	for _, w := range workers {
		s.aside = append(s.aside, w.aside...)
		w.aside = w.aside[:0]
	}
}

func (s *space[K]) parallel(wg *sync.WaitGroup, of int, f func()) {
	if of == 1 {
		f()
		return
	}
	wg.Go(f)
}

func (w *worker[K]) expandRuns(runs []run) {
	for _, r := range runs {
		p := &w.s.parts[r.part]
		for i := r.start; i < r.end; i++ {
			k := p.at(i)
			if len(w.s.bad) > 0 {
				if _, bad := w.s.bad[*k]; bad {
					continue
				}
			}
			sleep := p.asleep.of(i)
			w.expandAny(k, &sleep)
			if len(w.found) >= scattered {
				w.scatter()
			}
		}
	}
	w.flush()
}

func (w *worker[K]) expandAny(k, sleep *K) {
	if w.s.loose() {
		w.expandGeneral(k)
	} else {
		w.expand(k, sleep)
	}
}

// loose says whether states are expanded the general way.
func (s *space[K]) loose() bool { return s.general || s.layout.sparse() }

// collect moves the workers' buckets into the partitions and judges what was
// new.
func (s *space[K]) collect() error {
	for _, w := range s.worker {
		s.transitions += w.transitions
		s.terminal += w.terminal
		s.beyond += w.beyond
		w.transitions, w.terminal, w.beyond = 0, 0, 0
		s.count(&w.looker.tally, s.queue.depth()+1)
		w.looker.tally = newTally(len(s.properties))
	}
	s.states += s.insertBuckets(s.judge.glance)
	return s.judge.settle()
}

// insertBuckets moves the workers' buckets into the partitions, in parallel.
// Within a partition the order is the workers', which is that of the states
// expanded. It says how many states were new, and shows each owner of a
// partition those that it got.
func (s *space[K]) insertBuckets(show func(owner, part int, from uint32)) (fresh int64) {
	waiting := 0
	var before [partitions]uint32
	for p := range s.parts {
		before[p] = s.parts[p].states
		for _, w := range s.worker {
			waiting += w.buckets[p].states()
		}
	}
	owners := len(s.worker)
	if waiting < small {
		owners = 1
	}
	var wg sync.WaitGroup
	var next atomic.Int32
	for owner := range owners {
		s.parallel(&wg, owners, func() {
			for p := int(next.Add(1)) - 1; p < partitions; p = int(next.Add(1)) - 1 {
				s.insertAll(p)
				if show != nil {
					show(owner, p, before[p])
				}
			}
		})
	}
	wg.Wait()
	for _, w := range s.worker {
		w.empty()
	}
	for p := range s.parts {
		if n := s.parts[p].states; n > before[p] {
			s.queue.push(run{uint32(p), before[p], n})
			fresh += int64(n - before[p])
		}
	}
	return fresh
}

func (s *space[K]) insertAll(p int) {
	for _, w := range s.worker {
		w.buckets[p].each(s.parts[p].insertAll)
	}
}
