package runner

import (
	"bufio"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/caulk-go/caulk/model"
)

// How long things between peers may take.
const (
	dialTimeout  = 2 * time.Second
	helloTimeout = 2 * time.Second
	writeTimeout = 5 * time.Second
	leastBackoff = 20 * time.Millisecond
	mostBackoff  = time.Second
	drainTime    = 200 * time.Millisecond
)

// link sends messages to one peer. It connects, and connects again when that
// breaks; meanwhile the newest messages wait.
type link struct {
	n       *Node
	to      model.ID
	address string
	fate    *fate

	mu        sync.Mutex
	waiting   waiting
	bytes     int
	number    int // of messages so far
	dropped   int
	connected bool
	busy      bool // a message was taken out and is not written yet
	wake      chan struct{}
	done      chan struct{}
}

// departure is a message that waits, until it may go out.
type departure struct {
	frame
	due    time.Time
	number int
}

// waiting is a heap of departures, the next first.
type waiting []departure

func (w waiting) Len() int { return len(w) }
func (w waiting) Less(i, j int) bool {
	if w[i].due.Equal(w[j].due) {
		return w[i].number < w[j].number
	}
	return w[i].due.Before(w[j].due)
}
func (w waiting) Swap(i, j int) { w[i], w[j] = w[j], w[i] }

// Push and Pop are those of container/heap.
func (w *waiting) Push(x any) { *w = append(*w, x.(departure)) }

// Pop is that of container/heap.
func (w *waiting) Pop() any {
	old := *w
	last := old[len(old)-1]
	old[len(old)-1] = departure{}
	*w = old[:len(old)-1]
	return last
}

func newLink(n *Node, to model.ID, address string) *link {
	l := &link{n: n, to: to, address: address, fate: newFate(n, to), wake: make(chan struct{}, 1), done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.run(n.killed)
	}()
	return l
}

// send takes in a message, and never blocks.
func (l *link) send(f frame) {
	l.mu.Lock()
	for _, due := range l.fate.copies(time.Now()) {
		l.number++
		heap.Push(&l.waiting, departure{f, due, l.number})
		l.bytes += len(f.body)
	}
	for len(l.waiting) > mostWaiting || len(l.waiting) > 1 && l.bytes > mostWaitingBytes {
		l.bytes -= len(heap.Pop(&l.waiting).(departure).body)
		l.dropped++
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// take gives the next message that may go out, or how long until there is one; a
// wait of 0 is for ever.
func (l *link) take(now time.Time) (f frame, ok bool, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy = false
	if len(l.waiting) == 0 {
		return frame{}, false, 0
	}
	if wait := l.waiting[0].due.Sub(now); wait > 0 {
		return frame{}, false, wait
	}
	l.busy = true
	d := heap.Pop(&l.waiting).(departure)
	l.bytes -= len(d.body)
	return d.frame, true, 0
}

// idle says whether there is nothing left to be sent.
func (l *link) idle() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting) == 0 && !l.busy || !l.connected
}

// run connects again and again.
func (l *link) run(ctx context.Context) {
	backoff := leastBackoff
	for ctx.Err() == nil {
		conn, err := l.connect(ctx)
		if err == nil {
			backoff = leastBackoff
			err = l.write(ctx, conn)
			conn.Close()
			l.setConnected(false)
		}
		if ctx.Err() != nil {
			return
		}
		var refused *refusedError
		if errors.As(err, &refused) {
			l.n.log.once("agent %d at %s refuses this node: %s", l.to, l.address, refused.why)
		}
		select {
		case <-ctx.Done():
		case <-time.After(backoff):
		}
		backoff = min(2*backoff, mostBackoff)
	}
}

type refusedError struct{ why string }

func (e *refusedError) Error() string { return "refused: " + e.why }

// connect dials, and says hello.
func (l *link) connect(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, "tcp", l.address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if err := l.greet(conn); err != nil {
		conn.Close()
		return nil, err
	}
	l.setConnected(true)
	return conn, nil
}

func (l *link) greet(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(helloTimeout)); err != nil {
		return err
	}
	if err := writeJSON(conn, l.n.hello(l.to)); err != nil {
		return err
	}
	var answer welcome
	if err := readJSON(conn, &answer); err != nil {
		return err
	}
	if answer.Refused != "" {
		return &refusedError{fmt.Sprintf("%.200q", answer.Refused)}
	}
	return conn.SetDeadline(time.Time{})
}

// write sends what waits until the connection breaks.
func (l *link) write(ctx context.Context, conn net.Conn) error {
	broken := make(chan struct{})
	go func() { // the other says nothing more; that it closes is seen by reading
		defer close(broken)
		var b [1]byte
		_, _ = conn.Read(b[:])
	}()
	defer func() {
		conn.Close()
		<-broken
	}()
	out := bufio.NewWriterSize(conn, 1<<16)
	var text []byte
	for {
		f, ok, wait := l.take(time.Now())
		if ok {
			text = appendFrame(text[:0], f)
			if err := conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
				return err
			}
			if _, err := out.Write(text); err != nil {
				return err
			}
			continue
		}
		if err := out.Flush(); err != nil {
			return err
		}
		if err := l.wait(ctx, wait, broken); err != nil {
			return err
		}
	}
}

var errBroken = errors.New("the connection is broken")

// wait waits for something to send; a duration of 0 is for ever.
func (l *link) wait(ctx context.Context, d time.Duration, broken <-chan struct{}) error {
	var due <-chan time.Time
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-broken:
		return errBroken
	case <-l.wake:
	case <-due:
	}
	return nil
}

func (l *link) setConnected(yes bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.connected, l.busy = yes, false
}

func (l *link) close() { <-l.done }

// drain waits until peers have been given what they were sent, for a moment.
func (n *Node) drain() {
	deadline := time.After(drainTime)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		idle := true
		for _, l := range n.peers { //tidy:unordered all of them
			idle = idle && l.idle()
		}
		if idle {
			return
		}
		select {
		case <-deadline:
			return
		case <-n.killed.Done():
			return
		case <-tick.C:
		}
	}
}
