package synod

import (
	"cmp"

	"github.com/caulk-go/caulk/model"
)

// Mark4 answers the question with which the article ends.
func Mark4() model.Algorithm {
	a := entry("mark4", "two agents or more start at once: rounds of one's own, real majorities, no agent halts", mark4Doc)
	a.Twins = []string{"mark4-forgets", "mark4-belowpromise"}
	a.Make = mark4{}.system
	return a
}

const mark4Doc = `What if two agents start at the same time? Mark3 halts at the first move, and
when an agent is wiped two values are stored in one round. What its diagram
showed is caulked:

    two agents request the same round:  each has rounds of its own
    a promise after another proposer's: it reports what was accepted, and that
                                        is proposed, in place of one's own wish
    a round that is outdated:           the answer says so, and the proposer
                                        begins another, --param retries=1 times
    an answer too many, or too late:    a majority is enough; the rest is
                                        ignored

An agent is an acceptor, a proposer and a learner in one, and its own first
acceptor. Rounds are dealt out in turn: of three agents the first has 1, 4, 7.
No agent ever halts.

Agreement holds for any number of agents that start: --start 1=x --start 2=y.
It rests on what acceptors remember: when one is wiped it fails, as it must,
with --start 1=x --start 2=y --wipe 3 --max-wipes 1, after nine moves. Models
with proposers apart from acceptors take 13: here a proposer is its own first
acceptor, and no message passes between the two.

Labels: I idle, R requesting, L leading, P promised, A accepted, then the round;
D decided, then the value.`

// Mark4Forgets is mark4 with promises as mark3's diagram suggests them.
func Mark4Forgets() model.Algorithm {
	a := entry("mark4-forgets", "mark4 whose promises do not report what was accepted", mark4ForgetsDoc)
	a.Twins = []string{"mark4"}
	a.Hole = "a promise does not report what was accepted: a later round decides another value"
	a.Starts = twoStart()
	a.Make = mark4{forgets: true}.system
	return a
}

const mark4ForgetsDoc = `Mark4 whose acceptors promise a later round without a word about the proposal
that they have accepted. The proposer of that round then proposes its own wish.

With one proposer it holds: --start 1=x. There is but one value.`

// Mark4BelowPromise is mark4 whose acceptors do not keep their promise.
func Mark4BelowPromise() model.Algorithm {
	a := entry("mark4-belowpromise", "mark4 whose acceptors accept in a round below the one promised", mark4BelowPromiseDoc)
	a.Twins = []string{"mark4"}
	a.Hole = "an acceptor accepts in a round below its promise: two values are decided"
	a.Starts = twoStart()
	a.Make = mark4{belowPromise: true}.system
	return a
}

const mark4BelowPromiseDoc = `Mark4 whose acceptors accept whatever they are asked to.

An acceptor that has promised the second round, when nothing was accepted yet,
still accepts in the first, and then in the second. Eight moves; it takes 12 or
more where every acceptor is asked by a message (paxossynod-belowpromise).

With one proposer it holds: --start 1=x.`

// mark4 is the behaviour of an agent of the fourth mark, and what its broken
// twins get wrong: each hole is read in one place.
type mark4 struct {
	crowd
	retries int

	forgets      bool // mark4-forgets
	belowPromise bool // mark4-belowpromise
}

func (r mark4) Fresh(self model.ID, _ []model.ID, _ int) (Agent, []Message) {
	return Agent{Self: self, Retries: r.retries}, nil
}

// Start makes the agent propose a value. One that proposes already, or knows
// what is decided, stays as it is.
func (r mark4) Start(a Agent, value string) (Agent, []Message) {
	if a.Wish != "" || a.Decided != "" || value == "" {
		return a, nil
	}
	a.Wish = value
	return r.request(a, a.Promised)
}

// request begins the agent's first round after another (phase 1). It is its own
// first acceptor.
func (r mark4) request(a Agent, after int) (Agent, []Message) {
	a.Round = r.next(a.Self, max(after, a.Promised))
	a.Promised, a.Best, a.Value, a.Answers = a.Round, Proposal{}, "", model.IDSet{}
	if r.accepts(a.Self) {
		a.Best, a.Answers[a.Self] = a.Accepted, true
	}
	if r.majority(a.Answers) { // nobody else is there
		return r.lead(a)
	}
	return a, r.askAcceptors(a.Self, Prepare{a.Round})
}

func (r mark4) Receive(a Agent, m Message) (Agent, []Message) {
	switch b := m.Body.(type) {
	case Prepare:
		return r.promise(a, m.From, b)
	case Promise:
		return r.promised(a, m.From, b)
	case Accept:
		return r.accept(a, m.From, Proposal(b))
	case Accepted:
		return r.accepted(a, m.From, b)
	case Outdated:
		return r.retry(a, b)
	}
	return a, nil
}

// promise takes part in a round, unless it takes part in a later one.
func (r mark4) promise(a Agent, proposer model.ID, b Prepare) (Agent, []Message) {
	if b.N < a.Promised {
		return a, []Message{{To: proposer, Body: Outdated{b.N, a.Promised}}}
	}
	a = a.join(b.N)
	report := a.Accepted
	if r.forgets {
		report = Proposal{} // the hole: it keeps to itself what it has accepted
	}
	return a, []Message{{To: proposer, Body: Promise{b.N, report}}}
}

// promised counts a promise. With those of a majority the agent leads.
func (r mark4) promised(a Agent, from model.ID, b Promise) (Agent, []Message) {
	if b.N != a.Round || a.Value != "" {
		return a, nil
	}
	a.Best, a.Answers = later(a.Best, b.Accepted), a.Answers.With(from)
	if !r.majority(a.Answers) {
		return a, nil
	}
	return r.lead(a)
}

// lead proposes (phase 2): what was accepted in the latest round, if anything
// was, and else the agent's own wish.
func (r mark4) lead(a Agent) (Agent, []Message) {
	a.Value = cmp.Or(a.Best.Value, a.Wish)
	a.Best, a.Answers = Proposal{}, model.IDSet{}
	if r.accepts(a.Self) {
		a.Accepted, a.Answers[a.Self] = Proposal{a.Round, a.Value}, true
	}
	if r.majority(a.Answers) { // nobody else is there
		return a.decide(), nil
	}
	return a, r.askAcceptors(a.Self, Accept{a.Round, a.Value})
}

// accept accepts a proposal, unless the agent takes part in a later round. To
// accept in a round is to take part in it.
func (r mark4) accept(a Agent, proposer model.ID, p Proposal) (Agent, []Message) {
	if p.N < a.Promised && !r.belowPromise {
		return a, []Message{{To: proposer, Body: Outdated{p.N, a.Promised}}}
	}
	a = a.join(p.N)
	a.Accepted = p
	return a, []Message{{To: proposer, Body: Accepted{p.N}}}
}

// accepted counts who has accepted. What a majority has is decided.
func (r mark4) accepted(a Agent, from model.ID, b Accepted) (Agent, []Message) {
	if b.N != a.Round || a.Value == "" {
		return a, nil
	}
	a.Answers = a.Answers.With(from)
	if r.majority(a.Answers) {
		a = a.decide()
	}
	return a, nil
}

// decide notes that the agent's proposal is decided.
func (a Agent) decide() Agent {
	a.Decided = a.Value
	return a.abandon()
}

// retry abandons the round that is outdated, for one after the latest, as often
// as it may.
func (r mark4) retry(a Agent, b Outdated) (Agent, []Message) {
	switch {
	case b.N != a.Round:
		return a, nil
	case a.Retries == 0:
		return a.abandon(), nil
	}
	a.Retries--
	return r.request(a, b.Latest)
}

// join takes part in a round. If that is later than one that the agent leads, it
// leads no more: it is itself the first that would refuse.
func (a Agent) join(n int) Agent {
	if n > a.Promised {
		a = a.abandon()
		a.Promised = n
	}
	return a
}

// abandon ends the round that the agent leads, if it leads one.
func (a Agent) abandon() Agent {
	a.Round, a.Best, a.Value, a.Answers = 0, Proposal{}, "", nil
	return a
}

// Label is a letter for what the agent is doing, and its round: R1.
func (mark4) Label(a Agent) string { return a.label() }

// system makes a system of agents that have the holes.
func (r mark4) system(c model.Config) model.System {
	r.crowd, r.retries = crowd{acceptors: c.Agents}, c.Params["retries"]
	return system(model.Of(r), c.Agents, observe(func(a Agent) Agent { return a }))
}
