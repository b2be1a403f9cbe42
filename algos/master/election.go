package master

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

const docElection = `Who becomes the master, and when? A node whose timer runs out is a candidate: it
votes for itself and asks the others. Who has voted refuses. A candidate with a
majority is the master; one that was refused, and has all answers, gives back
the votes that it got.

In master-duel every node may be a candidate at any time. Then all may vote for
themselves, refuse each other, give up and begin again, for ever: a run on which
every message is delivered and every timer runs out, and there is no master.
However timers are drawn, such a run exists; chance makes it unlikely, no more.

In master-oracle there is one more agent, the last, which names a leader, and
may change its mind; only the leader is a candidate. Once the oracle has settled
there will be a master: that is as much as can be had (Chandra, Hadzilacos and
Toueg, "The weakest failure detector for solving consensus", JACM 43, 1996).

Labels: M for the master, c for a candidate, v for one who gave its vote.`

// Voter is the state of a node that takes part in campaigns.
type Voter struct {
	Self    model.ID
	Others  []model.ID
	Leader  Trust
	Voted   bool // and is waiting to hear
	Asks    bool
	Votes   []model.ID // that it got from others
	Answers int
	Master  bool
}

// Trust is what the oracle says: its N-th word is who should lead. Where there is no
// oracle, it is nobody.
type Trust struct {
	N      int
	Leader model.ID
}

// Ballot is what a message of a campaign says: Ask, Grant, Refuse, Release, or
// the oracle's Trust.
type Ballot struct {
	Type string
	Trust
}

// Kind is its type.
func (b Ballot) Kind() string { return b.Type }

// Detail is who is trusted.
func (b Ballot) Detail() string {
	if b.Type != "Trust" {
		return ""
	}
	return fmt.Sprint(b.Leader)
}

// Paper is such a message.
type Paper = model.Message[Ballot]

// campaigner is a node; with an oracle it is no candidate unless it is named.
type campaigner struct {
	nodes  int
	oracle bool
}

func (c campaigner) Fresh(self model.ID, _ []model.ID, _ int) (Voter, []Paper) {
	v := Voter{Self: self}
	for id := model.ID(1); int(id) <= c.nodes; id++ {
		if id != self {
			v.Others = append(v.Others, id)
		}
	}
	return v, nil
}

// Actions: a timer runs out, and the node is a candidate.
func (c campaigner) Actions() []model.Action[Voter, Ballot] {
	return []model.Action[Voter, Ballot]{{Name: "campaign", Kind: model.Timer, Fair: true, Do: func(v Voter) (Voter, []Paper, bool) {
		if v.Voted || v.Master || c.oracle && v.Leader.Leader != v.Self {
			return v, nil, false
		}
		v.Voted, v.Asks = true, true
		return v, v.tell(v.Others, "Ask"), true
	}}}
}

func (c campaigner) Receive(v Voter, m Paper) (Voter, []Paper) {
	switch m.Body.Type {
	case "Trust":
		if m.Body.N > v.Leader.N {
			v.Leader = m.Body.Trust
		}
	case "Ask":
		if v.Voted || v.Master {
			return v, v.tell([]model.ID{m.From}, "Refuse")
		}
		v.Voted = true
		return v, v.tell([]model.ID{m.From}, "Grant")
	case "Release":
		v.Voted = false
	case "Grant", "Refuse":
		v.Answers++
		if m.Body.Type == "Grant" {
			v.Votes = append(v.Votes, m.From)
			slices.Sort(v.Votes)
		}
		return v.count()
	}
	return v, nil
}

// count ends a campaign: by a majority, or when all have answered.
func (v Voter) count() (Voter, []Paper) {
	if v.Asks && len(v.Votes)+1 > (len(v.Others)+1)/2 {
		v.Asks, v.Master = false, true
	}
	if v.Answers < len(v.Others) {
		return v, nil
	}
	v.Answers = 0
	if v.Master {
		v.Votes = nil
		return v, nil
	}
	sent := v.tell(v.Votes, "Release")
	v.Voted, v.Asks, v.Votes = false, false, nil
	return v, sent
}

func (v Voter) tell(to []model.ID, what string) []Paper {
	var sent []Paper
	for _, id := range to {
		sent = append(sent, Paper{To: id, Body: Ballot{Type: what}})
	}
	return sent
}

// Label is what the node is.
func (campaigner) Label(v Voter) string {
	switch {
	case v.Master:
		return "M"
	case v.Asks:
		return "c"
	case v.Voted:
		return "v"
	}
	return "-"
}

// oracle names a leader, and may change its mind.
type oracle struct{ nodes, changes int }

func (o oracle) Fresh(model.ID, []model.ID, int) (Trust, []Paper) {
	t := Trust{1, 1}
	return t, o.tell(t)
}

func (o oracle) Receive(t Trust, _ Paper) (Trust, []Paper) { return t, nil }

func (o oracle) Actions() []model.Action[Trust, Ballot] {
	return []model.Action[Trust, Ballot]{{Name: "change", Kind: model.Input, Do: func(t Trust) (Trust, []Paper, bool) {
		next := Trust{t.N + 1, model.ID(int(t.Leader)%o.nodes + 1)}
		return next, o.tell(next), t.N <= o.changes
	}}}
}

func (o oracle) tell(t Trust) []Paper {
	var sent []Paper
	for id := 1; id <= o.nodes; id++ {
		sent = append(sent, Paper{To: model.ID(id), Body: Ballot{"Trust", t}})
	}
	return sent
}

// Label is the leader.
func (oracle) Label(t Trust) string { return fmt.Sprintf(" %d", t.Leader) }

// oneElected is that no two were elected.
func oneElected() model.Property {
	p := model.Always("one master", func(v model.View) error {
		var first model.ID
		for id, n := range model.StatesOf[Voter](v) {
			if n.Master && first != 0 {
				return fmt.Errorf("agents %d and %d are both masters", first, id)
			}
			if n.Master {
				first = id
			}
		}
		return nil
	})
	p.Doc = "no two nodes are masters"
	return p
}

func elected(v model.View) bool {
	for _, n := range model.StatesOf[Voter](v) {
		if n.Master {
			return true
		}
	}
	return false
}
