package algos_test

import "github.com/caulk-go/caulk/model"

func queueRows() []row {
	budgets := func(restarts, timeouts int) func(*model.System) {
		return func(s *model.System) {
			s.Budgets[model.Restarts] = restarts
			if _, limited := s.Budgets[model.Timeouts]; limited {
				s.Budgets[model.Timeouts] = timeouts
			}
		}
	}
	values := func(n int) map[string]int { return map[string]int{"values": n} }
	return []row{
		{algo: "queue", want: violated("no value is lost", 6)},
		{algo: "queue", setting: budgets(0, 0), want: holds(55)}, // whose client lives
		{algo: "queue-peek", want: holds(1_630)},
		{algo: "queue-peek", params: values(3), want: holds(4_814)},
		{algo: "queue-peek", setting: budgets(2, 2), want: holds(21_432)},
		{algo: "queue-reset", want: violated("no value is lost", 11)},
		{algo: "queue-reset", setting: budgets(0, 0), want: violated("no value is lost", 14)}, // the consumer knows the ID
		{algo: "queue-reset", params: values(1), want: holds(312)},                            // none comes back
	}
}
