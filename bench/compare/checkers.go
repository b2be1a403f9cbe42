//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// checker is a program that explores two-phase commit.
type checker struct {
	name  string   // in the table
	tool  string   // in -tools
	needs []string // the commands that must be installed
	most  int      // managers, at most

	// build makes what runs, in dir, and gives the command.
	build func(ctx context.Context, dir string, m model) ([]string, error)

	// read finds what it counted, in what it printed or wrote into dir.
	read func(dir, output string) (counts, error)
}

// model names a model of the folder models, and the constant that sizes it.
type model struct {
	name     string
	constant string
	value    int
}

// file is the model's source in a language, as an absolute path.
func (m model) file(extension string) (string, error) {
	return filepath.Abs(filepath.Join("models", m.name+extension))
}

// counts is what a checker says of its search.
type counts struct {
	states, transitions int64
	own                 string // what else its own report says, for a line below the table
}

// checkers lists them in the order in which they run and are shown.
func checkers(caulkCommand string) []checker {
	return []checker{
		caulk(caulkCommand, 1),
		caulk(caulkCommand, 2),
		{name: "SPIN", tool: "spin", needs: []string{"spin", "gcc"}, most: 10, build: buildSpin, read: readSpin},
		{name: "rumur, 2 threads", tool: "rumur", needs: []string{"rumur", "gcc"}, most: 16, build: buildRumur, read: readRumur},
	}
}

func caulk(command string, workers int) checker {
	c := checker{name: caulkName(workers), tool: "caulk", most: 16, read: readCaulk}
	c.build = func(_ context.Context, _ string, m model) ([]string, error) {
		return []string{command, "explore", "--algo", "twophase", "--param", fmt.Sprintf("managers=%d", m.value),
			"--workers", strconv.Itoa(workers), "--json", "report.json", "--quiet"}, nil
	}
	return c
}

func caulkName(workers int) string {
	if workers == 1 {
		return "caulk, 1 worker"
	}
	return fmt.Sprintf("caulk, %d workers", workers)
}

func readCaulk(dir, _ string) (counts, error) {
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		return counts{}, err
	}
	var r struct {
		Verdict       string
		States        int64
		Transitions   int64
		Depth         int
		Seconds       float64
		Peak          int64   `json:"peak_memory_bytes"`
		BytesPerState float64 `json:"bytes_per_state"`
		Properties    []struct{}
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return counts{}, err
	}
	// Three properties that hold: among them both that something was reached,
	// each with its path.
	if r.Verdict != "holds" || len(r.Properties) != 3 {
		return counts{}, fmt.Errorf("caulk's verdict on %d properties is %q, not that three hold", len(r.Properties), r.Verdict)
	}
	return counts{r.States, r.Transitions,
		fmt.Sprintf("%.2f s, %.1f MB, %.1f bytes a state, depth %d", r.Seconds, float64(r.Peak)/1e6, r.BytesPerState, r.Depth)}, nil
}

func buildSpin(ctx context.Context, dir string, m model) ([]string, error) {
	source, err := m.file(".pml")
	if err != nil {
		return nil, err
	}
	// In the models for SPIN constants are macros, in capitals.
	define := fmt.Sprintf("-D%s=%d", strings.ToUpper(m.constant), m.value)
	err = commands(ctx, dir,
		[]string{"spin", define, "-a", source},
		[]string{"gcc", "-O3", "-march=native", "-DSAFETY", "-DMEMLIM=18000", "-DNOREDUCE", "-o", "pan", "pan.c"})
	return []string{"./pan", "-m10000", fmt.Sprintf("-w%d", spinHashBits(m.value))}, err
}

// spinHashBits sizes SPIN's hash table, as a power of two, to two to seven
// slots for each state: longer chains make it slow, a greater table large.
func spinHashBits(managers int) int {
	switch {
	case managers <= 8:
		return 22
	case managers == 9:
		return 25
	default:
		return 27
	}
}

func readSpin(_, output string) (counts, error) {
	if !strings.Contains(output, "errors: 0") {
		return counts{}, errors.New("SPIN does not say that there are no errors")
	}
	return found(output, `(\S+) states, stored`, `(\S+) transitions `)
}

func buildRumur(ctx context.Context, dir string, m model) ([]string, error) {
	source, err := m.file(".m")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	// rumur cannot be given a constant: it stands in the model's first lines.
	constant := regexp.MustCompile(`\b` + m.constant + `( *): \d+;`)
	if len(constant.FindAll(text, -1)) != 1 {
		return nil, fmt.Errorf("%s does not set %s exactly once", source, m.constant)
	}
	text = constant.ReplaceAll(text, fmt.Appendf(nil, "%s: %d;", m.constant, m.value))
	if err := os.WriteFile(filepath.Join(dir, "sized.m"), text, 0o644); err != nil {
		return nil, err
	}
	err = commands(ctx, dir,
		[]string{"rumur", "--deadlock-detection", "off", "--symmetry-reduction", "off", "-t", "2", "-o", "sized.c", "sized.m"},
		[]string{"gcc", "-O3", "-march=native", "-std=c11", "-mcx16", "-o", "sized", "sized.c", "-lpthread", "-latomic"})
	return []string{"./sized"}, err
}

func readRumur(_, output string) (counts, error) {
	if !strings.Contains(output, "No error found.") {
		return counts{}, errors.New("rumur does not say that no error was found")
	}
	// The lines about its progress, above, have a time between the two.
	return found(output, `(\d+) states, \d+ rules fired`, `\d+ states, (\d+) rules fired`)
}

// found reads the numbers that the patterns' groups match.
func found(output, states, transitions string) (c counts, err error) {
	if c.states, err = number(output, states); err != nil {
		return c, err
	}
	c.transitions, err = number(output, transitions)
	return c, err
}

// number reads SPIN's numbers too, which have eight digits: 1.2345678e+09 is
// one, exact enough for transitions; up to 10 managers, states have no more.
func number(output, pattern string) (int64, error) {
	m := regexp.MustCompile(pattern).FindStringSubmatch(output)
	if m == nil {
		return 0, fmt.Errorf("there is no %q in what it printed", pattern)
	}
	f, err := strconv.ParseFloat(m[1], 64)
	return int64(f), err
}
