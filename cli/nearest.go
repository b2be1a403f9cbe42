package cli

import (
	"slices"
	"strings"
)

// didYouMean offers the names that are nearest to one that does not exist:
// ": did you mean mark1 or mark2?", or nothing where none is near.
func didYouMean(name string, names []string) string {
	near := nearest(name, names)
	if len(near) == 0 {
		return ""
	}
	return ": did you mean " + enumerate(near, "or") + "?"
}

// nearest lists at most three of the names that a hurried typist may have
// meant, the nearest first, equally near ones in their given order.
func nearest(name string, names []string) []string {
	near := map[string]int{}
	for _, n := range names {
		d := distance(strings.ToLower(name), strings.ToLower(n))
		if d <= max(1, len([]rune(name))/3) || len(name) > 1 && strings.HasPrefix(n, name) {
			near[n] = d
		}
	}
	found := slices.DeleteFunc(slices.Clone(names), func(n string) bool { _, ok := near[n]; return !ok })
	slices.SortStableFunc(found, func(a, b string) int { return near[a] - near[b] })
	return found[:min(len(found), 3)]
}

// distance is how many letters must be added, dropped, changed or swapped with
// their neighbour to turn a into b (optimal string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}

// enumerate joins words as prose does: "a, b and c".
func enumerate(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
