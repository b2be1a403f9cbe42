package algos_test

import (
	"github.com/caulk-go/caulk/algos/synod"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// laterMarkRows has mark4 to mark7, each with what it holds against and what
// still breaks it, and their broken twins on both sides of the hole.
func laterMarkRows() []row {
	one := starts(map[model.ID]string{1: "x"})
	two := starts(map[model.ID]string{1: "x", 2: "y"})
	three := starts(map[model.ID]string{1: "x", 2: "y", 3: "z"})
	none := map[string]int{"retries": 0}
	apart := map[string]int{"proposers": 2}
	everybody := []model.ID{1, 2, 3}
	ignored := explorer.Options{Reduce: []explorer.Reduction{explorer.Ignored}}
	oneCall, twoCalls := map[string]int{"calls": 1}, map[string]int{"calls": 2}
	reduced := explorer.Options{Reduce: []explorer.Reduction{explorer.Ignored, explorer.Dead}}
	return []row{
		{algo: "mark4", setting: two, want: holds(5_483_330)},
		{algo: "mark4", params: none, setting: both(two, competing), want: holds(3_507)},
		{algo: "mark4", want: holds(61)},
		{algo: "mark4", params: none, setting: three, want: holds(41_307)},
		{algo: "mark4", agents: 4, params: none, setting: two, want: holds(56_747)},
		{algo: "mark4", setting: both(two, wipe(1, 3)), want: violated("agreement", 9)},
		{algo: "mark4-forgets", want: violated("agreement", 8)},
		{algo: "mark4-forgets", setting: one, want: holds(49)},
		{algo: "mark4-belowpromise", want: violated("agreement", 8)},
		{algo: "mark4-belowpromise", setting: one, want: holds(61)},

		{algo: "mark5", params: none, setting: both(two, restarts(2, everybody...)), want: holds(34_688)},
		{algo: "mark5", params: none, setting: both(three, restarts(1, everybody...)), want: holds(191_322)},
		{algo: "mark5", setting: both(two, restarts(1, 3)), options: ignored, want: holds(2_955_092)},
		{algo: "mark5", setting: both(two, wipe(1, 3)), want: violated("agreement", 9)},
		{algo: "mark5-forgetspromise", setting: restarts(1, 3), want: violated("agreement", 9)},
		{algo: "mark5-forgetspromise", params: none, want: holds(3_507)},
		{algo: "mark5-forgetsvote", setting: restarts(1, 3), want: violated("agreement", 9)},
		{algo: "mark5-forgetsvote", params: none, want: holds(3_507)},

		{algo: "mark6", setting: both(two, wipe(1, everybody...)), want: holds(486_996)},
		{algo: "mark6", setting: both(two, wipe(2, 3)), options: ignored, want: holds(2_570_174)},
		{algo: "mark6", params: apart, setting: wipe(1, 1), options: ignored, want: holds(20_569_786), long: true},
		{algo: "mark6-promises", params: apart, setting: wipe(1, 1), options: ignored, want: violated("agreement", 21), long: true},
		{algo: "mark6-promises", setting: both(two, wipe(1, everybody...)), want: holds(483_271)},
		{algo: "mark6-nonce", params: apart, setting: wipe(1, 1), options: ignored, want: violated("agreement", 21)},
		{algo: "mark6-nonce", setting: both(two, wipe(1, everybody...)), want: holds(325_717)},
		{algo: "mark6-nonce", params: apart, want: holds(345_695)},

		{algo: "mark7", want: holds(2_885_065)},
		{algo: "mark7", params: twoCalls, options: reduced, want: holds(314_249)},
		{algo: "mark7", setting: restarts(1, everybody...), options: reduced, want: holds(12_818)},
		{algo: "mark7", setting: restarts(1, everybody...), want: holds(9_105_096), long: true},
		{algo: "mark7", setting: wipe(1, 3), want: violated("one log", 13)},
		{algo: "mark7-twice", setting: restarts(1, 1, 2), want: violated("linearizable", 15)},
		{algo: "mark7-twice", params: oneCall, options: reduced, want: holds(4_015)},
		{algo: "mark7-localread", want: violated("linearizable", 14)},
		{algo: "mark7-localread", params: oneCall, options: reduced, want: holds(3_955)},
	}
}

// competing adds that both values are seen to win: neither is decided
// beforehand.
func competing(s *model.System) {
	for _, value := range []string{"x", "y"} {
		s.Properties = append(s.Properties, model.Sometimes(value+" decided", func(v model.View) bool {
			for _, a := range model.StatesOf[synod.Agent](v) {
				if a.Decided == value {
					return true
				}
			}
			return false
		}))
	}
}

// starts has other agents begin.
func starts(who map[model.ID]string) func(*model.System) {
	return func(s *model.System) { s.Starts = who }
}

// both is one change of a setting after another.
func both(first, second func(*model.System)) func(*model.System) {
	return func(s *model.System) {
		first(s)
		second(s)
	}
}
