// Command election checks an algorithm of one's own. Agents 1 and 2 vote for
// themselves and ask agent 3, which votes once: no two ever lead. Or do they?
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/caulk-go/caulk/cli"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

type voter struct {
	VotedFor model.ID
	Votes    int
}

type body string // what a message says: Ask or Vote

func (b body) Kind() string { return string(b) }

type election struct{}

func (election) Fresh(model.ID, []model.ID, int) (voter, []model.Message[body]) {
	return voter{}, nil
}

func (election) Start(v voter, _ string) (voter, []model.Message[body]) {
	return voter{Votes: 1}, []model.Message[body]{{To: 3, Body: "Ask"}}
}

func (election) Receive(v voter, m model.Message[body]) (voter, []model.Message[body]) {
	switch {
	case m.Body == "Vote":
		v.Votes++
	case v.VotedFor == 0:
		v.VotedFor = m.From
		return v, []model.Message[body]{{To: m.From, Body: "Vote"}}
	}
	return v, nil
}

func oneLeader(view model.View) error {
	if model.StateOf[voter](view, 1).Votes == 2 && model.StateOf[voter](view, 2).Votes == 2 {
		return errors.New("agents 1 and 2 both lead")
	}
	return nil
}

// system is one setting: who starts, who may lose everything at any time.
func system(wipe ...model.ID) model.System {
	agent := model.Of(election{})
	return model.System{
		Name:       "election",
		Agents:     []model.Node{agent, agent, agent},
		Starts:     map[model.ID]string{1: "", 2: ""},
		Wipe:       wipe,
		Properties: []model.Property{model.Always("one leader", oneLeader)},
	}
}

func main() {
	if len(os.Args) > 1 {
		os.Exit(cli.Main([]model.Algorithm{algorithm()}))
	}
	check()
}

func check() {
	for _, s := range []model.System{system(), system(3)} {
		r, err := explorer.Explore(context.Background(), s, explorer.Options{})
		if err != nil {
			panic(err)
		}
		fmt.Printf("wipe %v: %s, %d states\n", s.Wipe, r.Verdict, r.States)
		if r.Violation != nil {
			fmt.Println(r.Violation.Reason)
			for _, step := range r.Violation.Path {
				fmt.Println(" ", step.Label)
			}
		}
	}
}
