package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cluster"
	"github.com/caulk-go/caulk/model"
)

// A node that cannot begin ends the run with one line; the others are stopped.
func TestANodeThatCannotBegin(t *testing.T) {
	for _, a := range algos.All() {
		if a.Name != "mark5" {
			continue
		}
		sys, err := a.System(model.Config{})
		if err != nil {
			t.Fatal(err)
		}
		sys.Restart = sys.Population()
		dir := t.TempDir()
		foreign := filepath.Join(dir, "data-2")
		if err := os.Mkdir(foreign, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(foreign, "node.db"), []byte("something else"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err = cluster.Run(context.Background(), cluster.Options{System: sys, Dir: dir, Duration: time.Minute})
		if err == nil || !strings.Contains(err.Error(), "is damaged, or no file of a caulk node") {
			t.Errorf("the run ends with %v", err)
		}
		return
	}
	t.Fatal("there is no mark5")
}
