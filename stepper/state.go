package stepper

import (
	"cmp"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// State is a system state: what every agent is in, what is in flight, what is
// left of each limited budget, and what the observer remembers. It is a value
// that never changes, and belongs to the Stepper that gave it. The zero State is
// none.
type State struct {
	locals  []string        // canonical bytes of model.Locals; the agent at index i has ID i+1
	network []call.Envelope // in the order of compareEnvelopes; on a bag as often as there are copies; on fifo each queue in order
	left    []int           // of each budget that the system limits, in order of model.AllBudgets
	memory  string          // canonical bytes of the observer's state; empty if there is none
}

// IsZero says whether it is no state at all.
func (st State) IsZero() bool { return len(st.locals) == 0 }

// Equal says whether two states of one Stepper are the same, exactly.
func (st State) Equal(other State) bool {
	return slices.Equal(st.locals, other.locals) && slices.Equal(st.network, other.network) &&
		slices.Equal(st.left, other.left) && st.memory == other.memory
}

// Local is what an agent is in, as canonical bytes: two agents of one type are
// in the same state if and only if theirs are equal.
func (st State) Local(id model.ID) string { return st.locals[id-1] }

// Envelopes are the messages in flight, by receiver, sender and, except on
// fifo, bytes, copies side by side. The slice is the caller's.
func (st State) Envelopes() []call.Envelope { return slices.Clone(st.network) }

// Local is what an agent is in: a private copy.
func (s *Stepper) Local(st State, id model.ID) model.Local {
	return s.call.Local(id, st.Local(id))
}

// Network lists the messages in flight by receiver, sender and the body as
// canonical.Format renders it; on a bag as often as there are copies; on fifo
// the next of each queue first. The bodies are private copies.
func (s *Stepper) Network(st State) []model.Message[any] {
	texts := make(map[call.Envelope]string, len(st.network))
	for _, e := range st.network {
		texts[e] = canonical.Format(s.call.Body(e.Body))
	}
	network := st.Envelopes()
	if s.sys.Network != model.Fifo {
		slices.SortFunc(network, func(a, b call.Envelope) int {
			return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From), strings.Compare(texts[a], texts[b]), strings.Compare(a.Body, b.Body))
		})
	}
	messages := make([]model.Message[any], len(network))
	for i, e := range network {
		messages[i] = model.Message[any]{From: e.From, To: e.To, Body: s.call.Body(e.Body)}
	}
	return messages
}

// send is the network with more messages on it. It leaves the one that it is
// given as it is, as take does.
func (s *Stepper) send(network, sent []call.Envelope) []call.Envelope {
	all := slices.Concat(network, sent)
	if s.sys.Network == model.Fifo {
		slices.SortStableFunc(all, compareEnds)
		return all
	}
	slices.SortFunc(all, compareEnvelopes)
	if s.sys.Network == model.Set {
		all = slices.Compact(all)
	}
	return all
}

// take is the network without one copy of a message that is on it: on fifo the
// first of its queue.
func (s *Stepper) take(network []call.Envelope, m call.Envelope) []call.Envelope {
	at := slices.Index(network, m)
	return slices.Concat(network[:at], network[at+1:])
}

// subjects are the messages that a move can be about, each once: on fifo the
// first of each queue.
func (s *Stepper) subjects(st State) []call.Envelope {
	if s.sys.Network == model.Fifo {
		return slices.CompactFunc(st.Envelopes(), func(a, b call.Envelope) bool { return compareEnds(a, b) == 0 })
	}
	return slices.Compact(st.Envelopes())
}

// Left is what is left of a budget; ok is false if the system does not limit
// it.
func (s *Stepper) Left(st State, b model.Budget) (left int, ok bool) {
	i := slices.Index(s.budgets, b)
	if i < 0 {
		return 0, false
	}
	return st.left[i], true
}

// Memory is what the observer remembers: a private copy; nil if there is no
// observer.
func (s *Stepper) Memory(st State) any {
	if st.memory == "" {
		return nil
	}
	return s.call.Memory(st.memory)
}

func compareEnvelopes(a, b call.Envelope) int {
	return cmp.Or(compareEnds(a, b), strings.Compare(a.Body, b.Body))
}

// compareEnds orders queues.
func compareEnds(a, b call.Envelope) int {
	return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From))
}
