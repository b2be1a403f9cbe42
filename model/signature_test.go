package model_test

import (
	"testing"

	"github.com/caulk-go/caulk/model"
)

// mistaken is an agent with what goes wrong beside it.
type mistaken[S, M any] struct{}

func (mistaken[S, M]) Fresh(model.ID, []model.ID, int) (s S, sent []model.Message[M]) { return }

func (mistaken[S, M]) Receive(s S, _ model.Message[M]) (S, []model.Message[M]) { return s, nil }

type bird struct{ Tired bool }

type song string

type (
	haltsAPointer struct{ mistaken[bird, song] }
	labelsTwice   struct{ mistaken[bird, song] }
	startsMute    struct{ mistaken[bird, song] }
	asksToo       struct{ mistaken[bird, song] }
	actsOdd       struct{ mistaken[bird, song] }
	haltsBehind   struct{ mistaken[bird, song] }
	asksOnly      struct{ mistaken[bird, song] }
	resumesOnly   struct{ mistaken[bird, song] }
	boxed         struct {
		mistaken[bird, box[song]]
	}
	//lint:ignore U1000 it is a type argument of what is embedded in boxed
	box[T any] struct{ in T }
	acts       struct {
		mistaken[bird, song]
		actions []model.Action[bird, song]
	}
	kindOf     int
	detailOf   struct{}
	detailer   interface{ Detail() (string, bool) }
	everything struct{ mistaken[bird, song] }
)

func (haltsAPointer) Halted(*bird) bool               { return true }
func (labelsTwice) Label(bird) (string, string)       { return "", "" }
func (startsMute) Start(b bird) bird                  { return b }
func (asksToo) AsksIncarnation() bool                 { return true }
func (actsOdd) Actions() []model.Action[bird, string] { return nil }
func (asksOnly) Ask(model.Request) (_ song)           { return }
func (resumesOnly) Restart(_ model.ID, _ []model.ID, _ int, kept bird) (bird, []model.Message[song]) {
	return kept, nil
}
func (*haltsBehind) Halted(bird) bool                                   { return true }
func (boxed) Start(b bird, _ string) bird                               { return b }
func (a acts) Actions() []model.Action[bird, song]                      { return a.actions }
func (kindOf) Kind() int                                                { return 0 }
func (*detailOf) Detail() string                                        { return "" }
func (everything) Start(b bird, _ string) (bird, []model.Message[song]) { return b, nil }
func (everything) Halted(bird) bool                                     { return false }
func (everything) Label(bird) string                                    { return "b" }
func (everything) AsksIncarnation()                                     {}
func (everything) Actions() []model.Action[bird, song]                  { return nil }

func TestCheckRefusesWhatWouldBeIgnored(t *testing.T) {
	sing := func(b bird) (bird, []model.Message[song], bool) { return b, nil, true }
	for want, node := range map[string]model.Node{
		"agent 2 is nil: make it with model.Of": nil,
		"agent 2 is nil: give model.Of a value": model.Of[bird, song](nil),
		"agent 2 has a method Halted(*model_test.bird) bool, but not Halted(model_test.bird) bool: it would be ignored":                                                                                        model.Of(haltsAPointer{}),
		"agent 2 has a method Label(model_test.bird) (string, string), but not Label(model_test.bird) string: it would be ignored":                                                                             model.Of(labelsTwice{}),
		"agent 2 has a method Start(model_test.bird) model_test.bird, but not Start(model_test.bird, string) (model_test.bird, []model.Message[model_test.song]): it would be ignored":                         model.Of(startsMute{}),
		"agent 2 has a method AsksIncarnation() bool, but not AsksIncarnation(): it would be ignored":                                                                                                          model.Of(asksToo{}),
		"agent 2 has a method Actions() []model.Action[model_test.bird,string], but not Actions() []model.Action[model_test.bird,model_test.song]: it would be ignored":                                        model.Of(actsOdd{}),
		"agent 2 has a method Halted for *model_test.haltsBehind alone: it would be ignored; declare it for model_test.haltsBehind":                                                                            model.Of(haltsBehind{}),
		"agent 2 has a method Start(model_test.bird, string) model_test.bird, but not Start(model_test.bird, string) (model_test.bird, []model.Message[model_test.box[model_test.song]]): it would be ignored": model.Of(boxed{}),
		"the message type has a method Kind() int, but not Kind() string: it would be ignored":                                                                                                                 model.Of(mistaken[bird, kindOf]{}),
		"the message type has a method Detail() (string, bool), but not Detail() string: it would be ignored":                                                                                                  model.Of(mistaken[bird, detailer]{}),
		"the message type has a method Detail for *model_test.detailOf alone: it would be ignored; declare it for model_test.detailOf":                                                                         model.Of(mistaken[bird, detailOf]{}),
		"agent 2 has a method Ask but no Answer(model_test.song) (model.Answer, bool): it would be ignored":                                                                                                    model.Of(asksOnly{}),
		"agent 2 has a method Restart but no Persist(model_test.bird) model_test.bird: it would be ignored":                                                                                                    model.Of(resumesOnly{}),
		"agent 2 has an action without a name":      model.Of(acts{actions: []model.Action[bird, song]{{Do: sing}}}),
		`agent 2 has an action "sing" without a Do`: model.Of(acts{actions: []model.Action[bird, song]{{Name: "sing"}}}),
		`agent 2 has two actions called "sing"`:     model.Of(acts{actions: []model.Action[bird, song]{{Name: "sing", Do: sing}, {Name: "sing", Do: sing}}}),
	} {
		s := model.System{Agents: []model.Node{model.Of(everything{}), node}}
		if err := s.Check(); err == nil || err.Error() != want {
			t.Errorf("%v\nnot\n%s", err, want)
		}
	}
	good := model.System{Agents: []model.Node{
		model.Of(everything{}), model.Of(&everything{}), model.Of(&haltsBehind{}),
		model.Of(acts{actions: []model.Action[bird, song]{{Name: "sing", Do: sing}, {Name: "sleep", Do: sing}}}),
	}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

func TestCheckNamesTheMissingStart(t *testing.T) {
	s := model.System{Agents: []model.Node{model.Of(mistaken[bird, song]{})}, Starts: map[model.ID]string{1: "x"}}
	const want = "cannot start agent 1: its agent has no method Start(model_test.bird, string) (model_test.bird, []model.Message[model_test.song])"
	if err := s.Check(); err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

func TestAlgorithmWithoutMake(t *testing.T) {
	a := model.Algorithm{Name: "flock", Agents: 3}
	if _, err := a.System(model.Config{}); err == nil || err.Error() != `the algorithm "flock" has no Make` {
		t.Errorf("the error is %v", err)
	}
}
