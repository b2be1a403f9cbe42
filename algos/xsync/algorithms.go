package xsync

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

const doc = `Rethink the sync: a process does not wait until its writes are on disk, but what
it prints is held back until they are. Agent 1 is a machine with a disk, a lock,
and two processes: p writes under the lock, q reads, and takes the lock after p
or before. Agent 2 is the screen. The machine may crash once.

What a process prints may tell of its own writes, of the writes of whoever wrote
what it read, and of what was done under the lock before. So its text waits for
all of them:

    - xsync-early does not hold texts back at all.
    - xsync-read forgets the writes of those whose file was read.
    - xsync-lock forgets those of whoever had the lock before.

Labels: the writes on disk, those that are not yet, and how many texts are held
back; then, for each text on the screen, the writes that its process knew of.`

func entry(name, summary, hole string, v Variant) model.Algorithm {
	a := model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     doc,
		Source:  `Nightingale et al., "Rethink the Sync" (OSDI 2006), sections 2 and 3`,
		Twins:   []string{"xsync"},
		Hole:    hole,
		Make: func(model.Config) model.System {
			return model.System{
				Agents:  []model.Node{model.Of(kernel{v}), model.Of(user{})},
				Network: model.Fifo,
				Restart: []model.ID{machine},
				Budgets: map[model.Budget]int{model.Restarts: 1},
				Properties: []model.Property{
					notTakenBack(),
					model.Sometimes("q prints what p wrote", qPrints),
				},
			}
		},
	}
	if hole == "" {
		a.Twins = []string{"xsync-early", "xsync-read", "xsync-lock"}
	}
	return a
}

// qPrints says whether two texts told of the same write.
func qPrints(v model.View) bool {
	texts := model.StateOf[Seen](v, screen).Texts
	return len(texts) == 2 && slices.ContainsFunc(texts[0].Knows, func(w int) bool { return slices.Contains(texts[1].Knows, w) })
}

// Algorithms are the entries in the list of algorithms: the one that holds,
// then its twins.
func Algorithms() []model.Algorithm {
	return append([]model.Algorithm{
		entry("xsync", "output that waits for all writes that it depends on", "",
			Variant{Holds: true, Files: true, Locks: true}),
		entry("xsync-early", "xsync whose output waits for nothing",
			"a user sees what a crash takes back", Variant{}),
		entry("xsync-read", "xsync whose output waits for its own process's writes only",
			"a process prints what it read, and a crash takes back what another wrote there", Variant{Holds: true, Locks: true}),
		entry("xsync-lock", "xsync with locks that do not pass on what to wait for",
			"a process prints that the lock was free again, and a crash takes back what was done under it", Variant{Holds: true, Files: true}),
	}, speculators()...)
}
