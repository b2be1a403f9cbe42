package model

import (
	"fmt"
	"reflect"
)

// Node is an agent whose types are hidden, so that one system can mix agents
// with different states. Of makes one. The explorer and the diagrams
// work with it; who writes an algorithm need not.
//
// States and bodies given to it must be of StateType and BodyType.
type Node interface {
	StateType() reflect.Type
	BodyType() reflect.Type

	Fresh(self ID, population []ID, incarnation int) Result
	Receive(state any, m Message[any]) Result
	// Start hands the agent a value from outside; CanStart says whether it
	// takes one.
	Start(state any, value string) Result
	CanStart() bool
	Incarnated() bool
	// Persists says whether something survives a restart; only then Restart,
	// which is Persist and then Restart of the agent, may be called.
	Persists() bool
	Restart(self ID, population []ID, incarnation int, state any) Result
	// Persist and Resume are the halves of Restart: what is kept of a state, and
	// the agent made anew from that.
	Persist(state any) any
	Resume(self ID, population []ID, incarnation int, kept any) Result
	Actions() []NodeAction
	Halted(state any) bool
	// Label is the state's short name; ok is false for an agent without names
	// of its own.
	Label(state any) (label string, ok bool)
	// Serves says whether the agent serves clients from outside; only then Ask
	// and Answer may be called.
	Serves() bool
	Ask(r Request) any
	Answer(body any) (a Answer, ok bool)

	// check says, in one line, what is wrong with the agent that bears the ID.
	// Only Of makes a Node.
	check(id ID) error
	// entries are the program counters of a method of the agent.
	entries(method string) []uintptr
	// startSignature is the method that takes a value from outside.
	startSignature() string
}

// Result is what a handler gives: the next state and what is sent.
type Result struct {
	State any
	Sent  []Message[any]
}

// NodeAction is an Action whose types are hidden.
type NodeAction struct {
	Name string
	Kind ActionKind
	Fair bool
	Do   func(state any) (r Result, enabled bool)

	entry uintptr // of the author's Do
}

// Of hides the types of an agent. The agent's optional interfaces are looked
// for here, once. A method that has the name of an optional one but another
// signature would be ignored: System.Check refuses it.
func Of[S, M any](agent Agent[S, M]) Node {
	n := &node[S, M]{agent: agent}
	n.starter, _ = agent.(Starter[S, M])
	n.halter, _ = agent.(Halter[S])
	n.labeler, _ = agent.(Labeler[S])
	n.persister, _ = agent.(Persister[S, M])
	n.server, _ = agent.(Server[M])
	_, n.incarnated = agent.(Incarnated)
	if actor, ok := agent.(Actor[S, M]); ok {
		for _, a := range actor.Actions() {
			n.actions = append(n.actions, hideAction(a))
		}
	}
	return n
}

type node[S, M any] struct {
	agent      Agent[S, M]
	starter    Starter[S, M]
	halter     Halter[S]
	labeler    Labeler[S]
	persister  Persister[S, M]
	server     Server[M]
	incarnated bool
	actions    []NodeAction
}

func (n *node[S, M]) StateType() reflect.Type { return reflect.TypeFor[S]() }
func (n *node[S, M]) BodyType() reflect.Type  { return reflect.TypeFor[M]() }
func (n *node[S, M]) CanStart() bool          { return n.starter != nil }
func (n *node[S, M]) Incarnated() bool        { return n.incarnated }
func (n *node[S, M]) Persists() bool          { return n.persister != nil }
func (n *node[S, M]) Serves() bool            { return n.server != nil }
func (n *node[S, M]) Actions() []NodeAction   { return n.actions }

func (n *node[S, M]) Fresh(self ID, population []ID, incarnation int) Result {
	return hide(n.agent.Fresh(self, population, incarnation))
}

func (n *node[S, M]) Receive(state any, m Message[any]) Result {
	return hide(n.agent.Receive(as[S](state), Message[M]{m.From, m.To, as[M](m.Body)}))
}

func (n *node[S, M]) Start(state any, value string) Result {
	return hide(n.starter.Start(as[S](state), value))
}

func (n *node[S, M]) Restart(self ID, population []ID, incarnation int, state any) Result {
	return n.Resume(self, population, incarnation, n.Persist(state))
}

func (n *node[S, M]) Persist(state any) any { return n.persister.Persist(as[S](state)) }

func (n *node[S, M]) Resume(self ID, population []ID, incarnation int, kept any) Result {
	return hide(n.persister.Restart(self, population, incarnation, as[S](kept)))
}

func (n *node[S, M]) Halted(state any) bool {
	return n.halter != nil && n.halter.Halted(as[S](state))
}

func (n *node[S, M]) Label(state any) (string, bool) {
	if n.labeler == nil {
		return "", false
	}
	return n.labeler.Label(as[S](state)), true
}

func (n *node[S, M]) Ask(r Request) any { return n.server.Ask(r) }

func (n *node[S, M]) Answer(body any) (Answer, bool) { return n.server.Answer(as[M](body)) }

func (n *node[S, M]) check(id ID) error {
	if n.agent == nil {
		return fmt.Errorf("agent %d is nil: give model.Of a value", id)
	}
	owner := fmt.Sprintf("agent %d has", id)
	if err := checkMethods(owner, reflect.TypeOf(n.agent), agentMethods[S, M]()); err != nil {
		return err
	}
	if err := checkMethods("the message type has", n.BodyType(), bodyMethods()); err != nil {
		return err
	}
	if err := checkTogether[S, M](owner, reflect.TypeOf(n.agent)); err != nil {
		return err
	}
	return checkActions(owner, n.actions)
}

func (n *node[S, M]) entries(method string) []uintptr {
	return methodEntries(reflect.TypeOf(n.agent), method)
}

// methodEntries are those of a type's method, then of the type that it points
// to, then of the types that it embeds.
func methodEntries(t reflect.Type, method string) []uintptr {
	m, ok := t.MethodByName(method)
	if !ok || t.Kind() == reflect.Interface {
		return nil
	}
	entries := []uintptr{m.Func.Pointer()}
	if t.Kind() == reflect.Pointer {
		return append(entries, methodEntries(t.Elem(), method)...)
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous {
				entries = append(entries, methodEntries(f.Type, method)...)
			}
		}
	}
	return entries
}

func (n *node[S, M]) startSignature() string {
	return signature("Start", reflect.TypeFor[func(S, string) (S, []Message[M])]())
}

func hide[S, M any](s S, sent []Message[M]) Result {
	r := Result{State: s}
	for _, m := range sent {
		r.Sent = append(r.Sent, Message[any]{m.From, m.To, m.Body})
	}
	return r
}

func hideAction[S, M any](a Action[S, M]) NodeAction {
	if a.Do == nil {
		return NodeAction{Name: a.Name, Kind: a.Kind, Fair: a.Fair} // System.Check refuses it
	}
	do := func(state any) (Result, bool) {
		s, sent, enabled := a.Do(as[S](state))
		if !enabled {
			return Result{}, false
		}
		return hide(s, sent), true
	}
	return NodeAction{a.Name, a.Kind, a.Fair, do, reflect.ValueOf(a.Do).Pointer()}
}

// as is v.(T), but a nil v is the zero T: when T is an interface, its nil
// value arrives as a nil any.
func as[T any](v any) T {
	t, ok := v.(T)
	if !ok && v != nil {
		panic(fmt.Sprintf("model: a value of type %T was given where %s belongs", v, reflect.TypeFor[T]()))
	}
	return t
}
