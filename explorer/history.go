package explorer

import (
	"crypto/sha256"
	"encoding/binary"
)

// history is what the handlers were asked, in order, and a digest of what they
// answered. A later process that asks the same again gives everything the same
// numbers, so that a checkpoint holds no value of the user's; and it notices
// when the answers are others.
type history struct {
	start     mark // when every agent has begun
	questions []question
	digest    digest // of all answers
	scratch   []byte
}

// question is one that was put to an agent in a state.
type question struct {
	agent   int
	state   uint32
	msg     int // what it makes of this message; -1: what it does by itself
	answers mark
}

// digest is chained: it covers an answer and all those before it.
type digest [sha256.Size]byte

// mark is the beginning of a digest: enough to find the first answer that is
// another.
type mark [8]byte

// begun is called when every agent has begun.
func (h *history) begun() {
	if h != nil {
		h.start = mark(h.digest[:])
	}
}

// add takes in a question that was just answered. A nil history remembers
// nothing.
func (h *history) add(t *tables, a int, state uint32, msg int, answers []transition) {
	if h == nil {
		return
	}
	h.take(t, a, answers)
	h.questions = append(h.questions, question{a, state, msg, mark(h.digest[:])})
}

// take takes answers into the digest: values, not the numbers that they have.
func (h *history) take(t *tables, a int, answers []transition) {
	if h == nil {
		return
	}
	text := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	b := append(h.scratch[:0], h.digest[:]...)
	b = binary.AppendUvarint(b, uint64(len(answers)))
	for _, tr := range answers {
		b = text(text(b, tr.kind.String()), tr.action)
		next := &t.agents[a].states[tr.next]
		b = text(b, next.bytes)
		b = append(b, 0)
		if next.traits.Halted {
			b[len(b)-1] = 1
		}
		b = binary.AppendUvarint(b, uint64(len(tr.sent)))
		for _, m := range tr.sent {
			e := &t.messages[m].Envelope
			b = binary.AppendUvarint(b, uint64(e.To))
			b = text(b, e.Body)
		}
	}
	h.digest = sha256.Sum256(b)
	h.scratch = b
}
