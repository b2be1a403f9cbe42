// Package runner runs one agent of a system on a real network: the agent that was
// checked, and no other code of the algorithm's.
//
// What the model calls a move is a step here: a message is received, a timer runs
// out, a client asks. Steps are made one after another by one goroutine. What an
// agent keeps over a restart is committed to disk before anything that depends on
// it leaves the node, be it a message, an answer to a client, or its status; many
// steps share one commit, so that a busy node commits no more often than its disk
// can. (Nightingale et al., "Rethink the Sync", OSDI 2006.)
//
// The network may lose messages and delay them, and never blocks a node: what a
// peer does not take in time is dropped, the oldest first, and counted. There is no
// encryption and no proof of who a peer is: run it where only the nodes can reach
// the ports, or through tunnels that see to that.
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
)

// Config says which agent runs, and where.
type Config struct {
	// System is the system of which one agent runs here. Its faults are those that
	// this run permits; they stand in the traces. All nodes of a run have the same.
	System model.System
	Self   model.ID

	// Peers are the addresses of the other agents, as HOST:PORT. A node to whom an
	// agent has no address cannot be sent anything.
	Peers map[model.ID]string

	// Listener takes the connections of peers, and Clients those of clients, by
	// HTTP; nil for none. The node closes them when it ends.
	Listener, Clients net.Listener

	// Data is the folder for what must survive; it is made if it is missing. Empty
	// is for an agent that may forget everything when its process ends.
	Data string

	// Incarnation is how often the agent was begun before, as far as the caller
	// knows. It matters where Data was lost: a node that finds nothing there begins
	// as a wiped agent, unless Incarnation is 0.
	Incarnation int

	// Trace is the folder for the trace and the crash log; empty for none.
	Trace string

	// Timers are how long each own action that is a timer must be possible, without
	// anything from another agent, before it runs out; Timer is the duration of those
	// that are not named, and DefaultTimer if that is 0. So much again is added at
	// random, so that agents do not run in step.
	Timers map[string]time.Duration
	Timer  time.Duration

	Faults Faults // injected on the way out to peers

	// EachCommits has every step committed by itself; it is for measuring what that
	// costs.
	EachCommits bool

	// Log is told what an operator should know, a line each; nil for nobody. It is
	// called by several goroutines.
	Log func(line string)
}

// DefaultTimer is the duration of timers where nothing is said.
const DefaultTimer = 500 * time.Millisecond

// Node is a running agent.
type Node struct {
	c       Config
	machine *machine.Machine
	node    model.Node
	disk    disk
	tracer  *tracer
	log     *logger

	inbox  *inbox
	peers  map[model.ID]*link
	accept *acceptor
	http   *clientPort

	agent       *agent // the loop's own
	incarnation int
	commits     int // saves of what persists; the loop's own

	stop, kill context.CancelCauseFunc
	stopping   context.Context // done when the node should stop in good order
	killed     context.Context // done when it must make no step more, and let nothing out
	ended      chan struct{}
	err        error // why; to be read once ended is closed
}

var (
	errStop = errors.New("the node was stopped")
	errKill = errors.New("the node was killed")
)

// Start begins to run an agent. The error is one line: the config makes no sense,
// a folder cannot be used, or what is on the disk is not this agent's. The
// listeners are closed then, too.
func Start(c Config) (*Node, error) {
	n, err := open(c)
	if err != nil {
		for _, l := range []net.Listener{c.Listener, c.Clients} {
			if l != nil {
				l.Close()
			}
		}
		return nil, err
	}
	n.serve()
	return n, nil
}

func open(c Config) (*Node, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	c.Timer = cmp.Or(c.Timer, DefaultTimer)
	m, err := machine.New(&c.System)
	if err != nil {
		return nil, err
	}
	n := &Node{c: c, machine: m, node: c.System.Node(c.Self), log: &logger{out: c.Log}, ended: make(chan struct{})}
	n.killed, n.kill = context.WithCancelCause(context.Background())
	n.stopping, n.stop = context.WithCancelCause(n.killed)
	n.inbox = newInbox(&c.System)
	if n.disk, err = openDisk(&c, m); err != nil {
		return nil, err
	}
	n.tracer = newTracer(n)
	if err := n.begin(); err != nil {
		n.tracer.close()
		return nil, errors.Join(err, n.disk.close())
	}
	return n, nil
}

// Check says, in one line, what makes no sense in a config, or nil. It does not
// look at folders and listeners.
func (c *Config) Check() error {
	if err := c.System.Check(); err != nil {
		return err
	}
	if err := c.System.Has(c.Self); err != nil {
		return fmt.Errorf("there is no agent %d to run: %w", c.Self, err)
	}
	if c.Incarnation < 0 {
		return fmt.Errorf("an incarnation of %d: it is 0 or more", c.Incarnation)
	}
	if _, mine := c.Peers[c.Self]; mine {
		return fmt.Errorf("agent %d is its own peer", c.Self)
	}
	if err := checkTimers(c); err != nil {
		return err
	}
	return c.Faults.check(&c.System)
}

// serve starts all that goes on at the same time.
func (n *Node) serve() {
	n.peers = map[model.ID]*link{}
	for id, address := range n.c.Peers { //tidy:unordered each link is by itself
		n.peers[id] = newLink(n, id, address)
	}
	if n.c.Listener != nil {
		n.accept = newAcceptor(n, n.c.Listener)
	}
	if n.c.Clients != nil {
		n.http = newClientPort(n, n.c.Clients)
	}
	go func() {
		defer close(n.ended)
		n.err = n.run()
		n.close()
	}()
}

// close ends all that goes on at the same time, and waits for it. The messages that
// peers were not given yet have a moment to leave, if the node stops in good order.
func (n *Node) close() {
	if n.killed.Err() == nil && n.err == nil {
		n.drain()
	}
	n.kill(errStop)
	if n.http != nil {
		n.http.close()
	}
	if n.accept != nil {
		n.accept.close()
	}
	for _, l := range n.peers { //tidy:unordered each link is by itself
		l.close()
	}
	n.tracer.close()
	if err := n.disk.close(); err != nil && n.err == nil {
		n.err = err
	}
	n.log.flush()
}

// Stop ends the node in good order: the step that it makes is finished and
// committed. It does not wait.
func (n *Node) Stop() { n.stop(errStop) }

// Kill ends the node as if its process had died: nothing is committed or sent any
// more. It does not wait.
func (n *Node) Kill() { n.kill(errKill) }

// Wait waits until the node has ended and everything of it is closed. The error is
// one line: the disk failed, or the agent's code did; nil for a node that was
// stopped or killed.
func (n *Node) Wait() error {
	<-n.ended
	return n.err
}

// Ended is closed when the node has ended.
func (n *Node) Ended() <-chan struct{} { return n.ended }
