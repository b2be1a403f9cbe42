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
	for _, id := range c.System.Population() {
		if address, known := c.Peers[id]; known {
			args = append(args, "--peer", fmt.Sprintf("%d=%s", id, address))
		}
	}
	q.command = exec.Command(self, append(args, linkArguments(&c.Faults)...)...)
	q.command.Args[0] = p.name
	q.command.Stderr = &lines{say: c.Log, prefix: p.name + ": "}
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
	if err := q.command.Wait(); err != nil && !q.killed {
		return fmt.Errorf("its process ended: %w", err)
	}
	return nil
}

// lines passes on what a process says, but for where it listens.
type lines struct {
	say    func(string)
	prefix string
	rest   string
}

func (l *lines) Write(b []byte) (int, error) {
	all := strings.Split(l.rest+string(b), "\n")
	l.rest = all[len(all)-1]
	for _, line := range all[:len(all)-1] {
		line = strings.TrimPrefix(line, l.prefix)
		if !strings.HasPrefix(line, "listen at ") && !strings.HasPrefix(line, "clients at ") {
			l.say(printable.Line(line))
		}
	}
	return len(b), nil
}
