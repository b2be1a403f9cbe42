package explorer_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

// Reports, paths and diagrams are the same byte for byte in every build: also
// in one whose hash tells almost no two states apart (go test -tags weakhash),
// so that no count and no order rests on the hash.
func TestGoldenReports(t *testing.T) {
	for _, c := range []struct {
		name string
		sys  model.System
		o    explorer.Options
	}{
		{"mark1", made(t, "mark1", model.Config{}), explorer.Options{Graph: explorer.LabelGraph}},
		{"mark2-wipe3", wiped(t, "mark2", 3), explorer.Options{Graph: explorer.LabelGraph}},
		{"mark2-wipe3-on", wiped(t, "mark2", 3), explorer.Options{Graph: explorer.LabelGraph, KeepGoing: true}},
		{"mark2-wipe3-dfs", wiped(t, "mark2", 3), explorer.Options{Graph: explorer.LabelGraph, Search: explorer.DFS}},
		{"mark0-wipe2-states", wiped(t, "mark0", 2), explorer.Options{Graph: explorer.StateGraph, KeepGoing: true}},
		{"mark3-wipe1-on", wiped(t, "mark3", 1), explorer.Options{KeepGoing: true}},
		{"twophase-wipe4", wiped(t, "twophase", 4), explorer.Options{}},
		{"hoppers", hoppers(3, 2, 12, model.Bag), explorer.Options{Depth: new(20)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, render(t, explore(t, c.sys, c.o)))
		})
	}
}

func wiped(t *testing.T, name string, id model.ID) model.System {
	sys := made(t, name, model.Config{})
	sys.Wipe = []model.ID{id}
	return sys
}

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update && !explorer.WeakHash {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
