package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// Replay makes the moves of a path again, and fails the test if something is
// wrong in a state on the way, or with the run that the path stands for: an
// agent halts, a handler panics, a property fails. The system is the one that
// the path's setting names, of an algorithm on the list.
//
// A hole is often mended by making a move impossible. Such moves are left out,
// and logged; what is possible of the rest is made. Where no move at all is
// possible the path is of another algorithm, or of one that calls its messages
// otherwise by now, and the test is skipped.
//
// caulk test writes tests that call it.
func Replay(t testing.TB, algorithms []model.Algorithm, p trace.Path) {
	t.Helper()
	o, left, err := replay(algorithms, p)
	switch {
	case err != nil:
		t.Errorf("the path cannot be replayed: %s", err)
	case o.Verdict == trace.StillFails:
		t.Errorf("%s\n%s", o, pathText(o.Steps(), p.LoopFrom))
	case o.Verdict == trace.Diverged:
		t.Skipf("no move of the path is possible any more: it %s", o)
	case len(left) > 0:
		t.Logf("no longer possible, and left out: %s", strings.Join(left, ", "))
	}
}

// replay finds the system of a path, and makes those of its moves that are
// possible; the labels of the others are listed.
func replay(algorithms []model.Algorithm, p trace.Path) (o trace.Outcome, left []string, err error) {
	if p.Setting == nil {
		return o, nil, errors.New("it has no setting, which says of what system it is")
	}
	if p.Setting.From != "" {
		return o, nil, fmt.Errorf("it begins in %s, a state of a trace: make its moves with caulk replay", p.Setting.From)
	}
	a, err := model.FindAlgorithm(algorithms, p.Setting.Algo)
	if err != nil {
		return o, nil, err
	}
	sys, err := p.Setting.System(a)
	if err != nil {
		return o, nil, err
	}
	if p.Property != "" && p.Property != noPanic && !hasProperty(&sys, p.Property) {
		return o, nil, fmt.Errorf("%s has no property %q any more, which the path violates", sys.Name, p.Property)
	}
	return trace.ReplayPossible(&sys, p)
}

// noPanic is what reports call the property that every handler must have.
const noPanic = "no panic"

func hasProperty(sys *model.System, name string) bool {
	return slices.ContainsFunc(sys.Properties, func(p model.Property) bool { return p.Name == name })
}
