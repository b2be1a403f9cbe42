package cluster

import (
	"cmp"
	"maps"
	"math"
	"os"
	"slices"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// History is what the clients saw. Linearizable is nil where it took too long to
// tell.
type History struct {
	Operations   int   `json:"operations"`
	Linearizable *bool `json:"linearizable"`

	// Unexplained is, where the history is not linearizable, the end of what clients
	// saw of one key: of no order of the requests could the last be answered as it
	// was, and without it the others could. In order of answers.
	Unexplained []Operation `json:"unexplained,omitempty"`
}

// Operation is a request of a client, and what came of it.
type Operation struct {
	Client   int     `json:"client"`
	Put      bool    `json:"put"` // else a get
	Key      string  `json:"key"`
	Value    string  `json:"value"` // that was put, or found
	From     float64 `json:"from"`  // in seconds since the clients began
	To       float64 `json:"to"`
	Answered bool    `json:"answered"` // else nobody knows whether it was done, and To is 0
}

// judging is how long the history may take to be judged, and mostUnexplained how much
// of it is told.
const (
	judging         = time.Minute
	mostUnexplained = 12
)

// never is when a request returns that was not answered.
const never = math.MaxInt64

// call is a client's request, as porcupine's input.
type call struct {
	put        bool
	key, value string
}

// register is a register for each key, empty at first.
var register = porcupine.Model{
	Partition: byKey,
	Init:      func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		if c := input.(call); c.put {
			return true, c.value
		}
		return output == state, state
	},
	DescribeOperation: func(input, output any) string {
		if c := input.(call); c.put {
			return "put " + c.key + " " + c.value
		}
		return "get " + input.(call).key + ": " + output.(string)
	},
}

// byKey parts a history, in order of keys.
func byKey(history []porcupine.Operation) [][]porcupine.Operation {
	parts := map[string][]porcupine.Operation{}
	for _, o := range history {
		key := o.Input.(call).key
		parts[key] = append(parts[key], o)
	}
	var all [][]porcupine.Operation
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		all = append(all, parts[key])
	}
	return all
}

func judgeHistory(history []porcupine.Operation) *History {
	h := &History{Operations: len(history)}
	result := porcupine.CheckOperationsTimeout(register, history, judging)
	if result == porcupine.Unknown {
		return h
	}
	fine := result == porcupine.Ok
	if h.Linearizable = &fine; fine {
		return h
	}
	for _, part := range byKey(history) {
		if porcupine.CheckOperationsTimeout(register, part, judging) == porcupine.Illegal {
			h.Unexplained = unexplained(part)
			return h
		}
	}
	return h
}

// unexplained is the shortest beginning of a key's history that is not linearizable,
// or its end: an answer more can only make it worse.
func unexplained(part []porcupine.Operation) []Operation {
	part = slices.Clone(part)
	slices.SortStableFunc(part, func(a, b porcupine.Operation) int { return cmp.Compare(a.Return, b.Return) })
	n := sort.Search(len(part), func(n int) bool {
		return porcupine.CheckOperationsTimeout(register, beginning(part, n+1), judging) == porcupine.Illegal
	})
	n = min(n+1, len(part))
	var told []Operation
	for _, o := range part[max(0, n-mostUnexplained):n] {
		c := o.Input.(call)
		t := Operation{Client: o.ClientId + 1, Put: c.put, Key: c.key, Value: c.value, From: time.Duration(o.Call).Seconds()}
		if !c.put {
			t.Value = o.Output.(string)
		}
		if t.Answered = o.Return != never; t.Answered {
			t.To = time.Duration(o.Return).Seconds()
		}
		told = append(told, t)
	}
	return told
}

// beginning is a history up to its answer n, the first being 1: puts that were asked by
// then and answered later may have been done, and gets tell nothing.
func beginning(byReturn []porcupine.Operation, n int) []porcupine.Operation {
	first := slices.Clone(byReturn[:n])
	for _, o := range byReturn[n:] {
		if o.Call < byReturn[n-1].Return && o.Input.(call).put {
			o.Return = never
			first = append(first, o)
		}
	}
	return first
}

// drawHistory writes a page that shows a history. What was never answered lasts until
// all else.
func drawHistory(name string, history []porcupine.Operation) error {
	history = slices.Clone(history)
	last := int64(0)
	for _, o := range history {
		last = max(last, o.Call)
		if o.Return != never {
			last = max(last, o.Return)
		}
	}
	for i := range history {
		history[i].Return = min(history[i].Return, last+1)
	}
	_, info := porcupine.CheckOperationsVerbose(register, history, judging)
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := porcupine.Visualize(register, info, f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
