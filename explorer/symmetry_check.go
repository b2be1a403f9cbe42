package explorer

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// asymmetry is a counterexample to the claim that agents are alike.
type asymmetry struct{ text string }

func (e *asymmetry) Error() string {
	return fmt.Sprintf("the reduction %q is refused: agents that are said to be alike are not: %s", Symmetry, e.text)
}

// envelope is a message under a renaming.
func (y *symmetry) envelope(m uint32, r renaming) call.Envelope {
	e := &y.t.messages[m]
	return call.Envelope{From: r.of(e.From), To: r.of(e.To), Body: y.image(component{body, 0, m}, r)}
}

// checkStart checks that renaming leaves a start state as it is.
func (y *symmetry) checkStart(f flat) error {
	for _, r := range y.generators {
		if y.renamed(f, r) != y.renamed(f, identity(len(r))) {
			return &asymmetry{fmt.Sprintf("renamed by %s the start is another state", r)}
		}
	}
	return nil
}

// String is what is renamed to what: 1→2 2→1.
func (r renaming) String() string {
	var words []string
	for i, id := range r {
		if id != model.ID(i+1) {
			words = append(words, fmt.Sprintf("%d→%d", i+1, id))
		}
	}
	return strings.Join(words, " ")
}

// checkedMove is a question that was put to a handler: about a message, or none
// (-1).
type checkedMove struct {
	agent, msg int
	state      uint32
	kind       model.MoveKind
}

// checkMoves checks that what agents do in a state commutes with renaming: what
// was not checked before. It is put to every agent whether it has such a move or
// not, and whether or not another reduction leaves it out: the renamed one may.
func (y *symmetry) checkMoves(f flat) error {
	for _, m := range y.t.deliverable(f) {
		if err := y.checkAgent(f, int(y.t.messages[m].To)-1, int(m), y.t.msgKinds); err != nil {
			return err
		}
	}
	for a := range f.states {
		if err := y.checkAgent(f, a, -1, y.t.agents[a].ownKinds); err != nil {
			return err
		}
	}
	return nil
}

// checkAgent checks what one agent does about a message, or by itself (-1).
func (y *symmetry) checkAgent(f flat, a, msg int, kinds []model.MoveKind) error {
	for _, k := range kinds {
		at := checkedMove{a, msg, f.states[a], k}
		if y.checked[at] || !k.Concerns(y.t.sys, model.ID(a+1)) {
			continue
		}
		y.checked[at] = true
		for _, r := range y.generators {
			if err := y.checkMove(at, r); err != nil {
				return err
			}
		}
	}
	moves, err := y.t.own(a, f.states[a]) // known by now
	if msg >= 0 {
		moves, err = y.t.receive(a, f.states[a], uint32(msg))
	}
	if err != nil {
		return err
	}
	return y.checkObserver(f, a, msg, moves)
}

func (y *symmetry) checkMove(at checkedMove, r renaming) error {
	id := model.ID(at.agent + 1)
	c := component{local, at.agent, at.state}
	var message, renamed *call.Envelope
	if at.msg >= 0 {
		message = &y.t.messages[at.msg].Envelope
		e := y.envelope(uint32(at.msg), r)
		renamed = &e
	}
	given := y.about(c).bytes
	here, err := y.t.caller.Outcomes(at.kind, id, given, message)
	if err != nil {
		return nil // the search itself says so
	}
	image := y.image(c, r)
	there, err := y.t.caller.Outcomes(at.kind, r.of(id), image, renamed)
	if err == nil && len(here) == len(there) {
		same := true
		for i := range here {
			want, err := y.renamedOutcome(id, here[i], r)
			same = same && err == nil && reflect.DeepEqual(want, y.plainOutcome(there[i]))
		}
		if same {
			return nil
		}
	}
	return &asymmetry{fmt.Sprintf("%s; renamed by %s, %s", y.tell(at.kind, id, given, message, here), r, y.tell(at.kind, r.of(id), image, renamed, there))}
}

// outcome is what of an outcome renaming must keep. What is sent is in no order,
// but on fifo to each receiver.
type outcome struct {
	action, next string
	sent         []call.Envelope
	spends       model.Budget
	fair         bool
}

func (y *symmetry) plainOutcome(o call.Outcome) outcome {
	return outcome{o.Move.Action, o.Next, y.sorted(o.Sent), o.Spends, o.Fair}
}

func (y *symmetry) renamedOutcome(id model.ID, o call.Outcome, r renaming) (outcome, error) {
	next, err := y.t.caller.PermuteLocal(id, o.Next, r.of)
	if err != nil {
		return outcome{}, err
	}
	var sent []call.Envelope
	for _, e := range o.Sent {
		b, err := y.t.caller.PermuteBody(e.Body, r.of)
		if err != nil {
			return outcome{}, err
		}
		sent = append(sent, call.Envelope{From: r.of(e.From), To: r.of(e.To), Body: b})
	}
	return outcome{o.Move.Action, next, y.sorted(sent), o.Spends, o.Fair}, nil
}

func (y *symmetry) sorted(sent []call.Envelope) []call.Envelope {
	sent = slices.Clone(sent)
	slices.SortStableFunc(sent, func(a, b call.Envelope) int {
		ends := cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		if ends == 0 && y.t.sys.Network != model.Fifo {
			return cmp.Compare(a.Body, b.Body)
		}
		return ends
	})
	return sent
}

// tell says what an agent makes of a message, for people.
func (y *symmetry) tell(k model.MoveKind, id model.ID, given string, m *call.Envelope, made []call.Outcome) string {
	text := fmt.Sprintf("agent %d in state %s", id, canonical.Format(y.t.caller.Local(id, given).State))
	if m != nil {
		text += fmt.Sprintf(" given %s from %d", canonical.Format(y.t.caller.Body(m.Body)), m.From)
	} else {
		text += " by " + k.String()
	}
	var results []string
	for _, o := range made {
		result := canonical.Format(y.t.caller.Local(id, o.Next).State)
		if o.Move.Action != "" {
			result = o.Move.Action + ": " + result
		}
		for _, e := range o.Sent {
			result += fmt.Sprintf(", sending %s to %d", canonical.Format(y.t.caller.Body(e.Body)), e.To)
		}
		results = append(results, result)
	}
	if len(results) == 0 {
		return text + " does nothing"
	}
	return text + " goes to " + strings.Join(results, " or ")
}

// checkObserver checks that the observer remembers of a renamed move the renamed.
func (y *symmetry) checkObserver(f flat, a, msg int, moves []transition) error {
	o := y.t.observer
	if o == nil {
		return nil
	}
	before := f.more(y.t.observerAt())
	for _, tr := range moves {
		at := noticed{before, tr.number}
		after, known := o.after(before, tr.number)
		if tr.number == unseen || !known || y.noticed[at] {
			continue
		}
		y.noticed[at] = true
		for _, r := range y.generators {
			e := call.Event{
				Kind: tr.kind, Action: tr.action, Agent: r.of(model.ID(a + 1)),
				Before: y.image(component{local, a, f.states[a]}, r),
				After:  y.image(component{local, a, tr.next}, r),
			}
			if msg >= 0 {
				m := y.envelope(uint32(msg), r)
				e.Message = &m
			}
			for _, m := range tr.sent {
				e.Sent = append(e.Sent, y.envelope(m, r))
			}
			got, err := y.t.caller.Observe(y.image(component{memory, 0, before}, r), e)
			if err != nil || got != y.image(component{memory, 0, after}, r) {
				return &asymmetry{fmt.Sprintf("renamed by %s the observer remembers something else of a move of agent %d", r, a+1)}
			}
		}
	}
	return nil
}

// checkAnswer checks that a question about states has the same answer about the
// states renamed.
func (y *symmetry) checkAnswer(asked string, answered answer, question func(see func(*flat) model.View) answer) error {
	for _, r := range y.generators {
		renamed := func(f *flat) model.View { return &renamedView{flatView{t: y.t, f: f}, y, r} }
		if question(renamed) != answered {
			return &asymmetry{fmt.Sprintf("%s says something else of a state and of that state renamed by %s", asked, r)}
		}
	}
	return nil
}

// renamedView is a state under a renaming, as a property sees it.
type renamedView struct {
	flatView
	y *symmetry
	r renaming
}

// from is the agent that is renamed to one.
func (v *renamedView) from(id model.ID) int {
	return slices.Index(v.r, model.ID(v.t.agent(id)+1))
}

func (v *renamedView) State(id model.ID) any {
	a := v.from(id)
	return v.t.caller.Local(id, v.y.image(component{local, a, v.f.states[a]}, v.r)).State
}

func (v *renamedView) Crashed(id model.ID) bool {
	a := v.from(id)
	return v.t.agents[a].states[v.f.states[a]].traits.Crashed
}

func (v *renamedView) Observer() any {
	if v.t.observer == nil {
		return v.t.memory(0)
	}
	return v.t.caller.Memory(v.y.image(component{memory, 0, v.f.more(v.t.observerAt())}, v.r))
}

func (v *renamedView) InFlight() []model.Message[any] {
	var list []call.Envelope
	for _, m := range v.t.inFlight(*v.f) {
		list = append(list, v.y.envelope(m, v.r))
	}
	list = v.y.sorted(list)
	messages := make([]model.Message[any], len(list))
	for i, e := range list {
		messages[i] = model.Message[any]{From: e.From, To: e.To, Body: v.t.caller.Body(e.Body)}
	}
	return messages
}
