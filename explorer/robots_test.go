package explorer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/caulk-go/caulk/model"
)

// robot is an agent that follows tables drawn at random.
type robot struct {
	receive [][]reaction // by state and kind of message
	own     [][]reaction // by action and state
	fresh   reaction
	begin   reaction
	budget  int                // of own actions that send
	haltsAt int                // the state in which it is halted; -1 for none
	quiet   bool               // Fresh sends nothing, and gives no budget
	hops    int                // of a message that its start sends
	endless bool               // its answers are single, and answered for ever
	kinds   []model.ActionKind // by action
	fair    []bool             // by action
}

// durable is a robot that keeps its state over a restart, but not what it may
// still send.
type durable struct{ *robot }

func (durable) Persist(s mood) mood { return mood{at: s.at / 2} }

func (durable) Restart(_ model.ID, _ []model.ID, _ int, kept mood) (mood, []model.Message[speech]) {
	return kept, nil
}

// counting is a robot that begins elsewhere in every incarnation.
type counting struct{ *robot }

func (counting) AsksIncarnation() {}

func (c counting) Fresh(self model.ID, population []model.ID, incarnation int) (mood, []model.Message[speech]) {
	s, sent := c.robot.Fresh(self, population, incarnation)
	s.at = (s.at + incarnation) % len(c.receive)
	return s, sent
}

// phoenix is a robot that keeps its state over a restart, begins elsewhere in
// every incarnation, and sends again.
type phoenix struct{ counting }

func (phoenix) Persist(s mood) mood { return mood{at: s.at} }

func (p phoenix) Restart(_ model.ID, _ []model.ID, incarnation int, kept mood) (mood, []model.Message[speech]) {
	return mood{at: (kept.at + incarnation) % len(p.receive)}, say(p.fresh.sends, 1)
}

// reaction is what a robot does. It is the zero reaction where an own action
// is disabled.
type reaction struct {
	enabled bool
	next    int
	sends   []word
}

type word struct {
	to   model.ID
	kind int
}

// mood is the state of a robot. So that a bag has an end, its own actions send
// as long as there is some budget left, which only its start gives it.
type mood struct {
	at   int
	left int
}

// speech is the body of a message. So that a bag has an end, a message is
// answered as long as there are some hops left; or for ever, by one message at
// most.
type speech interface{ said() (kind, hops int) }

type (
	even struct{ kind, hops int }
	odd  struct{ kind, hops int }
)

func (e even) said() (kind, hops int) { return e.kind, e.hops }
func (o odd) said() (kind, hops int)  { return o.kind, o.hops }
func (o odd) Detail() string          { return fmt.Sprintf("h=%d", o.hops) }

// spelt is the body of a message as paths show it.
func spelt(body any) string {
	if e, ok := body.(even); ok {
		return fmt.Sprintf("even{kind: %d, hops: %d}", e.kind, e.hops)
	}
	o := body.(odd)
	return fmt.Sprintf("odd{kind: %d, hops: %d}", o.kind, o.hops)
}

func say(words []word, hops int) []model.Message[speech] {
	var sent []model.Message[speech]
	for _, w := range words {
		var body speech = even{w.kind, hops}
		if w.kind%2 == 1 {
			body = odd{w.kind, hops}
		}
		sent = append(sent, model.Message[speech]{To: w.to, Body: body})
	}
	return sent
}

func (r *robot) Fresh(model.ID, []model.ID, int) (mood, []model.Message[speech]) {
	if r.quiet {
		return mood{at: r.fresh.next}, nil
	}
	return mood{r.fresh.next, r.budget}, say(r.fresh.sends, r.hops-1)
}

func (r *robot) Start(s mood, _ string) (mood, []model.Message[speech]) {
	return mood{r.begin.next, r.budget}, say(r.begin.sends, r.hops)
}

func (r *robot) Receive(s mood, m model.Message[speech]) (mood, []model.Message[speech]) {
	kind, hops := m.Body.said()
	does := r.receive[s.at][kind%len(r.receive[s.at])]
	s.at = does.next
	switch {
	case r.endless:
		return s, say(does.sends[:min(1, len(does.sends))], hops)
	case hops == 0:
		return s, nil
	}
	return s, say(does.sends, hops-1)
}

func (r *robot) Actions() []model.Action[mood, speech] {
	var actions []model.Action[mood, speech]
	for i, table := range r.own {
		actions = append(actions, model.Action[mood, speech]{
			Name: fmt.Sprintf("act%d", i),
			Kind: r.kinds[i],
			Fair: r.fair[i],
			Do: func(s mood) (mood, []model.Message[speech], bool) {
				does := table[s.at]
				s.at = does.next
				if len(does.sends) == 0 {
					return s, nil, does.enabled
				}
				s.left--
				return s, say(does.sends, 1), does.enabled && s.left >= 0
			},
		})
	}
	return actions
}

func (r *robot) Halted(s mood) bool { return s.at == r.haltsAt }

// Label tells some states apart and others not.
func (r *robot) Label(s mood) string { return string(rune('A' + s.at/2)) }

// draw draws a system: one to three robots with one to four states, up to four
// kinds of messages, on a bag or a set, with starts, wipes and properties.
func draw(seed uint64) model.System {
	r := rand.New(rand.NewPCG(seed, 0))
	agents, states, kinds := 1+r.IntN(3), 1+r.IntN(4), 1+r.IntN(4)
	sys := model.System{Name: "robots", Network: model.Network(r.IntN(2)), Starts: map[model.ID]string{}}
	for id := model.ID(1); int(id) <= agents; id++ {
		wiped := r.IntN(3) == 0
		if wiped {
			sys.Wipe = append(sys.Wipe, id)
		}
		if r.IntN(3) > 0 {
			sys.Starts[id] = "x"
		}
		robot := drawRobot(r, agents, states, kinds)
		robot.quiet = wiped && sys.Network == model.Bag || r.IntN(2) == 0
		sys.Agents = append(sys.Agents, model.Of(robot))
	}
	for i := range r.IntN(4) {
		sys.Properties = append(sys.Properties, drawProperty(r, i, agents, states))
	}
	return sys
}

// drawLong draws a system of which many messages become known, while few are
// in flight: only agent 1 is started, and what is answered is answered by one
// message.
func drawLong(seed uint64) model.System {
	r := rand.New(rand.NewPCG(seed, 1))
	agents, states, kinds := 1+r.IntN(3), 1+r.IntN(4), 1+r.IntN(4)
	sys := model.System{Name: "long", Starts: map[model.ID]string{1: "x"}}
	if r.IntN(3) == 0 {
		sys.Wipe = []model.ID{model.ID(1 + r.IntN(agents))}
	}
	for range agents {
		robot := drawRobot(r, agents, states, kinds)
		robot.own, robot.quiet, robot.hops = nil, true, 40+r.IntN(80)
		for _, row := range robot.receive {
			for kind := range row {
				row[kind].sends = []word{{model.ID(1 + r.IntN(agents)), r.IntN(kinds)}}
			}
		}
		robot.begin.sends = robot.receive[0][0].sends
		sys.Agents = append(sys.Agents, model.Of(robot))
	}
	sys.Properties = append(sys.Properties, drawProperty(r, 0, agents, states))
	return sys
}

func drawRobot(r *rand.Rand, agents, states, kinds int) *robot {
	react := func() reaction {
		does := reaction{enabled: r.IntN(3) > 0, next: r.IntN(states)}
		for range max(0, r.IntN(4)-1) {
			w := word{model.ID(1 + r.IntN(agents)), r.IntN(kinds)}
			does.sends = append(does.sends, w)
			for r.IntN(6) == 0 {
				does.sends = append(does.sends, w)
			}
		}
		return does
	}
	bot := &robot{fresh: react(), begin: react(), budget: r.IntN(3), hops: 2, haltsAt: r.IntN(4*states) - 3*states}
	for range states {
		var row []reaction
		for range kinds {
			row = append(row, react())
		}
		bot.receive = append(bot.receive, row)
	}
	for range r.IntN(3) {
		var row []reaction
		for range states {
			row = append(row, react())
		}
		bot.own = append(bot.own, row)
		bot.kinds, bot.fair = append(bot.kinds, model.ActionKind(r.IntN(3))), append(bot.fair, r.IntN(2) == 0)
	}
	return bot
}

// drawProperty draws a property of two robots, which may be one: where the
// first is in a state, and only there, it looks at the second.
func drawProperty(r *rand.Rand, number, agents, states int) model.Property {
	one, other := model.ID(1+r.IntN(agents)), model.ID(1+r.IntN(agents))
	x, y, z := r.IntN(states), r.IntN(states), r.IntN(states)
	both := func(v model.View) bool {
		return model.StateOf[mood](v, one).at == x && model.StateOf[mood](v, other).at == y
	}
	p := model.Sometimes(fmt.Sprintf("property %d", number), both)
	if r.IntN(2) == 0 {
		p = model.Always(p.Name, func(v model.View) error {
			if both(v) {
				return errors.New("both are there")
			}
			return nil
		})
	}
	if r.IntN(2) == 0 {
		p = p.When(func(v model.View) bool { return model.StateOf[mood](v, other).at != z })
	}
	return p
}
