package stepper

import (
	"cmp"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// State is a system state: what every agent is in and what is in flight. It is
// a value that never changes, and belongs to the Stepper that gave it. The
// zero State is none.
type State struct {
	locals  []string        // canonical bytes of model.Locals; the agent at index i has ID i+1
	network []call.Envelope // in the order of compareEnvelopes; on a bag as often as there are copies
}

// IsZero says whether it is no state at all.
func (st State) IsZero() bool { return len(st.locals) == 0 }

// Equal says whether two states of one Stepper are the same, exactly.
func (st State) Equal(other State) bool {
	return slices.Equal(st.locals, other.locals) && slices.Equal(st.network, other.network)
}

// Local is what an agent is in, as canonical bytes: two agents of one type are
// in the same state if and only if theirs are equal.
func (st State) Local(id model.ID) string { return st.locals[id-1] }

// Envelopes are the messages in flight, by receiver, sender and bytes, copies
// side by side. The slice is the caller's.
func (st State) Envelopes() []call.Envelope { return slices.Clone(st.network) }

// Local is what an agent is in: a private copy.
func (s *Stepper) Local(st State, id model.ID) model.Local {
	return s.call.Local(id, st.Local(id))
}

// Network lists the messages in flight by receiver, sender and the body as
// canonical.Format renders it; on a bag as often as there are copies. The
// bodies are private copies.
func (s *Stepper) Network(st State) []model.Message[any] {
	texts := make(map[call.Envelope]string, len(st.network))
	for _, e := range st.network {
		texts[e] = canonical.Format(s.call.Body(e.Body))
	}
	network := st.Envelopes()
	slices.SortFunc(network, func(a, b call.Envelope) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From), strings.Compare(texts[a], texts[b]), strings.Compare(a.Body, b.Body))
	})
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
	slices.SortFunc(all, compareEnvelopes)
	if s.sys.Network == model.Set {
		all = slices.Compact(all)
	}
	return all
}

// take is the network after the delivery of a message that is on it.
func (s *Stepper) take(network []call.Envelope, m call.Envelope) []call.Envelope {
	if s.sys.Network == model.Set {
		return network
	}
	at, _ := slices.BinarySearchFunc(network, m, compareEnvelopes)
	return slices.Concat(network[:at], network[at+1:])
}

func compareEnvelopes(a, b call.Envelope) int {
	return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From), strings.Compare(a.Body, b.Body))
}
