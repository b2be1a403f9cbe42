package trace

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

// ReplayPossible is Replay for a path of an algorithm that was changed since: a
// hole is often mended by making a move impossible. Moves that are not possible
// where they would be made are left out, and what is possible of the rest is
// made; the labels of those left out are listed, in order. The outcome is that
// the path diverged only if none of its moves is possible. A loop of which
// nothing is left is none.
func ReplayPossible(sys *model.System, p Path) (o Outcome, left []string, err error) {
	p.Steps = slices.Clone(p.Steps)
	var first Outcome
	for {
		o, err = Replay(sys, p)
		if err != nil || o.Verdict == StillFails {
			return o, left, err
		}
		if o.Verdict == Fixed {
			if len(left) > 0 && len(p.Steps) == 0 {
				return first, nil, nil
			}
			return o, left, nil
		}
		if len(left) == 0 {
			first = o
		}
		at := len(o.Made)
		left = append(left, p.Steps[at].Label)
		p.Steps = slices.Delete(p.Steps, at, at+1)
		if l := p.LoopFrom; l != nil && *l > at {
			p.LoopFrom = new(*l - 1)
		}
		if l := p.LoopFrom; l != nil && *l >= len(p.Steps) {
			p.LoopFrom = nil
		}
	}
}
