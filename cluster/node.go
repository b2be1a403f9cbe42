package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
)

// node is a node of the cluster, and what it is begun with.
type node struct {
	config         runner.Config
	peers, clients string // addresses
	files          [2]*os.File
	begun          int         // how often
	up             atomic.Bool // clients may ask it: its port is taken also while it is dead

	process Process       // nil while it is dead
	ended   chan struct{} // closed when the process has ended
	err     error         // why; to be read once ended is closed
}

// Failure is an agent that ended its node.
type Failure struct {
	Agent       model.ID `json:"agent"`
	Incarnation int      `json:"incarnation"`
	Step        int      `json:"step"`
	Halted      bool     `json:"halted"` // it has declared itself lost; else its code misbehaves
	Reason      string   `json:"reason"` // one line
}

func (c *cluster) start() error {
	c.o.Faults.Epoch = time.Now()
	addresses := map[model.ID]string{}
	for _, id := range c.o.System.Population() {
		n := &node{}
		c.nodes[id] = n
		for i, address := range []*string{&n.peers, &n.clients} {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			*address = l.Addr().String()
			n.files[i], err = l.(*net.TCPListener).File()
			l.Close()
			if err != nil {
				return err
			}
		}
		addresses[id] = n.peers
	}
	for _, id := range c.o.System.Population() {
		n := c.nodes[id]
		peers := map[model.ID]string{}
		for _, other := range c.o.System.Population() {
			if other != id {
				peers[other] = addresses[other]
			}
		}
		n.config = runner.Config{
			System: c.o.System, Self: id, Peers: peers, Data: filepath.Join(c.o.Dir, fmt.Sprintf("data-%d", id)),
			Trace: filepath.Join(c.o.Dir, "trace"), Timer: c.o.Timer, Timers: c.o.Timers, Faults: c.o.Faults,
			Log: func(line string) {
				if c.o.Log != nil {
					c.o.Log(fmt.Sprintf("agent %d: %s", id, line))
				}
			},
		}
		if err := n.config.Check(); err != nil {
			return err
		}
		if err := c.begin(n); err != nil {
			return err
		}
	}
	return nil
}

// begin begins a node. Its sockets outlive it, so that nobody takes its ports.
func (c *cluster) begin(n *node) (err error) {
	config := n.config
	for i, l := range []*net.Listener{&config.Listener, &config.Clients} {
		if *l, err = net.FileListener(n.files[i]); err != nil {
			return err
		}
	}
	if c.o.Command != nil {
		n.process = c.o.Command(config)
	} else {
		started, err := runner.Start(config)
		if err != nil {
			return c.failed(err)
		}
		n.process = started
	}
	n.begun++
	n.ended = make(chan struct{})
	n.up.Store(true)
	go func(p Process, ended chan struct{}) {
		n.err = p.Wait()
		n.up.Store(false)
		close(ended)
	}(n.process, n.ended)
	return nil
}

// How long nodes have until they answer, and how often they are asked.
const (
	readyTimeout = 30 * time.Second
	readyPause   = 10 * time.Millisecond
)

// ready waits until every node answers, or has ended.
func (c *cluster) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for _, id := range c.o.System.Population() {
		for n := c.nodes[id]; !n.answers(); {
			sleep(ctx, readyPause)
			if err := ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
				return fmt.Errorf("agent %d does not answer %s after its node was started", id, readyTimeout)
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// answers says whether a node need not be waited for: it answers, or has ended, of
// which Run tells.
func (n *node) answers() bool {
	if !n.alive() {
		return true
	}
	_, answers := n.status()
	return answers
}

func (n *node) alive() bool {
	if n.process == nil {
		return false
	}
	select {
	case <-n.ended:
		return false
	default:
		return true
	}
}

// await waits until a node has ended. What its agent did is taken note of; any
// other end is an error.
func (c *cluster) await(n *node) error {
	<-n.ended
	n.process = nil
	return c.failed(n.err)
}

// failed takes note of an error that is the doing of a node's agent, and gives back
// any other.
func (c *cluster) failed(err error) error {
	var agent *runner.AgentError
	if !errors.As(err, &agent) {
		return err
	}
	c.failures = append(c.failures, Failure{agent.Agent, agent.Incarnation, agent.Seq, agent.Halted, agent.Reason})
	return nil
}

// stop stops all nodes in good order.
func (c *cluster) stop() error {
	for _, id := range c.o.System.Population() {
		if p := c.nodes[id].process; p != nil {
			p.Stop()
		}
	}
	var failures []error
	for _, id := range c.o.System.Population() {
		n := c.nodes[id]
		if n.process == nil {
			continue
		}
		if err := c.await(n); err != nil {
			failures = append(failures, fmt.Errorf("agent %d: %w", id, err))
		}
	}
	return errors.Join(failures...)
}

// kill ends whatever is left.
func (c *cluster) kill() {
	for _, id := range c.o.System.Population() {
		n := c.nodes[id]
		if n == nil {
			continue
		}
		if n.process != nil {
			n.process.Kill()
			<-n.ended // there is an error already
		}
		for _, f := range n.files {
			if f != nil {
				f.Close()
			}
		}
	}
}
