package trace_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/caulk-go/caulk/algos/paxos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// Replay a counterexample of mark2 on mark2 itself, on the mark that mends it,
// and on one that never came so far.
func ExampleReplay() {
	path, err := trace.Read(strings.NewReader(`{
		"schema": "caulk/path/v1",
		"algo": "mark2", "agents": 3, "starts": {"1": "x"}, "network": "bag", "wipe": [3],
		"path": [
			{"label": "{Prepare;1->3;n=1}"},
			{"label": "{Promise;3->1;n=1}"},
			{"label": "{Accept;1->2;n=1}"},
			{"label": "Wipe 3"}
		]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, variant := range []paxos.Variant{paxos.Mark2, paxos.Mark2b, paxos.Mark1} {
		algorithm := variant.Algorithm()
		sys, err := path.Setting.System(&algorithm)
		if err != nil {
			log.Fatal(err)
		}
		outcome, err := trace.Replay(&sys, path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(variant.Name, outcome)
		fmt.Println(outcome.Labels())
	}
	// Output:
	// mark2 still fails at move 4 of 4, Wipe 3: consistent: agents 2 and 3 are idle at n=0 with different stores: "x" of n=1 and nothing
	// [R1I0I0 R1I0P1 L1I0P1 L1I0P1 L1I0I0]
	// mark2b fixed: every move is possible and nothing fails (moves: 4)
	// [R1I0I0 R1I0P1 L1I0P1 L1I1P1 L1I1I0]
	// mark1 still fails at move 3 of 4, {Accept;1->2;n=1}: agent 2 is halted
	// [R1I0I0 R1I0P1 L1I0P1 L1H0P1]
}

func ExampleWrite() {
	algorithm := paxos.Mark2.Algorithm()
	sys, err := algorithm.System(model.Config{})
	if err != nil {
		log.Fatal(err)
	}
	setting := trace.SettingOf(&sys)
	steps := []trace.Step{{Move: "deliver", Label: "{Prepare;1->3;n=1}", From: 1, To: 3, Body: "Prepare{N: 1}", State: "R1I0P1"}}
	if err := trace.Write(os.Stdout, trace.Path{Setting: &setting, Steps: steps, Property: "consistent"}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {
	//   "schema": "caulk/path/v1",
	//   "algo": "mark2",
	//   "agents": 3,
	//   "params": {},
	//   "starts": {
	//     "1": "x"
	//   },
	//   "network": "bag",
	//   "lossy": false,
	//   "wipe": [],
	//   "restart": [],
	//   "crash": [],
	//   "budgets": {},
	//   "property": "consistent",
	//   "path": [
	//     {"move":"deliver","label":"{Prepare;1->3;n=1}","from":1,"to":3,"body":"Prepare{N: 1}","state":"R1I0P1"}
	//   ]
	// }
}

func ExampleCommandLine() {
	fmt.Println(trace.CommandLine("caulk", "explore", "--algo", "mark2", "--start", "1=it's"))
	// Output:
	// caulk explore --algo mark2 --start '1=it'\''s'
}
