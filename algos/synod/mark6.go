package synod

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// Mark6 is mark4 with recovery in place of a disk.
func Mark6() model.Algorithm {
	return mark6Entry("mark6", "mark4 whose wiped agents recover from the others",
		mark6Doc, "", mark6{promises: true, votes: true}, "mark6-promises", "mark6-nonce")
}

const mark6Doc = `Mark5 falls to a wipe, because a wiped agent does not know what it has lost.
Here it knows: it is a new incarnation, and takes no part until it has
recovered. It asks all acceptors, and takes over the latest promise and the
latest proposal accepted from a majority that is not recovering.

That alone, with a nonce so that no earlier answer is taken for one to this
question, is what "Viewstamped Replication Revisited" (section 4.3) does, and it
loses what is still in flight from the incarnation before: see mark6-nonce.
Therefore every message carries the incarnations that its sender knows of, and
an answer, a promise or a vote counts only as long as nobody is known to have
been wiped since he gave it. (Michael et al., "Recovering Shared Objects Without
Stable Storage", DISC 2017.)

It claims agreement as long as at most a minority is unrecovered at one time;
beyond that, and if an answer is lost, it loses progress: agents wait for ever.
A wiped agent accepts, and proposes no more, for it does not know which rounds
it had begun.

Each wipe is part of the state, so that wipes need a budget: --start 1=x
--start 2=y --wipe 3 --max-wipes 1. With --param proposers=2 agents 4 and 5
propose, x and y, and the others only accept.

Labels: as in mark4; ? recovering; and a ' for each wipe.`

// Mark6Promises checks too little.
func Mark6Promises() model.Algorithm {
	return mark6Entry("mark6-promises", "mark6 that checks promises for wipes, but not votes", mark6PromisesDoc,
		"a vote counts that was given before its acceptor was wiped: two values are decided",
		mark6{promises: true}, "mark6")
}

const mark6PromisesDoc = `Mark6 that does not count a promise if its acceptor was wiped since, but counts
a vote. An acceptor accepts, is wiped and recovers without hearing of it; then
it takes part in a later round, whose proposer hears of nothing, and last the
vote arrives.

It takes proposers that are not acceptors, and a wipe: --param proposers=2
--wipe 1 --max-wipes 1. Three agents that do both hide the hole: a proposer is
one of the two that a wiped agent recovers from.`

// Mark6Nonce checks nothing.
func Mark6Nonce() model.Algorithm {
	return mark6Entry("mark6-nonce", "mark6 that recovers by nonce alone, as in Viewstamped Replication Revisited", mark6NonceDoc,
		"a promise or a vote counts that was given before its acceptor was wiped: two values are decided",
		mark6{}, "mark6")
}

const mark6NonceDoc = `Mark6 whose messages do not say which incarnations their senders know of. A
promise of an acceptor's former incarnation is still in flight when the acceptor
is wiped and recovers, without hearing of it. Elsewhere this is told in 23
moves; here agents 4 and 5 are started, which are no moves.

It takes proposers that are not acceptors, and a wipe: --param proposers=2
--wipe 1 --max-wipes 1. Three agents that do both hide the hole: a proposer is
one of the two that a wiped agent recovers from.

"Viewstamped Replication Revisited" (2012), section 4.3; the hole is from
Michael et al., DISC 2017.`

func mark6Entry(name, summary, doc, hole string, r mark6, twins ...string) model.Algorithm {
	a := entry(name, summary, doc)
	a.Source = parliament + "; Michael et al., DISC 2017"
	a.Hole, a.Twins = hole, twins
	a.Agents, a.MinAgents = 0, 0
	a.Params = []model.Param{
		{Name: "acceptors", Doc: "agents that accept", Default: 3, Min: 1, Max: 9},
		{Name: "proposers", Doc: "0: acceptors propose; else so many others do, each a value of its own", Default: 0, Min: 0, Max: 9},
		{Name: "retries", Doc: retriesDoc, Default: 0, Min: 0, Max: 99},
	}
	a.Make = r.system
	return a
}

// Member is what an agent of mark6 knows.
type Member struct {
	Agent
	Known      Incarnations // of all, its own included
	Recovering bool
	Reports    map[model.ID]Recovered // while it is recovering: who has answered
}

// Incarnations are how often agents were wiped; one that is missing never was.
type Incarnations map[model.ID]int

// Stamped is a message of mark6: with the incarnations that its sender knows.
type Stamped struct {
	Known Incarnations
	Body  Body
}

// Kind is that of the message that is stamped.
func (m Stamped) Kind() string { return strings.TrimPrefix(fmt.Sprintf("%T", m.Body), "synod.") }

// Detail is that of the message that is stamped.
func (m Stamped) Detail() string { return m.Body.Detail() }

type (
	// Recover asks what an acceptor promised and accepted; the nonce is the
	// incarnation of the agent that asks.
	Recover struct{ Nonce int }

	// Recovered is the answer.
	Recovered struct {
		Nonce, Promised int
		Accepted        Proposal
	}
)

// Detail is the latest round that is known: none.
func (m Recover) Detail() string { return "" }

// Detail is the round, as in n=1.
func (m Recovered) Detail() string { return round(m.Promised) }

// mark6 is mark4 with recovery, and which answers it checks for wipes.
type mark6 struct {
	mark4
	promises, votes bool
}

// AsksIncarnation says that Fresh is told how often the agent was wiped.
func (mark6) AsksIncarnation() {}

// Fresh begins to recover if the agent was wiped, and accepts.
func (r mark6) Fresh(self model.ID, population []model.ID, incarnation int) (Member, []model.Message[Stamped]) {
	a, _ := r.mark4.Fresh(self, population, incarnation)
	s := Member{Agent: a, Known: Incarnations{}, Reports: map[model.ID]Recovered{}}
	if incarnation == 0 {
		return s, nil
	}
	s.Known[self] = incarnation
	if !r.accepts(self) {
		return s, nil
	}
	s.Recovering = true
	return s, r.stamp(s, r.askAcceptors(self, Recover{incarnation}))
}

// Start makes an agent that was never wiped propose a value.
func (r mark6) Start(s Member, value string) (Member, []model.Message[Stamped]) {
	if s.Known[s.Self] > 0 {
		return s, nil
	}
	var sent []Message
	s.Agent, sent = r.mark4.Start(s.Agent, value)
	return s, r.stamp(s, sent)
}

func (r mark6) Receive(s Member, m model.Message[Stamped]) (Member, []model.Message[Stamped]) {
	s = r.hear(s, m.Body.Known)
	if m.Body.Known[m.From] < s.Known[m.From] && r.checks(m.Body.Body) {
		return s, nil // he was wiped since
	}
	switch b := m.Body.Body.(type) {
	case Recovered:
		return r.recovered(s, m.From, b), nil
	case Recover:
		if s.Recovering {
			return s, nil
		}
		return s, r.stamp(s, []Message{{To: m.From, Body: Recovered{b.Nonce, s.Promised, s.Accepted}}})
	}
	if s.Recovering {
		return s, nil
	}
	var sent []Message
	s.Agent, sent = r.mark4.Receive(s.Agent, Message{From: m.From, To: m.To, Body: m.Body.Body})
	return s, r.stamp(s, sent)
}

// checks says whether a message counts only if its sender was not wiped since.
func (r mark6) checks(b Body) bool {
	switch b.(type) {
	case Promise, Recovered:
		return r.promises
	case Accepted:
		return r.votes
	}
	return false
}

// hear takes over what another knows of incarnations. Answers of those that
// turn out to have been wiped since count no more.
func (r mark6) hear(s Member, known Incarnations) Member {
	counted := r.promises
	if s.Value != "" { // the answers are votes
		counted = r.votes
	}
	s.Known, s.Answers, s.Reports = maps.Clone(s.Known), maps.Clone(s.Answers), maps.Clone(s.Reports)
	for _, id := range slices.Sorted(maps.Keys(known)) {
		if known[id] <= s.Known[id] {
			continue
		}
		s.Known[id] = known[id]
		delete(s.Reports, id)
		if counted {
			delete(s.Answers, id)
		}
	}
	return s
}

// recovered counts an answer. With those of a majority the agent takes part
// again, as the latest of them did.
func (r mark6) recovered(s Member, from model.ID, b Recovered) Member {
	if !s.Recovering || b.Nonce != s.Known[s.Self] {
		return s
	}
	s.Reports[from] = b
	if len(s.Reports) <= r.acceptors/2 {
		return s
	}
	for _, id := range slices.Sorted(maps.Keys(s.Reports)) {
		s.Promised = max(s.Promised, s.Reports[id].Promised)
		s.Accepted = later(s.Accepted, s.Reports[id].Accepted)
	}
	s.Recovering, s.Reports = false, nil
	return s
}

// stamp adds to messages which incarnations the agent knows.
func (r mark6) stamp(s Member, sent []Message) []model.Message[Stamped] {
	known := s.Known
	if !r.promises && !r.votes {
		known = nil
	}
	var stamped []model.Message[Stamped]
	for _, m := range sent {
		stamped = append(stamped, model.Message[Stamped]{To: m.To, Body: Stamped{known, m.Body}})
	}
	return stamped
}

// Label is that of mark4, or ? for one that is recovering, and a ' for each time
// that it was wiped.
func (mark6) Label(s Member) string {
	label := s.label()
	if s.Recovering {
		label = "?"
	}
	return label + strings.Repeat("'", s.Known[s.Self])
}

func (r mark6) system(c model.Config) model.System {
	r.crowd, r.retries = crowd{c.Params["acceptors"], c.Params["proposers"]}, c.Params["retries"]
	s := system(model.Of(r), r.acceptors+r.proposers, observe(func(s Member) Agent { return s.Agent }))
	if r.proposers > 0 {
		s.Starts = map[model.ID]string{}
		for i := range r.proposers {
			s.Starts[model.ID(r.acceptors+i+1)] = value(i)
		}
	}
	s.Bodies = []any{Stamped{Body: Recover{}}, Stamped{Body: Recovered{}}}
	for _, b := range bodies() {
		s.Bodies = append(s.Bodies, Stamped{Body: b.(Body)})
	}
	return s
}

// value is that of a proposer: x, y, z, then v3 and so on.
func value(i int) string {
	if i < 3 {
		return string("xyz"[i])
	}
	return fmt.Sprintf("v%d", i)
}
