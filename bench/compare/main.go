//go:build unix

// Command compare runs caulk, SPIN and rumur in turns on two-phase commit, and
// prints what each took as a table in Markdown.
//
// ../compare.sh starts it, in the folder where models is. Its first argument is
// a temporary folder with caulk in it, in which the models are built; the others
// are compare.sh's own.
//
// Every run's count of states is checked against the known one; the first that
// differs ends the comparison.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// settings is what a user may choose.
type settings struct {
	managers      int
	rumurManagers int // where rumur takes part
	rounds        int
	tools         []string
}

func main() {
	// Cancelling kills the program that is being measured, and leaves the
	// temporary files to compare.sh.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 {
		fail(2, errors.New("start me by bench/compare.sh, which builds caulk"))
	}
	work := os.Args[1]
	s, err := parse(os.Args[2:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fail(2, err)
	}
	entries, err := choose(s, work)
	if err != nil {
		fail(2, err)
	}
	if err := compare(ctx, s, entries); err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted")
		}
		fail(1, err)
	}
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "compare:", err)
	os.Exit(code)
}

func parse(args []string) (settings, error) {
	var s settings
	var tools string
	flags := flag.NewFlagSet("compare.sh", flag.ContinueOnError)
	flags.IntVar(&s.managers, "managers", 9, "`number` of resource managers")
	flags.IntVar(&s.rumurManagers, "rumur-managers", 8, "`number` of them where rumur takes part, which is slow; never more than -managers")
	flags.IntVar(&s.rounds, "rounds", 3, "`number` of times that each program runs")
	flags.StringVar(&tools, "tools", "caulk,spin,rumur", "who takes part: a `list`")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	s.tools = strings.Split(tools, ",")
	s.rumurManagers = min(s.rumurManagers, s.managers)
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("%q is no option: see -h", flags.Arg(0))
	case s.rumurManagers < 1 || s.rounds < 1:
		return s, errors.New("-managers, -rumur-managers and -rounds are at least 1")
	}
	return s, nil
}

// entry is a row of the table: a checker at a size, and what its runs took.
type entry struct {
	checker
	managers int
	command  []string
	dir      string // where it runs
	results  []result
}

// result is one run.
type result struct {
	counts
	usage
}

// choose lists who runs, the greatest size first. Where rumur takes part the
// others do too: only equal sizes compare.
func choose(s settings, work string) ([]*entry, error) {
	all := checkers(filepath.Join(work, "caulk"))
	for _, t := range s.tools {
		if !slices.ContainsFunc(all, func(c checker) bool { return c.tool == t }) {
			return nil, fmt.Errorf("-tools: there is no %q: choose from caulk, spin and rumur", t)
		}
	}
	sizes := []int{s.managers}
	if slices.Contains(s.tools, "rumur") && s.rumurManagers != s.managers {
		sizes = append(sizes, s.rumurManagers)
	}
	var entries []*entry
	for _, n := range sizes {
		for _, c := range all {
			if !slices.Contains(s.tools, c.tool) || c.tool == "rumur" && n != s.rumurManagers {
				continue
			}
			if n > c.most {
				return nil, fmt.Errorf("%s goes up to %d managers: choose fewer, or leave it out with -tools", c.name, c.most)
			}
			if missing := absent(c.needs); missing != nil {
				return nil, fmt.Errorf("%s needs %s: on Debian, as root, INSTALL=1 bench/compare.sh installs what is missing; -tools can leave %s out",
					c.name, strings.Join(missing, " and "), c.tool)
			}
			entries = append(entries, &entry{checker: c, managers: n, dir: filepath.Join(work, fmt.Sprintf("%s-%d", c.tool, n))})
		}
	}
	return entries, nil
}

// absent are those commands that are not installed.
func absent(commands []string) []string {
	var missing []string
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			missing = append(missing, c)
		}
	}
	return missing
}

func compare(ctx context.Context, s settings, entries []*entry) error {
	for _, e := range entries {
		if err := os.MkdirAll(e.dir, 0o755); err != nil {
			return err
		}
		var err error
		if e.command, err = e.build(ctx, e.dir, model{"TwoPhase", "N", e.managers}); err != nil {
			return fmt.Errorf("building %s for %d managers: %w", e.name, e.managers, err)
		}
	}
	var cores []float64
	for round := range s.rounds {
		cores = append(cores, busyLoops())
		fmt.Fprintf(os.Stderr, "round %d of %d: two busy loops take %.2f times as long as one\n", round+1, s.rounds, cores[round])
		for _, e := range entries {
			r, err := run(ctx, e)
			if err != nil {
				return fmt.Errorf("%s, %d managers: %w", e.name, e.managers, err)
			}
			e.results = append(e.results, r)
			fmt.Fprintf(os.Stderr, "  %d managers, %s: %.2f s\n", e.managers, e.name, r.wall.Seconds())
		}
	}
	printTable(os.Stdout, entries)
	printNotes(os.Stdout, entries, cores)
	printMachine(ctx, os.Stdout, s.tools)
	return nil
}

func run(ctx context.Context, e *entry) (result, error) {
	output, u, err := measure(ctx, e.dir, e.command)
	if err != nil {
		return result{}, err
	}
	c, err := e.read(e.dir, output)
	if err != nil {
		return result{}, err
	}
	if want := twoPhaseStates(e.managers); c.states != want {
		return result{}, fmt.Errorf("found %s states where there are %s", grouped(c.states), grouped(want))
	}
	if len(e.results) > 0 && c.transitions != e.results[0].transitions {
		return result{}, fmt.Errorf("%s transitions, but %s in the first round", grouped(c.transitions), grouped(e.results[0].transitions))
	}
	return result{c, u}, nil
}

// twoPhaseStates is the number of states of two-phase commit: 6^n + 4^n + 2^n.
func twoPhaseStates(n int) int64 {
	six, four, two := int64(1), int64(1), int64(1)
	for range n {
		six, four, two = six*6, four*4, two*2
	}
	return six + four + two
}
