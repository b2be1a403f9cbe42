package algos_test

import (
	"testing"
	"time"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
)

func userFunctionRows() []row {
	return []row{
		{algo: "userfunction", want: holds(165)},
		{algo: "userfunction", agents: 3, want: holds(1_683)},
		{algo: "userfunction", setting: restartAll, want: holds(390)},
		{algo: "userfunction-clock", want: violated("replicas are equal", 3)},
		{algo: "userfunction-clock", params: map[string]int{"time": 1, "calls": 1}, want: violated("replicas are equal", 3)},
	}
}

// restartAll lets one agent, whichever, restart once.
func restartAll(s *model.System) {
	s.Restart = s.Population()
	s.Budgets = map[model.Budget]int{model.Restarts: 1}
}

// stamps is what a user function must not do: it looks at the real clock.
type stamps struct{}

func (stamps) Fresh(self model.ID, _ []model.ID, _ int) (int64, []model.Message[string]) {
	return 0, []model.Message[string]{{To: self, Body: "stamp"}}
}

//caulk:impure
func (stamps) Receive(int64, model.Message[string]) (int64, []model.Message[string]) {
	return time.Now().UnixNano(), nil
}

// A clock is found by calling the function twice, before anything is explored.
func TestAClockInAUserFunctionIsRefused(t *testing.T) {
	scenario.Run(t, []scenario.Case{{
		Name:   "the real clock",
		System: model.System{Name: "stamps", Agents: []model.Node{model.Of(stamps{})}},
		Want:   scenario.Want{Error: "is not pure: it answers differently when it is called again"},
	}})
}
