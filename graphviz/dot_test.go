package graphviz_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/graphviz"
)

var update = flag.Bool("update", false, "write the golden files anew")

func dot(t testing.TB, d *explorer.Diagram) string {
	t.Helper()
	var b bytes.Buffer
	if err := graphviz.DOT(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares with a file in testdata.
func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, go test ./graphviz -update\n%s", path, diff)
	}
}

func TestDOT(t *testing.T) {
	for file, d := range map[string]*explorer.Diagram{
		"labels.dot": labels(),
		"states.dot": states(),
		"empty.dot":  {},
		"one.dot":    {Nodes: []explorer.Node{{Name: "I0", Label: "I0"}}},
	} {
		t.Run(file, func(t *testing.T) {
			got := dot(t, d)
			golden(t, file, got)
			if again := dot(t, d); again != got {
				t.Errorf("written again it differs:\n%s", cmp.Diff(got, again))
			}
		})
	}
}

// What a version control system shows of a change must be the change alone.
func TestDOTChangesWhereTheDiagramDid(t *testing.T) {
	more := labels()
	more.Nodes = append([]explorer.Node{{Name: "A0", Label: "A0"}}, more.Nodes...)
	more.Starts = []int{more.Starts[0] + 1}
	for i := range more.Edges {
		more.Edges[i].From++
		more.Edges[i].To++
	}
	more.Edges = append([]explorer.Edge{{From: 0, To: more.Starts[0], Label: "new"}}, more.Edges...)

	before := lines(dot(t, labels()))
	var added []string
	for line := range lines(dot(t, more)) {
		if !before[line] {
			added = append(added, line)
		}
		delete(before, line)
	}
	if len(added) != 2 || len(before) != 0 {
		t.Errorf("a new node and a new edge add %q and remove %v", added, before)
	}
}

func lines(s string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(s) {
		set[line] = true
	}
	return set
}

func TestDOTGivesTheWritersError(t *testing.T) {
	if err := graphviz.DOT(brokenWriter{}, labels()); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want %v", err, errBroken)
	}
}

var errBroken = errors.New("disk full")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestDOTPanicsAtTwoNodesOfOneName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it does not panic")
		}
	}()
	dot(t, &explorer.Diagram{Nodes: []explorer.Node{{Name: "a"}, {Name: "a"}}})
}

func BenchmarkDOT(b *testing.B) {
	d := &explorer.Diagram{Nodes: make([]explorer.Node, 10_000)}
	for i := range d.Nodes {
		name := "s" + strings.Repeat("0", i%7) + string(rune('a'+i%26)) + strings.Repeat("1", i/26%300)
		d.Nodes[i] = explorer.Node{Name: name + "/" + string(rune(0x4e00+i)), Label: name}
		for k := range 2 {
			d.Edges = append(d.Edges, explorer.Edge{From: i, To: (i*7 + k) % len(d.Nodes), Label: "{Prepare;1->2;n=1}"})
		}
	}
	for b.Loop() {
		dot(b, d)
	}
}
