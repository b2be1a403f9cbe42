package runner

import (
	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
)

// Status is what a node tells of itself. All of it is durable. Its JSON names are a
// contract: add, never rename.
type Status struct {
	Algo        string       `json:"algo"`
	Agent       model.ID     `json:"agent"`
	Incarnation int          `json:"incarnation"`
	Steps       int          `json:"steps"` // of this incarnation
	Label       string       `json:"label"` // of the state; empty for an agent without labels
	State       string       `json:"state"` // in full, for people
	Commits     int          `json:"commits"`
	Dropped     int          `json:"dropped"` // messages that waited for the agent too long
	Injected    Injected     `json:"injected"`
	Peers       []PeerStatus `json:"peers"`
}

// PeerStatus is what a node tells of its way to another.
type PeerStatus struct {
	Agent     model.ID `json:"agent"`
	Connected bool     `json:"connected"`
	Waiting   int      `json:"waiting"` // messages
	Dropped   int      `json:"dropped"` // messages that waited too long
}

// status is asked for by the loop.
func (n *Node) status() *Status {
	s := &Status{
		Algo: n.c.System.Name, Agent: n.c.Self, Incarnation: n.incarnation, Steps: n.agent.Seq,
		State: n.machine.FormatState(n.c.Self, n.agent.state), Commits: n.commits,
		Dropped: n.inbox.lost(), Injected: n.injected(), Peers: []PeerStatus{},
	}
	if state, err := n.machine.State(n.c.Self, n.agent.state); err == nil {
		if call.Guard(call.Site{Agent: n.c.Self, What: "Label"}, machine.Limit, func() { s.Label, _ = n.node.Label(state) }) != nil {
			s.Label = ""
		}
	}
	for _, id := range n.c.System.Population() {
		if l := n.peers[id]; l != nil {
			l.mu.Lock()
			s.Peers = append(s.Peers, PeerStatus{id, l.connected, len(l.waiting), l.dropped})
			l.mu.Unlock()
		}
	}
	return s
}

// injected counts the faults of all links.
func (n *Node) injected() Injected {
	var all Injected
	for _, l := range n.peers { //tidy:unordered a sum
		one := l.fate.count()
		all.Dropped += one.Dropped
		all.Duplicated += one.Duplicated
		all.Delayed += one.Delayed
		all.Partitioned += one.Partitioned
	}
	return all
}
