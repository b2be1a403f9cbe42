package cli_test

import (
	"errors"

	"github.com/caulk-go/caulk/model"
)

// features are algorithms that have, each, something that caulk's own have not.
func features() []model.Algorithm {
	return []model.Algorithm{alarm(), disk(), lamp(), asleep(), courier(), fenced()}
}

// act is an own action that needs no message.
func act[S any](name string, kind model.ActionKind, do func(S) (S, bool)) model.Action[S, string] {
	return model.Action[S, string]{Name: name, Kind: kind, Do: func(s S) (S, []model.Message[string], bool) {
		next, enabled := do(s)
		return next, nil, enabled
	}}
}

func fair[S any](a model.Action[S, string]) model.Action[S, string] {
	a.Fair = true
	return a
}

// alarm has a timer and an input.
func alarm() model.Algorithm {
	return alone("alarm", "rings three times at most",
		toy[int]{actions: []model.Action[int, string]{
			act("ring", model.Timer, func(n int) (int, bool) { return n + 1, n < 3 }),
			act("stop", model.Input, func(n int) (int, bool) { return 3, n < 3 }),
		}},
		model.Sometimes("rings twice", func(v model.View) bool { return model.StateOf[int](v, 1) == 2 }))
}

// disk has one agent of which something persists, and one of which nothing
// does.
func disk() model.Algorithm {
	neverLess := func(before, after model.View) error {
		if model.StateOf[pages](after, 1).Written < model.StateOf[pages](before, 1).Written {
			return errors.New("agent 1 forgets what was written")
		}
		return nil
	}
	return model.Algorithm{Name: "disk", Summary: "writes, and sometimes syncs", Make: func(model.Config) model.System {
		return model.System{
			Agents:     []model.Node{model.Of(syncing()), model.Of(toy[int]{})},
			Properties: []model.Property{model.EveryStep("never less", neverLess)},
		}
	}}
}

type pages struct{ Written, Synced int }

type persisting struct{ toy[pages] }

func syncing() persisting {
	return persisting{toy[pages]{actions: []model.Action[pages, string]{
		act("write", model.Step, func(p pages) (pages, bool) { p.Written++; return p, p.Written <= 2 }),
		act("sync", model.Step, func(p pages) (pages, bool) { return pages{p.Written, p.Written}, p.Synced < p.Written }),
	}}}
}

func (persisting) Persist(p pages) pages { return pages{Synced: p.Synced} }

func (persisting) Restart(_ model.ID, _ []model.ID, _ int, kept pages) (pages, []model.Message[string]) {
	return pages{kept.Synced, kept.Synced}, nil
}

// lamp may be switched for ever: 0 new, 1 on, 2 off, 3 broken.
func lamp() model.Algorithm {
	is := func(state int) func(model.View) bool {
		return func(v model.View) bool { return model.StateOf[int](v, 1) == state }
	}
	return alone("lamp", "is switched on and off, and may break",
		toy[int]{actions: []model.Action[int, string]{
			fair(act("on", model.Step, func(n int) (int, bool) { return 1, n == 0 || n == 2 })),
			fair(act("off", model.Step, func(n int) (int, bool) { return 2, n == 1 })),
			act("break", model.Step, func(n int) (int, bool) { return 3, n == 1 || n == 2 }),
		}},
		model.Eventually("burns", is(1)),
		model.LeadsTo("goes out", is(1), func(v model.View) bool { return is(2)(v) || is(3)(v) }),
		model.Eventually("breaks", is(3)))
}

// asleep does nothing at all.
func asleep() model.Algorithm {
	return alone("asleep", "never wakes", toy[int]{},
		model.Eventually("wakes", func(v model.View) bool { return model.StateOf[int](v, 1) == 1 }))
}

// courier has two starts and an observer, and sends a message.
func courier() model.Algorithm {
	got := func(v model.View, id model.ID) string { return model.StateOf[string](v, id) }
	return model.Algorithm{
		Name: "courier", Summary: "carries tea, or poison", Starts: map[model.ID]string{1: "tea"},
		Make: func(model.Config) model.System {
			node := model.Of(carrier{})
			return model.System{
				Agents:      []model.Node{node, node, node},
				OtherStarts: []map[model.ID]string{{1: "poison"}},
				Observer: model.Observe(0, func(seen int, e model.Event) int {
					if e.Move.Kind == model.Deliver {
						seen++
					}
					return seen
				}),
				Properties: []model.Property{
					model.Always("nobody dies", func(v model.View) error {
						if got(v, 2) == "poison" {
							return errors.New("agent 2 drank poison")
						}
						return nil
					}),
					model.AtEnd("delivered", func(v model.View) error {
						if got(v, 2) == "" {
							return errors.New("agent 2 is still thirsty")
						}
						return nil
					}),
				},
			}
		},
	}
}

type carrier struct{}

func (carrier) Fresh(model.ID, []model.ID, int) (string, []model.Message[string]) { return "", nil }

func (carrier) Start(_ string, value string) (string, []model.Message[string]) {
	return "", []model.Message[string]{{To: 2, Body: value}}
}

func (carrier) Receive(_ string, m model.Message[string]) (string, []model.Message[string]) {
	return m.Body, nil
}

// fenced counts for ever, but beyond three nobody looks.
func fenced() model.Algorithm {
	a := alone("fenced", "counts for ever behind a fence", ticking(func(n int) int { return n + 1 }))
	open := a.Make
	a.Make = func(c model.Config) model.System {
		s := open(c)
		s.Boundary = func(v model.View) bool { return model.StateOf[int](v, 1) <= 3 }
		return s
	}
	return a
}
