package model

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// optional is a method that an agent or a body may have, and that must have
// the right signature if it has one of that name: else it would silently be
// taken for a method of the author's own.
type optional struct {
	name   string
	wanted reflect.Type // the method's type, without receiver
}

// agentMethods are the methods of the optional interfaces of an agent.
func agentMethods[S, M any]() []optional {
	return []optional{
		{"Start", reflect.TypeFor[func(S, string) (S, []Message[M])]()},
		{"Halted", reflect.TypeFor[func(S) bool]()},
		{"Label", reflect.TypeFor[func(S) string]()},
		{"AsksIncarnation", reflect.TypeFor[func()]()},
		{"Persist", reflect.TypeFor[func(S) S]()},
		{"Restart", reflect.TypeFor[func(ID, []ID, int, S) (S, []Message[M])]()},
		{"Actions", reflect.TypeFor[func() []Action[S, M]]()},
		{"Ask", reflect.TypeFor[func(Request) M]()},
		{"Answer", reflect.TypeFor[func(M) (Answer, bool)]()},
	}
}

// checkTogether refuses one of two methods that make an optional interface
// together without the other: it would be ignored.
func checkTogether[S, M any](owner string, t reflect.Type) error {
	all := agentMethods[S, M]()
	for _, pair := range [][2]string{{"Persist", "Restart"}, {"Ask", "Answer"}} {
		_, first := t.MethodByName(pair[0])
		_, second := t.MethodByName(pair[1])
		if first == second {
			continue
		}
		has, lacks := pair[0], pair[1]
		if second {
			has, lacks = lacks, has
		}
		for _, o := range all {
			if o.name == lacks {
				return fmt.Errorf("%s a method %s but no %s: it would be ignored", owner, has, signature(lacks, o.wanted))
			}
		}
	}
	return nil
}

// bodyMethods are those of a message body.
func bodyMethods() []optional {
	return []optional{
		{"Kind", reflect.TypeFor[func() string]()},
		{"Detail", reflect.TypeFor[func() string]()},
	}
}

// checkMethods says which of the methods would be ignored, and why; owner is
// a verb phrase such as "agent 1 has". Long import paths are left out.
func checkMethods(owner string, t reflect.Type, methods []optional) error {
	for _, o := range methods {
		if got, ok := methodType(t, o.name); ok && got != o.wanted {
			return fmt.Errorf("%s a method %s, but not %s: it would be ignored", owner, signature(o.name, got), signature(o.name, o.wanted))
		} else if ok || t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
			continue
		}
		if _, ok := methodType(reflect.PointerTo(t), o.name); ok {
			return fmt.Errorf("%s a method %s for *%s alone: it would be ignored; declare it for %s", owner, o.name, typeName(t), typeName(t))
		}
	}
	return nil
}

// methodType is the type of a method without its receiver.
func methodType(t reflect.Type, name string) (reflect.Type, bool) {
	m, ok := t.MethodByName(name)
	if !ok {
		return nil, false
	}
	if t.Kind() == reflect.Interface {
		return m.Type, true
	}
	var in, out []reflect.Type
	for i := 1; i < m.Type.NumIn(); i++ {
		in = append(in, m.Type.In(i))
	}
	for i := range m.Type.NumOut() {
		out = append(out, m.Type.Out(i))
	}
	return reflect.FuncOf(in, out, m.Type.IsVariadic()), true
}

// signature is a method as one would declare it: Halted(main.voter) bool.
func signature(name string, t reflect.Type) string {
	return name + strings.TrimPrefix(typeName(t), "func")
}

// checkActions says what is wrong with an agent's own actions.
func checkActions(owner string, actions []NodeAction) error {
	seen := map[string]bool{}
	for _, a := range actions {
		switch {
		case a.Name == "":
			return errors.New(owner + " an action without a name")
		case a.Do == nil:
			return fmt.Errorf("%s an action %q without a Do", owner, a.Name)
		case seen[a.Name]:
			return fmt.Errorf("%s two actions called %q", owner, a.Name)
		}
		seen[a.Name] = true
	}
	return nil
}
