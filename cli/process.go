package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/caulk-go/caulk/cluster"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/runner"
	"github.com/caulk-go/caulk/trace"
)

// process is a node in a process of its own.
type process struct {
	command *exec.Cmd
	err     error // it could not be started
	killed  bool
	said    *lines
}

// nodeProcess runs this program again, as the node command.
func (p *program) nodeProcess(c runner.Config) cluster.Process {
	q := &process{}
	self, err := os.Executable()
	if err != nil {
		return &process{err: err}
	}
	setting := trace.SettingOf(&c.System)
	args := append([]string{"node"}, setting.Flags()...)
	args = append(args, "--id", fmt.Sprint(c.Self), "--listen", "fd:3", "--clients", "fd:4", "--data", c.Data, "--trace", c.Trace,
		"--incarnation", fmt.Sprint(c.Incarnation), "--epoch", fmt.Sprint(c.Faults.Epoch.UnixMicro()))
	if c.Timer > 0 {
		args = append(args, "--timer", c.Timer.String())
	}
	for _, name := range sortedKeys(c.Timers) {
		args = append(args, "--timer", fmt.Sprintf("%s=%s", name, c.Timers[name]))
	}
	for _, id := range c.System.Population() {
		if address, known := c.Peers[id]; known {
			args = append(args, "--peer", fmt.Sprintf("%d=%s", id, address))
		}
	}
	q.command = exec.Command(self, append(args, linkArguments(&c.Faults)...)...)
	q.command.Args[0] = p.name
	q.said = &lines{say: c.Log, prefix: p.name + ": "}
	q.command.Stderr = q.said
	q.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt is for this process, which stops the nodes
	for _, l := range []any{c.Listener, c.Clients} {
		f, err := l.(interface{ File() (*os.File, error) }).File()
		if err != nil {
			return &process{err: err}
		}
		defer f.Close()
		q.command.ExtraFiles = append(q.command.ExtraFiles, f)
	}
	c.Listener.Close()
	c.Clients.Close()
	if err := q.command.Start(); err != nil {
		return &process{err: err}
	}
	return q
}

// Stop terminates the node.
func (q *process) Stop() { q.signal(syscall.SIGTERM) }

// Kill kills it.
func (q *process) Kill() {
	q.killed = true
	q.signal(syscall.SIGKILL)
}

func (q *process) signal(s syscall.Signal) {
	if q.err == nil {
		_ = q.command.Process.Signal(s) // Wait tells of one that has ended before
	}
}

// Wait waits for the node's end.
func (q *process) Wait() error {
	if q.err != nil {
		return q.err
	}
	err := q.command.Wait()
	if agent := q.agentError(); agent != nil {
		return agent
	}
	if err != nil && !q.killed {
		return fmt.Errorf("its process ended: %w", err)
	}
	return nil
}

// agentError is what the node command's exit status and last line say of its agent,
// or nil.
func (q *process) agentError() error {
	code := q.command.ProcessState.ExitCode()
	if code != statusViolated && code != statusEnded {
		return nil
	}
	e := &runner.AgentError{Halted: code == statusEnded, Reason: q.said.last}
	n, err := fmt.Sscanf(e.Reason, "agent %d, incarnation %d, step %d: ", &e.Agent, &e.Incarnation, &e.Seq)
	if err != nil || n < 3 {
		return nil
	}
	_, e.Reason, _ = strings.Cut(e.Reason, ": ")
	return e
}

// lines passes on what a process says, but for where it listens.
type lines struct {
	say    func(string)
	prefix string
	rest   string
	last   string // line
}

func (l *lines) Write(b []byte) (int, error) {
	all := strings.Split(l.rest+string(b), "\n")
	l.rest = all[len(all)-1]
	for _, line := range all[:len(all)-1] {
		line = strings.TrimPrefix(line, l.prefix)
		if !strings.HasPrefix(line, "listen at ") && !strings.HasPrefix(line, "clients at ") {
			l.last = printable.Line(line)
			l.say(l.last)
		}
	}
	return len(b), nil
}
