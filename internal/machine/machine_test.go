package machine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// well fills, and does a thing wrong at each depth that is named for it.
type well struct{}

const (
	panics   = 3
	impure   = 4 // it sends to nobody
	tooDeep  = 5 // it halts
	toClient = 6
)

type depth struct {
	N    int
	Kept int // the part that persists
}

func (well) Fresh(_ model.ID, _ []model.ID, incarnation int) (depth, []model.Message[int]) {
	return depth{N: 10 * incarnation}, nil
}
func (well) AsksIncarnation() {}
func (well) Start(d depth, value string) (depth, []model.Message[int]) {
	d.Kept = len(value)
	return d, []model.Message[int]{{To: 2, Body: d.Kept}}
}
func (well) Receive(d depth, m model.Message[int]) (depth, []model.Message[int]) {
	d.N = m.Body
	switch m.Body {
	case panics:
		panic("at depth 3")
	case impure:
		return d, []model.Message[int]{{Body: 1}}
	case toClient:
		return d, []model.Message[int]{{To: 9, Body: 1}}
	}
	return d, nil
}
func (well) Halted(d depth) bool { return d.N == tooDeep }
func (well) Actions() []model.Action[depth, int] {
	return []model.Action[depth, int]{{Name: "draw", Do: func(d depth) (depth, []model.Message[int], bool) {
		return depth{N: d.N - 1}, nil, d.N > 0
	}}}
}
func (well) Persist(d depth) depth { return depth{Kept: d.Kept} }
func (well) Restart(_ model.ID, _ []model.ID, incarnation int, kept depth) (depth, []model.Message[int]) {
	kept.N = 100 * incarnation
	return kept, nil
}

func TestExecute(t *testing.T) {
	node := model.Of(well{})
	sys := model.System{Name: "wells", Agents: []model.Node{node, node}}
	m, err := New(&sys)
	if err != nil {
		t.Fatal(err)
	}
	state := func(d depth) []byte {
		b, err := m.Codecs.States[0].Append(nil, d)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	deliver := func(n int) tracelog.Step {
		b, err := m.Codecs.Body.Append(nil, n)
		if err != nil {
			t.Fatal(err)
		}
		return tracelog.Step{Move: tracelog.Deliver, Message: &tracelog.Received{From: 2, Body: b}}
	}
	value := "xyz"
	for name, c := range map[string]struct {
		step   tracelog.Step
		before []byte
		want   string // the state, what is sent, whether it has halted; or a part of the error
	}{
		"begins":                {tracelog.Step{Move: tracelog.Begin}, nil, "depth{N: 0, Kept: 0} nothing false"},
		"begins with a value":   {tracelog.Step{Move: tracelog.Begin, Value: &value}, nil, "depth{N: 0, Kept: 3} 3 to 2 false"},
		"is wiped":              {tracelog.Step{Move: tracelog.Wipe, Point: tracelog.Point{Incarnation: 2}}, nil, "depth{N: 20, Kept: 0} nothing false"},
		"restarts":              {tracelog.Step{Move: tracelog.Restart, Point: tracelog.Point{Incarnation: 2}}, state(depth{Kept: 7}), "depth{N: 200, Kept: 7} nothing false"},
		"is handed a value":     {tracelog.Step{Move: tracelog.Start, Value: &value}, state(depth{N: 1}), "depth{N: 1, Kept: 3} 3 to 2 false"},
		"is handed none":        {tracelog.Step{Move: tracelog.Start}, state(depth{N: 1}), "there is none"},
		"receives":              {deliver(1), state(depth{}), "depth{N: 1, Kept: 0} nothing false"},
		"receives, and halts":   {deliver(tooDeep), state(depth{}), "depth{N: 5, Kept: 0} nothing true"},
		"receives, and answers": {deliver(toClient), state(depth{}), "depth{N: 6, Kept: 0} 1 to 9 false"},
		"receives, and panics":  {deliver(panics), state(depth{}), "at depth 3"},
		"sends to nobody":       {deliver(impure), state(depth{}), "it sends 1 to 0: set To to the receiver's ID"},
		"receives nothing":      {tracelog.Step{Move: tracelog.Deliver}, state(depth{}), "it delivers no message"},
		"receives garbage":      {tracelog.Step{Move: tracelog.Deliver, Message: &tracelog.Received{Body: []byte{}}}, state(depth{}), "its message is none of the algorithm's"},
		"acts":                  {tracelog.Step{Move: tracelog.Act, Action: "draw"}, state(depth{N: 2, Kept: 1}), "depth{N: 1, Kept: 0} nothing false"},
		"cannot act":            {tracelog.Step{Move: tracelog.Act, Action: "draw"}, state(depth{}), ErrDisabled.Error()},
		"has no such action":    {tracelog.Step{Move: tracelog.Act, Action: "dance"}, state(depth{}), `the agent has no action "dance"`},
		"makes no such move":    {tracelog.Step{Move: "jump"}, state(depth{}), `there is no move "jump"`},
		"is in no state":        {deliver(1), []byte("?!?"), "the bytes before it are no state of agent 1"},
	} {
		c.step.Agent = 1
		o, err := m.Execute(&c.step, c.before)
		got := ""
		if err == nil {
			got = fmt.Sprint(m.FormatState(1, o.After), " ", m.ListSent(o.Sent), " ", o.Halted)
		} else {
			got = err.Error()
			if errors.Is(err, ErrDisabled) != (name == "cannot act") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		var panicked *call.PanicError
		if errors.As(err, &panicked) != (name == "receives, and panics") {
			t.Errorf("%s: %v", name, err)
		}
	}
	kept, err := m.Kept(1, state(depth{N: 9, Kept: 4}))
	if err != nil || m.FormatState(1, kept) != "depth{N: 0, Kept: 4}" {
		t.Errorf("kept is %s, %v", m.FormatState(1, kept), err)
	}
	if m.Digest(1, kept) == m.Digest(1, state(depth{})) || m.Digest(1, kept) != m.Digest(1, state(depth{Kept: 4})) {
		t.Error("digests do not tell states apart")
	}
}
