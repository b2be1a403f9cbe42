package model_test

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

type voter struct{ VotedFor, Votes int }

type body string

type election struct{}

func (election) Fresh(model.ID, []model.ID, int) (voter, []model.Message[body]) { return voter{}, nil }

func (election) Receive(v voter, _ model.Message[body]) (voter, []model.Message[body]) { return v, nil }

func (election) Actions() []model.Action[voter, body] {
	askAgain := func(v voter) (voter, []model.Message[body], bool) {
		return voter{Votes: 2}, []model.Message[body]{{To: 3, Body: "Ask"}}, v.Votes == 1
	}
	return []model.Action[voter, body]{{Name: "ask again", Kind: model.Timer, Do: askAgain}}
}

// An own action is a move that is possible where its Do says so.
func ExampleActor() {
	action := model.Of(election{}).Actions()[0]
	for votes := range 3 {
		r, enabled := action.Do(voter{Votes: votes})
		fmt.Println(action.Name, enabled, r.Sent)
	}
	// Output:
	// ask again false []
	// ask again true [{0 3 Ask}]
	// ask again false []
}
