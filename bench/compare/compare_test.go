//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTwoPhaseStates(t *testing.T) {
	for n, want := range map[int]int64{3: 288, 5: 8_832, 7: 296_448, 9: 10_340_352, 10: 61_515_776} {
		if got := twoPhaseStates(n); got != want {
			t.Errorf("%d managers: %d states, want %d", n, got, want)
		}
	}
}

// Every checker that is installed finds what the others find, in the models
// that the table shows and in those that it does not.
func TestCheckers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds caulk, and C programs with all optimisations")
	}
	t.Chdir("..") // to where compare.sh is
	command := filepath.Join(t.TempDir(), "caulk")
	if err := commands(t.Context(), ".", []string{"go", "build", "-o", command, "../cmd/caulk"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range checkers(command) {
		for _, m := range []struct {
			model
			states int64
		}{
			{model{"TwoPhase", "N", 3}, 288},
			{model{"TwoPhase", "N", 5}, 8_832},
			{model{"Paxos1", "MaxB", 1}, 3_921},
			{model{"Paxos1", "MaxB", 2}, 185_369},
		} {
			if c.tool == "caulk" && m.name != "TwoPhase" {
				continue // its Paxos is another
			}
			t.Run(fmt.Sprintf("%s/%s/%s=%d", c.name, m.name, m.constant, m.value), func(t *testing.T) {
				if missing := absent(c.needs); missing != nil {
					t.Skipf("%s is not installed", strings.Join(missing, " and "))
				}
				dir := t.TempDir()
				command, err := c.build(t.Context(), dir, m.model)
				if err != nil {
					t.Fatal(err)
				}
				output, _, err := measure(t.Context(), dir, command)
				if err != nil {
					t.Fatal(err)
				}
				got, err := c.read(dir, output)
				if err != nil {
					t.Fatal(err)
				}
				if got.states != m.states || got.transitions < m.states-1 {
					t.Errorf("%d states, %d transitions; want %d states", got.states, got.transitions, m.states)
				}
			})
		}
	}
}

// What large searches print looks different from what small ones do.
func TestReadLarge(t *testing.T) {
	spin, err := readSpin("", `
State-vector 28 byte, depth reached 28, errors: 0
 10340352 states, stored
1.1234567e+08 states, matched
1.2268602e+08 transitions (= stored+matched)
`)
	if want := (counts{states: 10_340_352, transitions: 122_686_020}); err != nil || spin != want {
		t.Errorf("SPIN: %v, %v; want %v", spin, err, want)
	}
	rumur, err := readRumur("", `
	 thread 1: 20000 states explored in 0s, with 21604 rules fired and 11000 states in the queue.

	No error found.

	296448 states, 2744705 rules fired in 1s.
`)
	if want := (counts{states: 296_448, transitions: 2_744_705}); err != nil || rumur != want {
		t.Errorf("rumur: %v, %v; want %v", rumur, err, want)
	}
}

func TestReadRefuses(t *testing.T) {
	if c, err := readSpin("", "errors: 1\n 5 states, stored\n 7 transitions (= stored+matched)\n"); err == nil {
		t.Errorf("SPIN found an error, and %v was read", c)
	}
	if c, err := readSpin("", "errors: 0\n"); err == nil {
		t.Errorf("SPIN counted nothing, and %v was read", c)
	}
	if c, err := readRumur("", "5 states, 7 rules fired in 0s.\n"); err == nil {
		t.Errorf("rumur did not say that all is well, and %v was read", c)
	}
}

// One that finds other states than there are is caught.
func TestWrongCount(t *testing.T) {
	e := &entry{checker: checker{name: "wrong", read: func(string, string) (counts, error) {
		return counts{states: 287, transitions: 1000}, nil
	}}, managers: 3, command: []string{"true"}, dir: t.TempDir()}
	_, err := run(t.Context(), e)
	if err == nil || err.Error() != "found 287 states where there are 288" {
		t.Errorf("287 states: %v", err)
	}
}

func TestMeasure(t *testing.T) {
	output, u, err := measure(t.Context(), t.TempDir(), []string{"sh", "-c", "echo here; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"})
	if err != nil || output != "here\n" {
		t.Fatalf("%q, %v", output, err)
	}
	if u.wall <= 0 || u.cpu <= 0 || u.peak < 1<<19 || u.peak > 1<<30 {
		t.Errorf("took %+v", u)
	}
	_, _, err = measure(t.Context(), t.TempDir(), []string{"sh", "-c", "echo why; exit 3"})
	if err == nil || !strings.Contains(err.Error(), "exit status 3\nwhy") {
		t.Errorf("a command that fails: %v", err)
	}
}

func TestTable(t *testing.T) {
	runs := func(c counts, peak int64, seconds ...float64) []result {
		var rs []result
		for _, s := range seconds {
			wall := time.Duration(s * float64(time.Second))
			rs = append(rs, result{c, usage{wall, 2 * wall, peak}})
		}
		return rs
	}
	small, large := counts{states: 1000, transitions: 3000}, counts{states: 1_000_000, transitions: 9_000_000}
	large.own = "its own words"
	entries := []*entry{
		{checker: checker{name: caulkName(1)}, managers: 9, results: runs(large, 40_000_000, 3, 1, 2)},
		{checker: checker{name: caulkName(2)}, managers: 9, results: runs(large, 50_000_000, 1, 1, 1)},
		{checker: checker{name: "SPIN"}, managers: 9, results: runs(counts{states: 1_000_000, transitions: 5_000_000}, 80_000_000, 10, 20, 10)},
		{checker: checker{name: "rumur"}, managers: 4, results: runs(small, 5_000_000, 6, 6, 6)},
	}
	var b strings.Builder
	printTable(&b, entries)
	printNotes(&b, entries, []float64{1, 1.5, 1.25})
	want := `
| 9 | 1,000,000 | caulk, 1 worker | 2.00 | 4.00 | 40.0 | 40.0 | 9,000,000 | 4,500,000 | 0.200 (0.050–0.300) | 0.200 (0.050–0.300) | 0.500 (0.500–0.500) |
| 9 | 1,000,000 | caulk, 2 workers | 1.00 | 2.00 | 50.0 | 50.0 | 9,000,000 | 9,000,000 | 0.100 (0.050–0.100) | 0.100 (0.050–0.100) | 0.625 (0.625–0.625) |
| 9 | 1,000,000 | SPIN | 10.00 | 20.00 | 80.0 | 80.0 | 5,000,000 | 500,000 | 1 | 1 | 1 |
| 4 | 1,000 | rumur | 6.00 | 12.00 | 5.0 | 5000.0 | 3,000 | 500 | | | |

- Rounds: 3. Shown are medians. A ratio is of two runs in the same round: the median (the least–the greatest).
- Two busy loops side by side took 1.250 (1.000–1.500) times as long as one alone: 1 where two cores are really there, 2 where one is.
- 9 managers: two workers are 2.000 (1.000–3.000) times as fast as one.
- 9 managers, caulk, 1 worker, by its own report of the last round: its own words.
- 9 managers, caulk, 2 workers, by its own report of the last round: its own words.
`
	_, got, _ := strings.Cut(b.String(), "--:|\n")
	if got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
}

// The script and the program agree: options reach the program, and a wrong one
// is one line and exit code 2.
func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds caulk")
	}
	out, err := exec.CommandContext(t.Context(), "../compare.sh", "-tools", "tlc").CombinedOutput()
	const want = "compare: -tools: there is no \"tlc\": choose from caulk, spin and rumur\n"
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.ExitCode() != 2 || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}
