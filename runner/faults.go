package runner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/caulk-go/caulk/model"
)

// Faults are what a node does to its own messages on their way to peers, as a bad
// network might. The zero value is none.
type Faults struct {
	Drop      float64 // the probability that a message is lost
	Duplicate float64 // the probability that it goes out twice

	// DelayMin and DelayMax bound how long each message is held back. On fifo no
	// message overtakes another for that.
	DelayMin, DelayMax time.Duration

	Partitions []Partition
	Epoch      time.Time // when the times of partitions count from
	Seed       uint64    // of the lots that are drawn, also of timers
}

// Partition is a time during which messages between agents of different groups are
// lost. Who is in no group is cut off from nobody.
type Partition struct {
	Groups   [][]model.ID
	From, To time.Duration // after the epoch; To is the first moment without it
}

// check says what the faults ask for that the system does not allow, or nil.
func (f *Faults) check(sys *model.System) error {
	for _, p := range []struct {
		name  string
		value float64
	}{{"drop", f.Drop}, {"duplicate", f.Duplicate}} {
		if !(p.value >= 0 && p.value <= 1) {
			return fmt.Errorf("%s: %v is no probability: it is 0 to 1", p.name, p.value)
		}
	}
	if f.DelayMin < 0 || f.DelayMax < f.DelayMin {
		return fmt.Errorf("a delay of %s to %s", f.DelayMin, f.DelayMax)
	}
	if f.Duplicate > 0 && sys.Network == model.Fifo {
		return fmt.Errorf("nothing is doubled on fifo")
	}
	for _, p := range f.Partitions {
		for _, group := range p.Groups {
			for _, id := range group {
				if err := sys.Has(id); err != nil {
					return fmt.Errorf("a partition of agent %d: %w", id, err)
				}
			}
		}
		if p.To <= p.From || p.From < 0 {
			return fmt.Errorf("a partition from %s to %s", p.From, p.To)
		}
	}
	return nil
}

// parts says whether agents cannot hear each other at a time.
func (p *Partition) parts(a, b model.ID, at time.Duration) bool {
	if at < p.From || at >= p.To {
		return false
	}
	group := func(id model.ID) int {
		return slices.IndexFunc(p.Groups, func(g []model.ID) bool { return slices.Contains(g, id) })
	}
	ga, gb := group(a), group(b)
	return ga >= 0 && gb >= 0 && ga != gb
}

// Injected counts the faults that were injected.
type Injected struct {
	Dropped     int `json:"dropped"`
	Duplicated  int `json:"duplicated"`
	Delayed     int `json:"delayed"`
	Partitioned int `json:"partitioned"` // messages lost to a partition
}

// fate draws what becomes of messages to one peer.
type fate struct {
	faults   *Faults
	from, to model.ID
	fifo     bool

	mu       sync.Mutex
	draw     *rand.Rand
	last     time.Time // on fifo: when the message before goes out
	injected Injected
}

func newFate(n *Node, to model.ID) *fate {
	return &fate{
		faults: &n.c.Faults, from: n.c.Self, to: to, fifo: n.c.System.Network == model.Fifo,
		draw: rand.New(rand.NewPCG(n.c.Faults.Seed, uint64(n.c.Self)<<32|uint64(to))),
	}
}

// copies is when each copy of a message goes out; none if it is lost.
func (f *fate) copies(now time.Time) []time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.faults.Partitions {
		if f.faults.Partitions[i].parts(f.from, f.to, now.Sub(f.faults.Epoch)) {
			f.injected.Partitioned++
			return nil
		}
	}
	if f.faults.Drop > 0 && f.draw.Float64() < f.faults.Drop {
		f.injected.Dropped++
		return nil
	}
	copies := []time.Time{f.due(now)}
	if f.faults.Duplicate > 0 && f.draw.Float64() < f.faults.Duplicate {
		f.injected.Duplicated++
		copies = append(copies, f.due(now))
	}
	return copies
}

// due is when a copy goes out.
func (f *fate) due(now time.Time) time.Time {
	if f.faults.DelayMax == 0 {
		return now
	}
	f.injected.Delayed++
	at := now.Add(f.faults.DelayMin + time.Duration(f.draw.Int64N(int64(f.faults.DelayMax-f.faults.DelayMin)+1)))
	if f.fifo && at.Before(f.last) {
		at = f.last
	}
	f.last = at
	return at
}

func (f *fate) count() Injected {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.injected
}
