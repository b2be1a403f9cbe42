package explorer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// A search that a bound ends is kept, and another one goes on with it.
func ExampleExplore_resume() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "search")

	mark3, err := model.FindAlgorithm(algos.All(), "mark3")
	if err != nil {
		panic(err)
	}
	sys, err := mark3.System(model.Config{})
	if err != nil {
		panic(err)
	}
	for _, o := range []explorer.Options{
		{Depth: new(3), Checkpoint: file},
		{Resume: file},
	} {
		r, err := explorer.Explore(context.Background(), sys, o)
		if err != nil {
			panic(err)
		}
		fmt.Println(r.Verdict, r.States, r.Depth)
	}
	// Output:
	// incomplete 12 3
	// holds 49 7
}
