package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/cluster"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/validate"
)

const runCategory = "The run"

// runCommand runs a whole system, and judges it.
func (p *program) runCommand() *urfave.Command {
	return &urfave.Command{
		Name:  "run",
		Usage: "run all agents on this machine, with clients and faults, and judge what they did",
		Description: `Runs each agent as a process of its own, connected by TCP, and has clients ask them things; faults happen as told. At the end the nodes' traces are executed again by the model, as validate does, and the clients' history is checked for linearizability.

--kill has a node die as by kill -9 and stay dead, --restart has it begin again with what is on its disk, --wipe with nothing. --restart without a value has every node that --kill names begin again a second later. Agents run with parameters for a network where the algorithm has some, as caulk algos NAME tells.

The exit status:

  0  what the nodes did is a behaviour of the model, no property fails, and the
     history is linearizable, or too long to tell; agents may have halted
  1  it is not, or an agent's code misbehaves
  2  bad usage, or a node could not run
  3  interrupted; what had happened by then is judged`,
		Flags: slices.Concat(systemFlags(), []urfave.Flag{
			&urfave.StringFlag{Name: "duration", Category: runCategory, Usage: "`D` how long (default: 10s)"},
			&urfave.StringFlag{Name: "clients", Category: runCategory, Usage: "`K` clients, each of which asks one thing after another (default: 2, where there is anything to ask)"},
			&urfave.BoolFlag{Name: "in-process", Category: runCategory, Usage: "all nodes in this process"},
			&urfave.StringFlag{Name: "dir", Category: runCategory, Usage: "`FOLDER` for data and traces, which stay there (default: a temporary one, which stays if something is wrong)"},
			timerFlag(),
			&urfave.StringSliceFlag{Name: "kill", Category: runCategory, Usage: "`ID@TIME` a node dies; repeatable"},
			bareFlag{&urfave.StringSliceFlag{Name: restartFlag, Category: runCategory, Usage: "`[ID@TIME]` a node dies and begins again; alone: so do those of --kill, a second later; repeatable"}, restartKilled},
			&urfave.StringSliceFlag{Name: "wipe", Category: runCategory, Usage: "`ID@TIME` a node dies, loses its disk, and begins again; repeatable"},
		}, linkFlags(), []urfave.Flag{
			&urfave.StringFlag{Name: "history", Category: outputCategory, Usage: "`FILE` a page that shows what the clients saw"},
		}, reportFlags()),
		Action: p.runCluster,
	}
}

func (p *program) runOptions(c *urfave.Context) (o cluster.Options, err error) {
	if o.System, err = p.deployedSystem(c); err != nil {
		return o, err
	}
	o.Duration, o.Clients, o.History = 10*time.Second, 2, c.String("history")
	if text := c.String("duration"); text != "" {
		if o.Duration, err = positiveDuration(text); err != nil {
			return o, usagef("--duration: %s", err)
		}
	}
	works := cluster.Works(&o.System)
	if text := c.String("clients"); text != "" {
		n, err := wholeNumber(text, 0, 1000)
		if err != nil {
			return o, usagef("--clients: %s", err)
		}
		if o.Clients = int(n); n > 0 && !works {
			return o, usagef("--clients %s: there is nothing to ask agents of %s", text, o.System.Name)
		}
	}
	if o.Timer, o.Timers, err = timers(c); err != nil {
		return o, err
	}
	if o.Faults, err = links(c, &o.System); err != nil {
		return o, err
	}
	if o.Events, err = events(c, &o.System); err != nil {
		return o, err
	}
	permit(&o)
	return o, o.System.Check()
}

// --restart alone is for all that --kill names, after a while.
const (
	restartFlag   = string(cluster.Restart)
	restartKilled = "killed"
	restartAfter  = time.Second
)

// events reads what happens to nodes, and when.
func events(c *urfave.Context, sys *model.System) (all []cluster.Event, err error) {
	again := slices.Contains(c.StringSlice(restartFlag), restartKilled)
	if again && len(c.StringSlice(string(cluster.Kill))) == 0 {
		return nil, usagef("--restart alone is for nodes that --kill names, and there are none: write for instance --restart 3@2s")
	}
	for _, kind := range []cluster.EventKind{cluster.Kill, cluster.Restart, cluster.Wipe} {
		for _, text := range c.StringSlice(string(kind)) {
			if text == restartKilled && kind == cluster.Restart {
				continue
			}
			ids, when, at := strings.Cut(text, "@")
			agents, err := agentList(ids, sys)
			if err != nil {
				return nil, usagef("--%s %s: %s", kind, text, err)
			}
			after, err := positiveDuration(when)
			if !at || err != nil {
				return nil, usagef("--%s %s does not say when: write for instance 3@2s", kind, text)
			}
			for _, id := range agents {
				if (kind == cluster.Restart || kind == cluster.Kill && again) && !sys.Node(id).Persists() {
					return nil, usagef("--restart %s: nothing of agent %d persists; to lose everything is --wipe %s", text, id, text)
				}
				all = append(all, cluster.Event{Kind: kind, Agent: id, At: after})
				if kind == cluster.Kill && again {
					all = append(all, cluster.Event{Kind: cluster.Restart, Agent: id, At: after + restartAfter})
				}
			}
		}
	}
	return all, nil
}

// permit has the system permit the faults that happen: so the traces name them.
func permit(o *cluster.Options) {
	sys := &o.System
	sys.Wipe = nil
	for _, e := range o.Events {
		if e.Kind == cluster.Wipe && !slices.Contains(sys.Wipe, e.Agent) {
			sys.Wipe = append(sys.Wipe, e.Agent)
		}
	}
	slices.Sort(sys.Wipe)
	sys.Lossy = true // a message that waits too long is dropped, and one on its way to a node that dies is gone
	if o.Faults.Duplicate > 0 && sys.Network == model.Bag {
		sys.Budgets = with(sys.Budgets, model.Duplicates, 1<<30)
	}
}

func (p *program) runCluster(c *urfave.Context) error {
	if err := p.noArguments(c); err != nil {
		return err
	}
	o, err := p.runOptions(c)
	if err != nil {
		return err
	}
	outs, err := p.outputs(c)
	if err != nil {
		return err
	}
	if o.Dir = c.String("dir"); o.Dir == "" {
		if o.Dir, err = os.MkdirTemp("", p.name+"-run-"); err != nil {
			return err
		}
	} else if err := emptyFolder(o.Dir); err != nil {
		return err
	}
	var mu sync.Mutex
	meter := newMeter(p.std.Err)
	defer meter.clear()
	o.Log = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		meter.clear()
		fmt.Fprintf(p.std.Err, "%s: %s\n", p.name, line)
	}
	if !outs.quiet {
		o.Progress = func(q cluster.Progress) {
			mu.Lock()
			defer mu.Unlock()
			meter.show(q.Elapsed, fmt.Sprintf("%s: %s, %s asked, %s answered", q.Elapsed.Round(time.Second), q.Doing, grouped(int64(q.Asked)), grouped(int64(q.Answered))))
		}
	}
	if !c.Bool("in-process") {
		o.Command = p.nodeProcess
	}
	report, err := cluster.Run(c.Context, o)
	meter.clear()
	if c.String("dir") == "" {
		if err == nil && (report.Verdict == string(validate.Valid) || report.Verdict == cluster.Unknown) {
			os.RemoveAll(o.Dir)
		} else if os.Remove(o.Dir) != nil { // it is not empty
			o.Log("what the nodes wrote is in " + o.Dir)
		}
	}
	if err != nil {
		return err
	}
	switch {
	case report.Verdict != string(validate.Valid) && report.Verdict != cluster.Unknown:
		p.status = statusViolated
	case c.Context.Err() != nil:
		p.status = statusEnded
	}
	return outs.deliverAs(c.Context, func(page *page) { page.run(report, &o.System) }, func(context.Context, output) ([]byte, error) {
		return indented(report)
	})
}

// emptyFolder makes a folder for a run, and refuses one that holds something.
func emptyFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot use %s: %w", dir, wholefile.Bare(err))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("cannot use %s: %w", dir, wholefile.Bare(err))
	}
	if len(entries) > 0 {
		return usagef("--dir %s is not empty: a run begins in a folder of its own", dir)
	}
	return nil
}

// run writes what came of a run, the verdict last.
func (p *page) run(r *cluster.Report, sys *model.System) {
	p.validation(r.Validation, sys)
	p.line("")
	if r.Operations > 0 {
		p.line("  asked      %8s  %s", grouped(int64(r.Operations)), p.paint(faint, fmt.Sprintf("requests of clients in %.1f s; %s answered, %s not", r.Seconds, grouped(int64(r.Acknowledged)), grouped(int64(r.Lost)))))
		p.line("  latency    %8s  %s", fmt.Sprintf("%.1f", r.Latency.P50), p.paint(faint, fmt.Sprintf("milliseconds for half of the answers; %.1f for 99 in 100", r.Latency.P99)))
	}
	p.line("  commits    %8s  %s", grouped(int64(r.Commits)), p.paint(faint, "to the disks of nodes that could be asked"))
	for _, kind := range sortedKeys(r.Injected) {
		p.line("  %-9s  %8s  %s", printable.Line(kind), grouped(int64(r.Injected[kind])), p.paint(faint, "injected"))
	}
	for _, f := range r.Failures {
		p.line("")
		what, colour := "failed", red
		if f.Halted {
			what, colour = "awry", yellow
		}
		p.line("%s: agent %d, incarnation %d, at step %d", p.paint(colour, what), f.Agent, f.Incarnation, f.Step)
		p.WriteString(wrap(printable.Line(f.Reason), 2))
	}
	if r.History == nil {
		return
	}
	p.line("")
	switch fine := r.History.Linearizable; {
	case fine == nil:
		p.line("The history of %s took too long to judge.", plural(int64(r.History.Operations), "operation"))
	case *fine:
		p.line("%s: the history of %s", p.paint(green, "linearizable"), plural(int64(r.History.Operations), "operation"))
	default:
		p.line("%s: the history of %s", p.paint(red, "not linearizable"), plural(int64(r.History.Operations), "operation"))
		p.unexplained(r.History.Unexplained)
	}
}

// unexplained shows why a history is not linearizable.
func (p *page) unexplained(all []cluster.Operation) {
	if len(all) == 0 {
		return
	}
	p.line("No order of the requests explains the last of these, of key %s:", printable.Line(all[len(all)-1].Key))
	p.line("")
	for _, o := range all {
		what := "get  " + printable.Line(strconv.Quote(o.Value))
		if o.Put {
			what = "put  " + printable.Line(strconv.Quote(o.Value))
		}
		until := "not answered"
		if o.Answered {
			until = fmt.Sprintf("to %.4f s", o.To)
		}
		p.line("  client %-3d  %-16s  from %.4f %s", o.Client, what, o.From, until)
	}
}
