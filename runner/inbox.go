package runner

import (
	"sync"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// received is a message of another agent that waits for its delivery.
type received struct {
	from model.ID
	ref  tracelog.Ref
	body []byte
}

// request is what a client wants: exactly one field beside done is set.
type request struct {
	start  *string  // a value for the agent
	action string   // an own action that is an input
	ask    *message // of a client, an ID outside the population
	status bool

	done chan<- outcome // has room for one; told when what was asked is durable
}

type message struct {
	from model.ID
	body []byte
}

// outcome says what came of a request, beside the answer to an ask, which comes in
// a message.
type outcome struct {
	disabled bool    // the action is not possible now
	status   *Status // if it was asked for
}

// What waits at most, for each sender; the oldest are dropped.
const (
	mostWaiting      = 4096
	mostWaitingBytes = 16 << 20
	mostRequests     = 1024
)

// inbox is what waits for the loop: a queue for each other agent, so that a flood
// from one does not drown the others, and one for clients. It may be used by
// several goroutines.
type inbox struct {
	mu       sync.Mutex
	queues   []queue[received] // by sender: that of ID i is at index i-1
	requests []request
	turn     int // whose queue is next; that after the last agent's is the clients'
	dropped  int

	wake chan struct{} // has a token if something came
}

func newInbox(sys *model.System) *inbox {
	return &inbox{queues: make([]queue[received], len(sys.Agents)), wake: make(chan struct{}, 1)}
}

// push takes in a message of an agent of the population.
func (b *inbox) push(r received) {
	b.mu.Lock()
	q := &b.queues[r.from-1]
	q.push(r, len(r.body))
	b.dropped += q.trim(mostWaiting, mostWaitingBytes)
	b.mu.Unlock()
	b.notify()
}

// ask takes in a request; ok is false if too many wait.
func (b *inbox) ask(r request) (ok bool) {
	b.mu.Lock()
	ok = len(b.requests) < mostRequests
	if ok {
		b.requests = append(b.requests, r)
	}
	b.mu.Unlock()
	b.notify()
	return ok
}

func (b *inbox) notify() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// pop takes out what is next, each sender in turn; both are nil if nothing waits.
func (b *inbox) pop() (*received, *request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for range len(b.queues) + 1 {
		at := b.turn
		b.turn = (b.turn + 1) % (len(b.queues) + 1)
		if at == len(b.queues) {
			if len(b.requests) > 0 {
				r := b.requests[0]
				b.requests = b.requests[1:]
				return nil, &r
			}
		} else if r, ok := b.queues[at].pop(); ok {
			return &r, nil
		}
	}
	return nil, nil
}

func (b *inbox) lost() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped
}

// queue is a queue with a size in bytes.
type queue[T any] struct {
	items []sized[T]
	bytes int
}

type sized[T any] struct {
	item  T
	bytes int
}

func (q *queue[T]) push(item T, bytes int) {
	q.items = append(q.items, sized[T]{item, bytes})
	q.bytes += bytes
}

func (q *queue[T]) pop() (item T, ok bool) {
	if len(q.items) == 0 {
		return item, false
	}
	first := q.items[0]
	q.items[0] = sized[T]{}
	q.items, q.bytes = q.items[1:], q.bytes-first.bytes
	return first.item, true
}

// trim drops the oldest until the queue is within bounds, and says how many. The
// newest stays, however large.
func (q *queue[T]) trim(most, mostBytes int) (dropped int) {
	for len(q.items) > most || len(q.items) > 1 && q.bytes > mostBytes {
		q.pop()
		dropped++
	}
	return dropped
}
