package explorer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/caulk-go/caulk/model"
)

// addFeatures gives half of the random systems some of what the plain ones do
// not have: queues, losses, faults, budgets, an observer, more starts, a
// boundary, properties of every kind.
func addFeatures(seed uint64, sys *model.System) {
	r := rand.New(rand.NewPCG(seed, 2))
	one := func(in int) bool { return r.IntN(in) == 0 }
	if one(2) {
		return
	}
	sys.Budgets = map[model.Budget]int{}
	limit := func(b model.Budget) { sys.Budgets[b] = r.IntN(3) }
	if one(3) {
		sys.Network = model.Fifo
	}
	if sys.Lossy = one(3); sys.Lossy && one(2) {
		limit(model.Drops)
	}
	if sys.Network == model.Bag && one(3) {
		limit(model.Duplicates)
	}
	addFaults(r, sys, limit)
	if one(3) {
		sys.Observer = model.Observe(r.IntN(3), func(n int, e model.Event) int { return (n + len(e.Sent) + int(e.Move.Kind)) % 3 })
	}
	for range r.IntN(3) {
		starts := map[model.ID]string{}
		for _, id := range sys.StartOrder() {
			if one(2) {
				starts[id] = "y"
			}
		}
		sys.OtherStarts = append(sys.OtherStarts, starts)
	}
	at := func(v model.View, id model.ID) int { return model.StateOf[mood](v, id).at }
	if one(5) {
		id, x := model.ID(1+r.IntN(len(sys.Agents))), r.IntN(4)
		sys.Boundary = func(v model.View) bool { return at(v, id) != x }
	}
	for i := range r.IntN(4) {
		sys.Properties = append(sys.Properties, drawFeature(r, i, sys))
	}
	if len(sys.Budgets) == 0 {
		sys.Budgets = nil
	}
}

func addFaults(r *rand.Rand, sys *model.System, limit func(model.Budget)) {
	timers := false
	for i := range sys.Agents {
		id := model.ID(i + 1)
		bot := drawRobot(r, len(sys.Agents), 4, 4)
		if sys.Network != model.Set { // so that it has an end
			bot.quiet = true
		}
		switch r.IntN(6) {
		case 0:
			sys.Agents[i] = model.Of(durable{bot})
			sys.Restart = append(sys.Restart, id)
		case 1:
			sys.Agents[i] = model.Of(counting{bot})
			sys.Wipe = []model.ID{id}
			limit(model.Wipes)
		case 2:
			sys.Agents[i] = model.Of(bot)
			sys.Crash = append(sys.Crash, id)
		}
		for _, a := range sys.Agents[i].Actions() {
			timers = timers || a.Kind == model.Timer
		}
	}
	for b, may := range map[model.Budget]bool{
		model.Wipes: len(sys.Wipe) > 0, model.Restarts: len(sys.Restart) > 0, model.Crashes: len(sys.Crash) > 0, model.Timeouts: timers,
	} {
		if _, limited := sys.Budgets[b]; !limited && may && (int(b)+len(sys.Agents))%2 == 0 {
			sys.Budgets[b] = 1
		}
	}
}

// drawFeature draws a property of one of the kinds that the plain systems do
// not have, or one that reads what theirs do not.
func drawFeature(r *rand.Rand, number int, sys *model.System) model.Property {
	id, other := model.ID(1+r.IntN(len(sys.Agents))), model.ID(1+r.IntN(len(sys.Agents)))
	x, y := r.IntN(4), r.IntN(4)
	name := fmt.Sprintf("feature %d", number)
	at := func(v model.View, id model.ID) int { return model.StateOf[mood](v, id).at }
	is := func(v model.View) bool { return at(v, id) == x && !v.Crashed(other) }
	fails := errors.New("it is so")
	when := func(so bool) error {
		if so {
			return fails
		}
		return nil
	}
	switch r.IntN(7) {
	case 0:
		return model.EveryStep(name, func(before, after model.View) error {
			return when(at(before, id) == x && at(after, id) == y && at(after, other) != y)
		})
	case 1:
		return model.EveryStep(name, func(before, after model.View) error { return when(at(before, id) > at(after, id)+1) }).When(is)
	case 2:
		return model.AtEnd(name, func(v model.View) error { return when(is(v)) })
	case 3:
		return model.Eventually(name, is)
	case 4:
		return model.LeadsTo(name, is, func(v model.View) bool { return at(v, other) == y })
	case 5:
		return model.Sometimes(name, func(v model.View) bool { return len(v.InFlight()) > x && at(v, id) == y })
	}
	if sys.Observer == nil {
		return model.Sometimes(name, func(v model.View) bool { return v.Crashed(id) && at(v, other) == y })
	}
	return model.Sometimes(name, func(v model.View) bool { return model.ObserverOf[int](v) == x%3 && at(v, id) == y })
}
