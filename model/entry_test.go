package model_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/caulk-go/caulk/model"
)

type located struct{}

func (located) Fresh(model.ID, []model.ID, int) (int, []model.Message[string]) { return 0, nil }

func (located) Receive(s int, _ model.Message[string]) (int, []model.Message[string]) {
	return s, nil
}

func (located) Actions() []model.Action[int, string] {
	return []model.Action[int, string]{{Name: "go", Do: func(s int) (int, []model.Message[string], bool) { return s, nil, false }}}
}

// Who embeds an agent has methods that are nowhere written.
type promoted struct{ *located }

func TestEntries(t *testing.T) {
	for _, tt := range []struct {
		node   model.Node
		kind   model.MoveKind
		action string
		line   int // where it is written; 0 for nowhere
	}{
		{model.Of(located{}), model.Deliver, "", 15},
		{model.Of(located{}), model.Wipe, "", 13},
		{model.Of(&located{}), model.Wipe, "", 13},
		{model.Of(promoted{&located{}}), model.Deliver, "", 15},
		{model.Of(&promoted{&located{}}), model.Deliver, "", 15},
		{model.Of(located{}), model.Act, "go", 20},
		{model.Of(located{}), model.Act, "stay", 0},
		{model.Of(located{}), model.Restart, "", 0},
		{model.Of(located{}), model.Drop, "", 0},
	} {
		found := 0
		for _, pc := range tt.kind.Entries(tt.node, tt.action) {
			if file, line := runtime.FuncForPC(pc).FileLine(pc); found == 0 && filepath.Base(file) == "entry_test.go" {
				found = line
			}
		}
		if found != tt.line && (tt.line == 0 || found != tt.line+1) { // Go may count the first statement as the entry
			t.Errorf("%s %s: line %d, not %d", tt.kind, tt.action, found, tt.line)
		}
	}
}
