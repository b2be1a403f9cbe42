package stepper

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// numbers names the states of agents that have no names of their own.
type numbers struct {
	given map[string]int    // by type: how many
	names map[string]string // by type and bytes
}

// Label is the short name of a system state: its agents' labels in order of
// ID, set apart by spaces where an agent has no names of its own. Different
// states may bear the same label.
func (s *Stepper) Label(st State) string {
	var labels []string
	between := ""
	for _, id := range s.sys.Population() {
		label, own := s.agentLabel(st, id)
		if !own {
			between = " "
		}
		labels = append(labels, label)
	}
	return strings.Join(labels, between)
}

// AgentLabel is the short name of what an agent is in: its own, or else its
// type and a number, "node0", in the order in which the Stepper meets such
// states: the start's first, then as it is asked for their labels. Agents of
// one type that are in the same state bear the same name.
func (s *Stepper) AgentLabel(st State, id model.ID) string {
	label, _ := s.agentLabel(st, id)
	return label
}

func (s *Stepper) agentLabel(st State, id model.ID) (label string, own bool) {
	if label, ok := s.call.Label(id, st.Local(id)); ok {
		return label, true
	}
	name := typeName(s.sys.Node(id).StateType())
	key := name + "\x00" + st.Local(id)
	if label, known := s.numbers.names[key]; known {
		return label, false
	}
	label = fmt.Sprintf("%s%d", name, s.numbers.given[name])
	s.numbers.given[name]++
	s.numbers.names[key] = label
	return label, false
}

func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return t.String()
	}
	return t.Name()
}
