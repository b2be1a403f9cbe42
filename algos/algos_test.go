package algos_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
)

func ExampleAll() {
	for _, a := range algos.All()[:5] {
		fmt.Printf("%-6s %s\n", a.Name, a.Summary)
	}
	// Output:
	// mark0  basic Paxos before anything is written: halts on any message
	// mark1  basic Paxos, the happy path: halts on what comes early or late
	// mark2  mark1 with early and late messages caulked: wiping an agent breaks it
	// mark2b mark2 whose agents enter the round they accept for: halts on a late Prepare
	// mark3  mark2b with late Prepares ignored: one proposer holds, two do not
}

func TestEveryEntryIsComplete(t *testing.T) {
	all := algos.All()
	seen := map[string]bool{}
	for _, a := range all {
		if seen[a.Name] {
			t.Errorf("two algorithms are called %s", a.Name)
		}
		seen[a.Name] = true
		if a.Summary == "" || strings.Contains(a.Summary, "\n") {
			t.Errorf("%s: the summary %q is not one line", a.Name, a.Summary)
		}
		if strings.Contains(a.Hole, "\n") {
			t.Errorf("%s: its hole is not one line: %q", a.Name, a.Hole)
		}
		if a.Doc == "" || a.Source == "" {
			t.Errorf("%s does not say what it is or where it comes from", a.Name)
		}
		for i, line := range strings.Split(a.Doc, "\n") {
			if len(line) > 80 || line != strings.TrimRight(line, " ") {
				t.Errorf("%s: line %d of the doc is wider than 80 or ends in a space: %q", a.Name, i+1, line)
			}
		}
		for _, p := range a.Params {
			if p.Doc == "" || p.Default < p.Min || p.Default > p.Max {
				t.Errorf("%s: parameter %s has no doc, or a default out of range", a.Name, p.Name)
			}
		}
		for _, twin := range a.Twins {
			other, err := model.FindAlgorithm(all, twin)
			if err != nil {
				t.Errorf("%s has a twin that is not there: %v", a.Name, err)
			} else if !slices.Contains(other.Twins, a.Name) {
				t.Errorf("%s is the twin of %s, but not the other way round", a.Name, twin)
			}
		}
	}
}

func TestEveryEntryMakesItsDefaultSystem(t *testing.T) {
	for _, a := range algos.All() {
		s, err := a.System(model.Config{})
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		if len(s.Properties) == 0 {
			t.Errorf("%s promises nothing", a.Name)
		}
		for _, p := range s.Properties {
			if p.Kind == model.KindAlways && p.Doc == "" {
				t.Errorf("%s does not say what %q means", a.Name, p.Name)
			}
		}
		if a.Agents != 0 && len(s.Agents) != a.Agents {
			t.Errorf("%s has %d agents, not %d", a.Name, len(s.Agents), a.Agents)
		}
	}
}
