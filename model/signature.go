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
		{"Restart", restartMethod[S, M]()},
		{"Actions", reflect.TypeFor[func() []Action[S, M]]()},
	}
}

func restartMethod[S, M any]() reflect.Type {
	return reflect.TypeFor[func(ID, []ID, int, S) (S, []Message[M])]()
}

// checkTogether refuses one of the methods of Persister without the other: it
// would be ignored.
func checkTogether[S, M any](owner string, t reflect.Type) error {
	_, persist := t.MethodByName("Persist")
	_, restart := t.MethodByName("Restart")
	switch {
	case persist && !restart:
		return fmt.Errorf("%s a method Persist but no %s: it would be ignored", owner, signature("Restart", restartMethod[S, M]()))
	case restart && !persist:
		return fmt.Errorf("%s a method Restart but no %s: it would be ignored", owner, signature("Persist", reflect.TypeFor[func(S) S]()))
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
