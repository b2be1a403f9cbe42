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

// question is one that was put to an agent in a state; or to the observer; or
// what becomes of a queue's content.
type question struct {
	// agent is an agent's index; the number of agents for the observer, and for
	// a queue that number + 1 + the queue's.
	agent   int
	state   uint32 // the agent's, the observer's, or the queue's content
	msg     int    // what it makes of this message, or transition; -1: what it does by itself
	answers mark
}

// digest is chained: it covers an answer and all those before it.
type digest [sha256.Size]byte

// mark is the beginning of a digest: enough to find the first answer that is
// another.
type mark [8]byte

// begun is called when every agent has begun: what was worked out by then will
// be worked out again by whoever begins, so that questions are counted from
// here.
func (h *history) begun() {
	if h != nil {
		h.questions = h.questions[:0]
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
		b = append(b, byte(tr.spends+1), byte(tr.class+1))
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

// addObserved takes in what the observer made of a transition.
func (h *history) addObserved(t *tables, state, transition, next uint32) {
	if h == nil {
		return
	}
	h.takeText(t.observer.states[next])
	h.questions = append(h.questions, question{len(t.agents), state, int(transition), mark(h.digest[:])})
}

// addPushed takes in that a message was put into a queue. Nobody was asked, but
// contents have numbers too.
func (h *history) addPushed(t *tables, queue int, content, m uint32) {
	if h != nil {
		h.questions = append(h.questions, question{len(t.agents) + 1 + queue, content, int(m), mark(h.digest[:])})
	}
}

// takeText takes one more answer into the digest.
func (h *history) takeText(text string) {
	if h != nil {
		b := append(h.scratch[:0], h.digest[:]...)
		h.scratch = append(b, text...)
		h.digest = sha256.Sum256(h.scratch)
	}
}

// repeat tells the observer again, or puts into a queue again.
func (t *tables) repeat(q question) error {
	queue := q.agent - len(t.agents) - 1
	switch {
	case queue >= 0:
		if int(q.state) >= len(t.queues.list[queue].contents) || q.msg < 0 || q.msg >= len(t.messages) || t.messages[q.msg].queue != queue {
			return errSenseless
		}
		t.push(queue, q.state, uint32(q.msg))
		return nil
	case t.observer == nil || int(q.state) >= len(t.observer.states) || q.msg < 0 || q.msg >= len(t.observer.seen):
		return errSenseless
	}
	_, err := t.observe(q.state, &t.observer.seen[q.msg].transition)
	return err
}
