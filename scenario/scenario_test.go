package scenario

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// election is an agent that takes the lead whenever it has heard of no leader.
type election struct{ flaw string }

type claim struct{}

func (claim) Kind() string { return "Claim" }

type candidate struct {
	Others []model.ID
	Role   string // - F L: has heard of no leader, follows one, leads
}

func (election) Fresh(self model.ID, population []model.ID, _ int) (candidate, []model.Message[claim]) {
	c := candidate{Role: "-"}
	for _, id := range population {
		if id != self {
			c.Others = append(c.Others, id)
		}
	}
	return c, nil
}

func (e election) Receive(c candidate, _ model.Message[claim]) (candidate, []model.Message[claim]) {
	switch e.flaw {
	case "panics":
		panic("a claim is too much")
	case "impure":
		c.Others[0] = 7
	}
	c.Role = "F"
	return c, nil
}

func (election) Actions() []model.Action[candidate, claim] {
	return []model.Action[candidate, claim]{{Name: "lead", Do: func(c candidate) (candidate, []model.Message[claim], bool) {
		if c.Role != "-" {
			return c, nil, false
		}
		c.Role = "L"
		var claims []model.Message[claim]
		for _, id := range c.Others {
			claims = append(claims, model.Message[claim]{To: id})
		}
		return c, claims, true
	}}}
}

func (election) Label(c candidate) string { return c.Role }

func elect(agents int) model.System {
	s := model.System{Name: "election", Properties: []model.Property{
		model.Always("one leader", func(v model.View) error {
			var first model.ID
			for id, c := range model.StatesOf[candidate](v) {
				if c.Role == "L" && first != 0 {
					return fmt.Errorf("agents %d and %d both lead", first, id)
				} else if c.Role == "L" {
					first = id
				}
			}
			return nil
		}),
	}}
	for range agents {
		s.Agents = append(s.Agents, model.Of(election{}))
	}
	return s
}

func flawed(flaw string) model.System {
	s := elect(2)
	s.Agents = []model.Node{model.Of(election{flaw}), model.Of(election{flaw})}
	return s
}

func TestRun(t *testing.T) {
	Run(t, []Case{
		{
			Name:   "one candidate",
			System: elect(1),
			Want:   Want{Verdict: explorer.Holds, States: 2, Transitions: new(1), Terminal: new(1), Awry: map[string]int{}},
		},
		{
			Name:   "two candidates",
			System: elect(2),
			Want: Want{
				Verdict: explorer.Violated, Property: "one leader", Reason: "agents 1 and 2 both lead",
				Moves: new(2), Path: []string{"lead 1", "lead 2"}, EndsIn: "LL",
				Properties: map[string]explorer.Verdict{"one leader": explorer.Violated},
			},
		},
		{
			Name:    "not far enough to see it",
			System:  elect(2),
			Options: explorer.Options{Depth: new(1)},
			Want:    Want{Verdict: explorer.Incomplete, States: 3},
		},
		{
			Name:   "a handler panics",
			System: flawed("panics"),
			Want:   Want{Verdict: explorer.Violated, Property: "no panic", Path: []string{"lead 1", "{Claim;1->2}"}},
		},
		{
			Name:   "a handler is not pure",
			System: flawed("impure"),
			Want:   Want{Error: "is not pure"},
		},
	})
}

const failing = "CAULK_SCENARIO_FAILING"

// TestFailing runs in a process that TestFailure starts, and fails there.
func TestFailing(t *testing.T) {
	if os.Getenv(failing) == "" {
		t.Skip("TestFailure runs it")
	}
	Run(t, []Case{
		{Name: "wrong", System: elect(2), Want: Want{Verdict: explorer.Holds, Moves: new(2)}},
		{Name: "right", System: elect(2), Want: Want{Verdict: explorer.Violated}},
		{Name: "panic", System: flawed("panics"), Want: Want{Verdict: explorer.Holds}},
		{System: flawed("impure"), Options: explorer.Options{KeepGoing: true}},
	})
}

// TestFailure reads what go test says of a table with one case that is right.
func TestFailure(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestFailing$", "-test.v")
	cmd.Env = append(os.Environ(), failing+"=yes")
	out, err := cmd.CombinedOutput()
	said := strings.ReplaceAll(string(out), "\u00a0", " ")
	if err == nil {
		t.Errorf("the tests passed:\n%s", said)
	}
	for _, want := range []string{
		"--- FAIL: TestFailing/wrong",
		"--- PASS: TestFailing/right",
		"--- FAIL: TestFailing/election_--agents_2_--network_bag",
		`"violated"`,
		`
        one leader is violated after 2 moves, in LL: agents 1 and 2 both lead
            1  lead 1  L-
            2  lead 2  LL
        To see it, in caulk or a program of your own that gives cli.Main this algorithm:
            caulk explore --algo election --agents 2 --network bag
`,
		"    2  {Claim;1->2}\n",
		"the search was refused: ",
		"is not pure",
		"    caulk explore --algo election --agents 2 --network bag --keep-going\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the output lacks %q:\n%s", want, said)
		}
	}
}
