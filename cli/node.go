package cli

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
)

const nodeCategory = "The node"

// nodeCommand runs one agent.
func (p *program) nodeCommand() *urfave.Command {
	return &urfave.Command{
		Name:  "node",
		Usage: "run one agent of an algorithm on a real network",
		Description: `Runs the agent that was checked, until it is interrupted or terminated: then it finishes its step, commits it, and ends with 0. What it keeps over a restart is on the disk before anything that depends on it leaves the node.

Peers connect to --listen, clients ask by HTTP at --clients: GET /status, POST /propose {"value": V}, POST /input {"action": NAME}, POST /put {"key": K, "value": V}, GET /get?key=K. Neither port knows who asks: keep them where only those who may can reach them. A node listens on this machine alone unless told otherwise.

The flags of the links harm the node's own messages; they are for trials.

--config names a file of JSON with flags by their names, such as {"algo": "mark7", "id": 1, "peer": ["2=10.0.0.2:7000"]}. What stands on the command line goes before it.

The exit status:

  0  the node was stopped
  1  the agent's code misbehaves: its state and message are shown, and the steps
     before are in a crash log
  2  bad usage, a folder that cannot be used, or a disk that fails
  3  the agent has halted: it has declared itself lost`,
		Flags:  slices.Concat(systemFlags(), faultFlags(), nodeFlags(), linkFlags()),
		Action: p.node,
	}
}

func nodeFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "config", Category: nodeCategory, Usage: "`FILE` of JSON with any of these flags"},
		&urfave.StringFlag{Name: "id", Category: nodeCategory, Usage: "`ID` which agent this is"},
		&urfave.StringFlag{Name: "listen", Category: nodeCategory, Usage: "`HOST:PORT` where peers connect, or fd:N for a socket that is handed over (default: 127.0.0.1:0)"},
		&urfave.StringFlag{Name: "clients", Category: nodeCategory, Usage: "`HOST:PORT` where clients ask, or fd:N (default: nowhere)"},
		&urfave.StringSliceFlag{Name: "peer", Category: nodeCategory, Usage: "`ID=HOST:PORT` where another agent listens; repeatable"},
		&urfave.StringFlag{Name: "data", Category: nodeCategory, Usage: "`FOLDER` for what must survive"},
		&urfave.StringFlag{Name: "trace", Category: nodeCategory, Usage: "`FOLDER` for the trace, which validate reads"},
		&urfave.StringFlag{Name: "incarnation", Category: nodeCategory, Usage: "`N` how often the agent has begun before, where its disk was lost (default: 0)"},
		timerFlag(),
		&urfave.StringFlag{Name: "epoch", Category: nodeCategory, Usage: "`MICROSECONDS` since 1970, from which the times of partitions count (default: now)"},
	}
}

func timerFlag() urfave.Flag {
	return &urfave.StringSliceFlag{Name: "timer", Category: nodeCategory, Usage: "`DURATION` how long a timer must be possible, without anything from another agent, before it runs out; as much again is added at random (default: 500ms); NAME=DURATION is for one timer; repeatable"}
}

func (p *program) node(c *urfave.Context) error {
	if err := p.noArguments(c); err != nil {
		return err
	}
	if name := c.String("config"); name != "" {
		if err := p.readConfig(c, name); err != nil {
			return err
		}
	}
	config, err := p.nodeConfig(c)
	if err != nil {
		return err
	}
	for _, port := range []struct {
		flag string
		into *net.Listener
	}{{"listen", &config.Listener}, {"clients", &config.Clients}} {
		address := c.String(port.flag)
		if address == "" && port.flag == "clients" {
			continue
		}
		if *port.into, err = listenAt(address); err != nil {
			return fmt.Errorf("--%s: %w", port.flag, err)
		}
	}
	n, err := runner.Start(config)
	if err != nil {
		return p.agentEnded(err)
	}
	config.Log(fmt.Sprintf("listen at %s", config.Listener.Addr()))
	if config.Clients != nil {
		config.Log(fmt.Sprintf("clients at %s", config.Clients.Addr()))
	}
	select {
	case <-c.Context.Done():
		n.Stop()
	case <-n.Ended():
	}
	return p.agentEnded(n.Wait())
}

// agentEnded has the exit status tell of an agent that ended its node.
func (p *program) agentEnded(err error) error {
	var agent *runner.AgentError
	if errors.As(err, &agent) {
		p.status = statusViolated
		if agent.Halted {
			p.status = statusEnded
		}
	}
	return err
}

func (p *program) nodeConfig(c *urfave.Context) (config runner.Config, err error) {
	if config.System, err = p.deployedSystem(c); err != nil {
		return config, err
	}
	sys := &config.System
	if c.String("id") == "" {
		return config, usagef("say which agent this is with --id ID")
	}
	if config.Self, err = agentID(c.String("id"), sys); err != nil {
		return config, usagef("--id: %s", err)
	}
	config.Peers = map[model.ID]string{}
	for _, text := range c.StringSlice("peer") {
		key, address, err := keyValue(text)
		if err != nil {
			return config, usagef("--peer %s is not ID=HOST:PORT: %s", text, err)
		}
		id, err := agentID(key, sys)
		if err != nil {
			return config, usagef("--peer %s: %s", text, err)
		}
		if _, _, err := net.SplitHostPort(address); err != nil || id == config.Self {
			return config, usagef("--peer %s is not the ID=HOST:PORT of another agent", text)
		}
		config.Peers[id] = address
	}
	config.Data, config.Trace = c.String("data"), c.String("trace")
	if config.Data == "" {
		return config, usagef("say where to keep what must survive with --data FOLDER")
	}
	if text := c.String("incarnation"); text != "" {
		n, err := wholeNumber(text, 0, 1<<30)
		if err != nil {
			return config, usagef("--incarnation: %s", err)
		}
		config.Incarnation = int(n)
	}
	if config.Timer, config.Timers, err = timers(c); err != nil {
		return config, err
	}
	if config.Faults, err = links(c, sys); err != nil {
		return config, err
	}
	config.Faults.Epoch = time.Now()
	if text := c.String("epoch"); text != "" {
		micros, err := wholeNumber(text, 0, 1<<60)
		if err != nil {
			return config, usagef("--epoch: %s", err)
		}
		config.Faults.Epoch = time.UnixMicro(micros)
	}
	config.Log = func(line string) { fmt.Fprintf(p.std.Err, "%s: %s\n", p.name, line) }
	return config, nil
}

// timers reads how long timers are: all, and those that are named.
func timers(c *urfave.Context) (all time.Duration, named map[string]time.Duration, err error) {
	named = map[string]time.Duration{}
	for _, text := range c.StringSlice("timer") {
		at := strings.LastIndex(text, "=")
		d, err := positiveDuration(text[at+1:])
		if err != nil {
			return 0, nil, usagef("--timer: %s", err)
		}
		if at < 0 {
			all = d
		} else {
			named[text[:at]] = d
		}
	}
	return all, named, nil
}

// listenAt listens at an address, or takes over a socket.
func listenAt(address string) (net.Listener, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	number, handed := strings.CutPrefix(address, "fd:")
	if !handed {
		l, err := net.Listen("tcp", address)
		if err != nil {
			return nil, fmt.Errorf("cannot listen at %s: %w", address, wholefile.Bare(err))
		}
		return l, nil
	}
	fd, err := wholeNumber(number, 3, 1<<20)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), address)
	defer f.Close()
	return net.FileListener(f)
}
