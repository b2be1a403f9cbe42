package call

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// watch is what Watched knows of the call that is being made.
type watch struct {
	from  time.Time
	begun atomic.Int64 // when the call began, in nanoseconds since from; idle for none, abandoned once it took too long
	where func() Site  // of the call; written before begun is
}

const (
	idle      = 0
	abandoned = -1
)

// Watched runs f, which may call everything of the Caller, in a goroutine of
// its own. The user's code that f reaches through the Caller then runs in that
// goroutine too, under one watch for all: a goroutine and a timer for each call
// cost more than most handlers do. A call may take a quarter longer than the
// limit before Watched gives up on it.
//
// The error is f's. But if the user's code does not return, Watched returns a
// *TimeoutError while f is still inside it; what f shares with the caller may
// be used then, since f does nothing more, whenever it comes back.
func (c *Caller) Watched(f func() error) error {
	w := &watch{from: time.Now()}
	c.watch = w
	defer func() { c.watch = nil }()
	done := make(chan error, 1)
	go func() {
		err, finished := error(nil), false
		defer func() {
			if !finished && w.begun.Load() != abandoned {
				err = &PanicError{w.where(), exited, userStack()}
			}
			done <- err
		}()
		err = f()
		finished = true
	}()
	tick := time.NewTicker(max(c.limit/4, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			if w.abandon(c.limit) {
				return &TimeoutError{w.where(), c.limit}
			}
		}
	}
}

// abandon gives up on the call that is being made, if it takes longer than the
// limit.
func (w *watch) abandon(limit time.Duration) bool {
	begun := w.begun.Load()
	return begun != idle && time.Since(w.from)-time.Duration(begun) > limit && w.begun.CompareAndSwap(begun, abandoned)
}

// run makes a call. It does not return if the call was abandoned.
func (w *watch) run(where func() Site, f func()) (err error) {
	begun := max(int64(time.Since(w.from)), 1)
	w.where = where
	w.begun.Store(begun)
	finished := false
	defer func() {
		p := recover()
		if !w.begun.CompareAndSwap(begun, idle) {
			runtime.Goexit()
		}
		if p != nil && !finished {
			err = &PanicError{where(), fmt.Sprint(p), userStack()}
		}
	}()
	f()
	finished = true
	return nil
}

// guard runs the user's code: under the watch if there is one, else by Guard.
func (c *Caller) guard(where func() Site, f func()) error {
	if c.watch != nil {
		return c.watch.run(where, f)
	}
	return located(Guard(Site{}, c.limit, f), where)
}
