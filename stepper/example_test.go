package stepper_test

import (
	"fmt"
	"log"

	"github.com/caulk-go/caulk/algos/paxos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/stepper"
)

// Walk into the hole of mark2: agent 3 promises, is wiped, and forgets what
// agent 2 accepts.
func Example() {
	algorithm := paxos.Mark2.Algorithm()
	sys, err := algorithm.System(model.Config{})
	if err != nil {
		log.Fatal(err)
	}
	sys.Wipe = []model.ID{3}

	s, err := stepper.New(&sys, 0)
	if err != nil {
		log.Fatal(err)
	}
	st, err := s.Start()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Label(st))
	for _, label := range []string{"{Prepare;1->3;n=1}", "{Promise;3->1;n=1}", "{Accept;1->2;n=1}", "Wipe 3"} {
		choices, err := s.Moves(st)
		if err != nil {
			log.Fatal(err)
		}
		c, err := stepper.Find(choices, label, "")
		if err != nil {
			log.Fatal(err)
		}
		st = c.Next
		fmt.Println(s.Label(st), c.Label)
	}
	for _, f := range s.Failures(st) {
		fmt.Println(f)
	}
	// Output:
	// R1I0I0
	// R1I0P1 {Prepare;1->3;n=1}
	// L1I0P1 {Promise;3->1;n=1}
	// L1I0P1 {Accept;1->2;n=1}
	// L1I0I0 Wipe 3
	// consistent: agents 2 and 3 are idle at n=0 with different stores: "x" of n=1 and nothing
}
