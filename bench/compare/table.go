//go:build unix

package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// What is measured of a run.
func wall(r result) float64 { return r.wall.Seconds() }
func cpu(r result) float64  { return r.cpu.Seconds() }
func peak(r result) float64 { return float64(r.peak) }

// printTable prints a row for each entry: medians, and how they compare with
// SPIN's at the same size.
func printTable(w io.Writer, entries []*entry) {
	fmt.Fprintln(w, "| managers | states | checker | wall s | CPU s | peak MB | bytes/state | transitions | transitions/s | wall ÷ SPIN | CPU ÷ SPIN | memory ÷ SPIN |")
	fmt.Fprintln(w, "|--:|--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, e := range entries {
		first := e.results[0] // the counts are the same in every round
		memory := e.median(peak)
		fmt.Fprintf(w, "| %d | %s | %s | %.2f | %.2f | %.1f | %.1f | %s | %s |",
			e.managers, grouped(first.states), e.name, e.median(wall), e.median(cpu),
			memory/1e6, memory/float64(first.states),
			grouped(first.transitions), grouped(int64(float64(first.transitions)/e.median(wall))))
		spin := at(entries, "SPIN", e.managers)
		for _, of := range []func(result) float64{wall, cpu, peak} {
			switch spin {
			case nil:
				fmt.Fprint(w, " |")
			case e:
				fmt.Fprint(w, " 1 |")
			default:
				fmt.Fprintf(w, " %s |", spread(ratios(e, spin, of)))
			}
		}
		fmt.Fprintln(w)
	}
}

// printNotes prints what the table has no room for, as a list.
func printNotes(w io.Writer, entries []*entry, cores []float64) {
	fmt.Fprintf(w, "\n- Rounds: %d. Shown are medians. A ratio is of two runs in the same round: the median (the least–the greatest).\n", len(cores))
	fmt.Fprintf(w, "- Two busy loops side by side took %s times as long as one alone: 1 where two cores are really there, 2 where one is.\n", spread(cores))
	for _, e := range entries {
		if two := at(entries, caulkName(2), e.managers); e.name == caulkName(1) && two != nil {
			fmt.Fprintf(w, "- %d managers: two workers are %s times as fast as one.\n", e.managers, spread(ratios(e, two, wall)))
		}
	}
	for _, e := range entries {
		if own := e.results[len(e.results)-1].own; own != "" {
			fmt.Fprintf(w, "- %d managers, %s, by its own report of the last round: %s.\n", e.managers, e.name, own)
		}
	}
}

// at finds an entry, or nil.
func at(entries []*entry, name string, managers int) *entry {
	i := slices.IndexFunc(entries, func(e *entry) bool { return e.name == name && e.managers == managers })
	if i < 0 {
		return nil
	}
	return entries[i]
}

func (e *entry) median(of func(result) float64) float64 {
	values := make([]float64, len(e.results))
	for i, r := range e.results {
		values[i] = of(r)
	}
	return median(values)
}

// ratios divides what a took by what b took, round by round.
func ratios(a, b *entry, of func(result) float64) []float64 {
	values := make([]float64, len(a.results))
	for i := range values {
		values[i] = of(a.results[i]) / of(b.results[i])
	}
	return values
}

// median of at least one value; of an even number the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread shows the median and, of several values, the least and the greatest.
func spread(values []float64) string {
	if len(values) == 1 {
		return fmt.Sprintf("%.3f", values[0])
	}
	return fmt.Sprintf("%.3f (%.3f–%.3f)", median(values), slices.Min(values), slices.Max(values))
}

// grouped shows a number that is not negative with a comma before every three
// digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
