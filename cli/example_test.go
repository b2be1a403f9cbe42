package cli_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cli"
	"github.com/caulk-go/caulk/model"
)

// Ping is a message, and pinger an agent that greets the next one when it is
// started.
type Ping struct{}

type pinger struct{}

func (pinger) Fresh(self model.ID, _ []model.ID, _ int) (model.ID, []model.Message[Ping]) {
	return self, nil
}

func (pinger) Start(self model.ID, _ string) (model.ID, []model.Message[Ping]) {
	return self, []model.Message[Ping]{{To: self + 1}}
}

func (pinger) Receive(self model.ID, _ model.Message[Ping]) (model.ID, []model.Message[Ping]) {
	return self, nil
}

// A program of your own has the whole command line for your own algorithms:
//
//	func main() { os.Exit(cli.Main(algorithms())) }
//
// Here it is run with what the user typed as arguments.
func Example() {
	algorithms := []model.Algorithm{{
		Name:    "ping",
		Summary: "greets the next agent",
		Agents:  2,
		Starts:  map[model.ID]string{1: "go"},
		Make: func(c model.Config) model.System {
			s := model.System{}
			for range c.Agents {
				s.Agents = append(s.Agents, model.Of(pinger{}))
			}
			return s
		},
	}}
	std := cli.Streams{In: strings.NewReader(""), Out: os.Stdout, Err: os.Stdout}

	fmt.Println(cli.Run(context.Background(), algorithms, []string{"mine", "algos"}, std))
	fmt.Println(cli.Run(context.Background(), algorithms, []string{"mine", "explore", "--algo", "pong"}, std))
	// Output:
	// ping  greets the next agent
	// 0
	// mine: there is no algorithm "pong": did you mean ping? (mine algos lists them)
	// 2
}

// The verdict is the last line of the report, and the exit status.
func ExampleRun() {
	var out strings.Builder
	status := cli.Run(context.Background(), algos.All(),
		[]string{"caulk", "explore", "--algo", "mark2", "--wipe", "3"}, cli.Streams{Out: &out, Err: os.Stderr})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	fmt.Println(lines[len(lines)-1])
	fmt.Println(status)
	// Output:
	// violated: consistent, after 4 moves: agents 2 and 3 are idle at n=0 with different stores: "x" of n=1 and nothing
	// 1
}
