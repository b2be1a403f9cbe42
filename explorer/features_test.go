package explorer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

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
		sys.Observer = drawObserver(r, len(sys.Agents))
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
	if one(4) {
		beyond := drawFact(r, sys)
		sys.Boundary = func(v model.View) bool { return !beyond(v) }
	}
	for i := range r.IntN(4) {
		sys.Properties = append(sys.Properties, drawFeature(r, i, sys))
	}
	if len(sys.Budgets) == 0 {
		sys.Budgets = nil
	}
}

func addFaults(r *rand.Rand, sys *model.System, limit func(model.Budget)) {
	timers, endless := false, r.IntN(3) == 0
	for i := range sys.Agents {
		id := model.ID(i + 1)
		bot := drawRobot(r, len(sys.Agents), 4, 4)
		fault := r.IntN(7)
		if bot.endless = endless; endless && fault > 3 {
			bot.quiet = slices.Contains(sys.Wipe, id)
			sys.Agents[i] = model.Of(bot)
		}
		switch fault {
		case 0:
			bot.quiet = sys.Network != model.Set // so that it has an end
			sys.Agents[i] = model.Of(durable{bot})
			sys.Restart = append(sys.Restart, id)
		case 1:
			sys.Agents[i] = model.Of(counting{bot})
			sys.Wipe = []model.ID{id}
			limit(model.Wipes)
		case 2:
			bot.quiet = sys.Network != model.Set
			sys.Agents[i] = model.Of(bot)
			sys.Crash = append(sys.Crash, id)
		case 3:
			sys.Agents[i] = model.Of(phoenix{counting{bot}})
			sys.Wipe = []model.ID{id}
			limit(model.Wipes)
			sys.Restart = append(sys.Restart, id)
			limit(model.Restarts)
			if r.IntN(2) == 0 {
				sys.Crash = append(sys.Crash, id)
			}
		}
		timers = timers || slices.ContainsFunc(sys.Agents[i].Actions(), func(a model.NodeAction) bool { return a.Kind == model.Timer })
	}
	for _, may := range []struct {
		be bool
		of model.Budget
	}{
		{len(sys.Wipe) > 0, model.Wipes}, {len(sys.Restart) > 0, model.Restarts}, {len(sys.Crash) > 0, model.Crashes}, {timers, model.Timeouts},
	} {
		if _, limited := sys.Budgets[may.of]; !limited && may.be && r.IntN(2) == 0 {
			limit(may.of)
		}
	}
}

// drawObserver draws one that counts, or one that follows a table; of all the
// agents, or of one.
func drawObserver(r *rand.Rand, agents int) model.Observer {
	var only []model.ID
	if r.IntN(3) == 0 {
		only = append(only, model.ID(1+r.IntN(agents)))
	}
	if r.IntN(2) == 0 {
		return model.Observe(r.IntN(3), func(n int, e model.Event) int { return (n + len(e.Sent) + int(e.Move.Kind)) % 3 }, only...)
	}
	var table [3][8]int
	for i := range table {
		for j := range table[i] {
			table[i][j] = r.IntN(3)
		}
	}
	return model.Observe(0, func(n int, e model.Event) int {
		before, begun := e.Before.(mood)
		if !begun {
			return table[n][int(e.Agent)%8]
		}
		return table[n][(before.at+3*e.After.(mood).at+int(e.Agent))%8]
	}, only...)
}

// drawFact draws what may be said of a state: of a robot, mostly, and at times
// of what else a property can read.
func drawFact(r *rand.Rand, sys *model.System) func(v model.View) bool {
	id, other := model.ID(1+r.IntN(len(sys.Agents))), model.ID(1+r.IntN(len(sys.Agents)))
	x, y := r.IntN(4), r.IntN(3)
	is := func(v model.View) bool { return model.StateOf[mood](v, id).at == x }
	switch r.IntN(9) {
	case 0:
		return func(v model.View) bool { return is(v) && !v.Crashed(other) }
	case 1:
		return func(v model.View) bool { return v.Crashed(id) && model.StateOf[mood](v, other).at != x }
	case 2:
		return func(v model.View) bool { return len(v.InFlight()) > y && is(v) }
	case 3, 8:
		return func(v model.View) bool {
			return slices.ContainsFunc(model.InFlightOf[speech](v), func(m model.Message[speech]) bool {
				kind, _ := m.Body.said()
				return m.To == id && kind == y
			})
		}
	case 4, 5:
		if sys.Observer != nil {
			return func(v model.View) bool { return model.ObserverOf[int](v) == y && (x > 1 || is(v)) }
		}
	}
	return is
}

// drawFeature draws a property of any kind.
func drawFeature(r *rand.Rand, number int, sys *model.System) model.Property {
	is, was := drawFact(r, sys), drawFact(r, sys)
	both := func(v model.View) bool { return is(v) && was(v) }
	name := fmt.Sprintf("feature %d", number)
	when := func(so bool) error {
		if so {
			return errors.New("it is so")
		}
		return nil
	}
	p := model.LeadsTo(name, was, is)
	switch r.IntN(8) {
	case 0, 1:
		p = model.EveryStep(name, func(before, after model.View) error { return when(was(before) && is(after)) })
	case 2:
		p = model.AtEnd(name, func(v model.View) error { return when(is(v)) })
	case 3:
		p = model.Eventually(name, is)
	case 4:
		p = model.Sometimes(name, both)
	case 5:
		p = model.Always(name, func(v model.View) error { return when(both(v)) })
	}
	if r.IntN(3) == 0 {
		p = p.When(drawFact(r, sys))
	}
	return p
}

// reduced is a system on a bag less the properties for which the reduction
// "ignored" is refused.
func reduced(s model.System) model.System {
	s.Properties = slices.DeleteFunc(slices.Clone(s.Properties), func(p model.Property) bool {
		return p.Kind.Liveness() || p.Kind == model.KindAtEnd
	})
	return s
}
