package web

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/sequence"
	"github.com/caulk-go/caulk/stepper"
	"github.com/caulk-go/caulk/trace"
)

// where is what every request says: a setting, and a path through it.
type where struct {
	Flags string // of the command line
	Start int    // which of the system's start states
	Path  []move
}

// move names a move of a path; the body is needed where several moves bear the
// label.
type move struct{ Label, Body string }

// place is where a path leads.
type place struct {
	sys   model.System // with the one start state
	whole model.System
	step  *stepper.Stepper
	start stepper.State
	made  []stepper.Choice
	at    stepper.State // none if the last handler panicked
}

// system is the setting, with all its start states.
func (s *server) system(ctx context.Context, q where) (model.System, error) {
	flags, err := shellquote.Split(q.Flags)
	if err != nil {
		return model.System{}, fmt.Errorf("the flags cannot be read: %w", err)
	}
	sys, err := s.System(ctx, flags)
	if err != nil {
		return model.System{}, err
	}
	if n := len(sys.AllStarts()); q.Start < 0 || q.Start >= n {
		return model.System{}, fmt.Errorf("there is no start state %d: there are %d, from 0", q.Start, n)
	}
	return sys, nil
}

// locate makes the moves of the path.
func (s *server) locate(ctx context.Context, q where) (*place, error) {
	if len(q.Path) > mostMoves {
		return nil, fmt.Errorf("the path has %d moves: the page takes up to %d", len(q.Path), mostMoves)
	}
	sys, err := s.system(ctx, q)
	if err != nil {
		return nil, err
	}
	p := &place{sys: sys.At(q.Start), whole: sys}
	if p.step, err = stepper.New(&p.sys, handlerTime); err != nil {
		return nil, err
	}
	if p.start, err = p.step.Start(); err != nil {
		return nil, err
	}
	p.at = p.start
	for i, m := range q.Path {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		choices, err := p.choices()
		if err != nil {
			return nil, err
		}
		choice, err := stepper.Find(choices, m.Label, m.Body)
		if err != nil {
			return nil, fmt.Errorf("move %d of the link, %s, is not possible there: the algorithm or the setting is another by now", i+1, m.Label)
		}
		p.made = append(p.made, choice)
		p.at = choice.Next
	}
	return p, nil
}

// choices are the moves that are possible; none where a handler panicked.
func (p *place) choices() ([]stepper.Choice, error) {
	if p.at.IsZero() {
		return nil, nil
	}
	return p.step.Moves(p.at)
}

func (p *place) steps() []trace.Step {
	var steps []trace.Step
	for _, c := range p.made {
		steps = append(steps, trace.StepOf(p.step, c))
	}
	return steps
}

// The answer to a request for a state. Texts are for people.
type (
	stateAnswer struct {
		Title      string // the setting
		Command    string // that explores it
		Label      string
		Starts     []string
		Agents     []agentAnswer
		Observer   string
		Observes   []string // what the last move changed in it
		Network    []messageAnswer
		Moves      []moveAnswer
		Path       []moveAnswer
		Properties []propertyAnswer
		Wrong      []string // what is wrong with the state
		Sequence   string   // as SVG
	}
	agentAnswer struct {
		ID             int
		Kind           string
		Label, State   string
		Crashed, Moved bool
		Changes        []string // by the last move
	}
	messageAnswer struct {
		Label, Body string
		Copies      int
		New         bool // the last move sent it
	}
	moveAnswer struct {
		Label, Body string
		Ambiguous   bool // others bear the label
		Fault       bool
		Leads       string // the label of the state after it
	}
	propertyAnswer struct{ Name, Kind, Doc, Here string }
)

func (s *server) state(ctx context.Context, q where) (*stateAnswer, error) {
	p, err := s.locate(ctx, q)
	if err != nil {
		return nil, err
	}
	choices, err := p.choices()
	if err != nil {
		return nil, err
	}
	w := walk.Of(&p.sys, p.step, p.start, p.made)
	a := &stateAnswer{
		Title:   p.title(),
		Command: trace.CommandLine(append([]string{s.Name, "explore"}, trace.SettingOf(&p.sys).Flags()...)...),
	}
	for _, start := range p.whole.AllStarts() {
		a.Starts = append(a.Starts, startText(start))
	}
	a.Moves = p.moves(choices)
	a.Path = p.moves(p.made)
	if len(p.made) <= mostDrawn {
		a.Sequence = sequence.New(&p.sys, p.steps(), w).SVG()
	}
	if p.at.IsZero() {
		last := p.made[len(p.made)-1]
		a.Wrong = []string{fmt.Sprintf("%s panics: %v", last.Panic.Site, last.Panic.Value)}
		return a, nil
	}
	var effect walk.Effect
	if n := len(w.Effects); n > 0 {
		effect = w.Effects[n-1]
	}
	a.Label = p.step.Label(p.at)
	a.Agents = p.agents(effect)
	a.Network = p.network(effect)
	if p.sys.Observer != nil {
		a.Observer = canonical.Format(p.step.Memory(p.at))
		for _, c := range effect.Observes {
			a.Observes = append(a.Observes, c.String())
		}
	}
	failures := p.step.Failures(p.at)
	ends, err := p.step.EndFailures(p.at)
	if err != nil {
		return nil, err
	}
	for _, f := range append(failures, ends...) {
		a.Wrong = append(a.Wrong, f.String())
	}
	a.Properties = p.properties()
	return a, nil
}

// startText is who is started, and with what: 1=x 2=y.
func startText(start map[model.ID]string) string {
	var words []string
	for _, id := range slices.Sorted(maps.Keys(start)) {
		words = append(words, fmt.Sprintf("%d=%s", id, start[id]))
	}
	return strings.Join(words, " ")
}

func (p *place) title() string {
	return strings.TrimSpace(fmt.Sprintf("%s, %d agents, on a %s", p.sys.Name, len(p.sys.Agents), p.sys.Network))
}

func (p *place) moves(choices []stepper.Choice) []moveAnswer {
	list := []moveAnswer{}
	labels := map[string]int{}
	for _, c := range choices {
		labels[c.Label]++
	}
	for _, c := range choices {
		m := moveAnswer{Label: c.Label, Body: c.Body, Ambiguous: labels[c.Label] > 1, Fault: c.Move.Kind.Fault()}
		if !c.Next.IsZero() {
			m.Leads = p.step.Label(c.Next)
		}
		list = append(list, m)
	}
	return list
}

func (p *place) agents(effect walk.Effect) []agentAnswer {
	var list []agentAnswer
	for _, id := range p.sys.Population() {
		local := p.step.Local(p.at, id)
		a := agentAnswer{
			ID: int(id), Kind: p.sys.Node(id).StateType().Name(), Label: p.step.AgentLabel(p.at, id),
			State: canonical.Format(local.State), Crashed: local.Crashed, Moved: effect.Agent == id,
		}
		if effect.Agent == id {
			for _, c := range effect.Changes {
				a.Changes = append(a.Changes, c.String())
			}
		}
		list = append(list, a)
	}
	return list
}

func (p *place) network(effect walk.Effect) []messageAnswer {
	list := []messageAnswer{}
	fresh := map[walk.Sent]bool{}
	for _, m := range effect.Sends {
		fresh[m] = true
	}
	for _, m := range p.step.Network(p.at) {
		sent := walk.SentOf(m)
		if n := len(list); n > 0 && list[n-1].Label == sent.Label && list[n-1].Body == sent.Body {
			list[n-1].Copies++
			continue
		}
		list = append(list, messageAnswer{sent.Label, sent.Body, 1, fresh[sent]})
	}
	return list
}
