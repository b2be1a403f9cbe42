// Package cluster runs all agents of a system on this machine, with clients and
// faults, and judges what came of it: the nodes' traces by the model, and what the
// clients saw by linearizability.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
	"github.com/caulk-go/caulk/validate"
)

// Options say what is run.
type Options struct {
	System   model.System  // its faults are those that happen
	Dir      string        // for the nodes' data and traces; it must exist and be empty
	Duration time.Duration // of the clients' work
	Clients  int           // how many issue requests, one after another each
	Events   []Event       // in any order
	Faults   runner.Faults // of the links; the epoch is set by Run
	Timer    time.Duration // see runner.Config; Timers also
	Timers   map[string]time.Duration
	History  string // the file for a page that shows the clients' history; empty for none

	// Command begins a node in a process of its own, which takes over the config's
	// listeners: they are TCP's. That it could not be begun is for Wait to say. Nil runs
	// all nodes in this process.
	Command func(c runner.Config) Process

	Log func(line string) // as in runner.Config; nil for nobody

	// Progress is told some times a second how far the run has come, by one goroutine;
	// nil for nobody.
	Progress func(Progress)
}

// Progress is how far a run has come.
type Progress struct {
	Elapsed         time.Duration // since it began
	Doing           string        // what goes on now, in words
	Asked, Answered int           // requests of clients
}

// Event is a fault of a node.
type Event struct {
	Kind  EventKind
	Agent model.ID
	At    time.Duration // from the start
}

// EventKind says what happens to a node.
type EventKind string

// The kinds of events.
const (
	Kill    EventKind = "kill"    // it dies, and stays dead
	Restart EventKind = "restart" // it dies, and begins again with what is on its disk
	Wipe    EventKind = "wipe"    // it dies, its disk is lost, and it begins again
)

// Process is a node that runs.
type Process interface {
	Stop() // in good order; it does not wait
	Kill() // at once; it does not wait

	// Wait waits until it has ended: nil if it was stopped or killed, a
	// *runner.AgentError if its agent ended it, or why else it did.
	Wait() error
}

// Run runs the cluster until the duration is over, or the context is done, and
// judges it. The error is one line: something could not be started.
func Run(ctx context.Context, o Options) (*Report, error) {
	c := &cluster{o: o, nodes: map[model.ID]*node{}, injected: map[string]int{}}
	load := newLoad(c)
	c.doing("the nodes begin")
	defer c.tell(load)()
	defer c.kill()
	if err := c.start(); err != nil {
		return nil, err
	}
	if err := c.ready(ctx); err != nil {
		return nil, err
	}
	c.doing("it runs")
	began := time.Now()
	work, cancel := context.WithTimeout(ctx, o.Duration)
	defer cancel()
	load.start(work)
	err := c.events(work, began)
	if err == nil {
		<-work.Done()
	}
	cancel()
	load.wait()
	took := time.Since(began)
	c.doing("the nodes end")
	c.gather()
	if err := errors.Join(err, c.stop()); err != nil {
		return nil, err
	}
	return c.report(load, took)
}

type cluster struct {
	o        Options
	nodes    map[model.ID]*node
	injected map[string]int
	commits  int
	failures []Failure
	does     atomic.Value // what goes on now, as a string
}

func (c *cluster) doing(what string) { c.does.Store(what) }

// tell tells of the progress until it is ended.
func (c *cluster) tell(l *load) (end func()) {
	if c.o.Progress == nil {
		return func() {}
	}
	began, stop := time.Now(), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(telling)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			p := Progress{Elapsed: time.Since(began), Doing: c.does.Load().(string)}
			l.note(func() { p.Asked, p.Answered = l.asked, l.answered })
			c.o.Progress(p)
		}
	})
	return func() {
		close(stop)
		all.Wait()
	}
}

// telling is the time from one report of the progress to the next.
const telling = 250 * time.Millisecond

// events has happen what is to happen, in order of time.
func (c *cluster) events(ctx context.Context, began time.Time) error {
	events := slices.Clone(c.o.Events)
	slices.SortStableFunc(events, func(a, b Event) int { return int(a.At - b.At) })
	for _, e := range events {
		timer := time.NewTimer(time.Until(began.Add(e.At)))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		}
		if err := c.happen(e); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) happen(e Event) error {
	n := c.nodes[e.Agent]
	if n.process != nil {
		if n.alive() {
			c.ask(n)
		}
		n.process.Kill()
		if err := c.await(n); err != nil {
			return err
		}
	}
	c.injected[string(e.Kind)]++
	switch e.Kind {
	case Kill:
		return nil
	case Wipe:
		if err := os.RemoveAll(n.config.Data); err != nil {
			return err
		}
		n.config.Incarnation = n.begun
	}
	return c.begin(n)
}

// judge has the traces judged by the model.
func (c *cluster) judge() (*validate.Report, error) {
	_, files, err := validate.Setting([]string{filepath.Join(c.o.Dir, "trace")})
	if err != nil {
		return nil, err
	}
	return validate.Check(&c.o.System, files, func(done, of int) {
		c.doing(fmt.Sprintf("%d of %d steps are judged", done, of))
	})
}
