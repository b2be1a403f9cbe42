package queue

import (
	"slices"

	"github.com/caulk-go/caulk/model"
)

const source = "Arakoon, user functions: the queue"

const labels = `
Labels: [ab] is the queue; then what the producer has still to push; then what
the consumer has done, with ? while it waits for a value and ! while it waits
for the value to be deleted.`

const doc = `Arakoon keeps keys and values on many nodes. Its users may add functions that
every node executes, each as a transaction. One of their first was a queue: pop
gives the first value and deletes it. Each call is atomic, and the nodes agree
on the order of calls. What can go wrong?

Agent 1 is the store, agent 2 pushes values, agent 3 pops them and does what is
to be done. Its process may die once: it forgets what it waits for, not what it
has done.

The value that was popped is deleted when its answer is sent. If the consumer
dies before the answer arrives, nobody has it any more. queue-peek caulks it.
` + labels

const docPeek = `The queue caulked: the consumer peeks at the first value, does what is to be
done, and acknowledges it by its ID; then the store deletes it. A consumer that
died peeks again. It may get what it has done already, and knows it by the ID.
An acknowledgement can be sent again: the store deletes nothing but the value
of that ID, and answers all the same.

For this an ID must never come back. So the counters go on when the queue is
empty, where Arakoon's begin anew; queue-reset has that hole.
` + labels

const docReset = `queue-peek with Arakoon's counters: when the queue is empty, they begin anew.
Then an ID comes back for another value. An acknowledgement that was sent again
deletes it; and the consumer, who knows that ID, takes it for done.
` + labels

// Algorithms are the entries in the list of algorithms: the queue, then as it
// is caulked, then with a hole in the caulk.
func Algorithms() []model.Algorithm {
	pop := model.Algorithm{
		Name:    "queue",
		Summary: "a queue on a replicated store: what is popped is lost with its reader",
		Doc:     doc,
		Twins:   []string{"queue-peek"},
		Hole:    "pop deletes what it answers: a client that dies before it reads the answer takes the value with it",
		Make:    system(server{resets: true}, model.Of(popper{})),
	}
	peek := model.Algorithm{
		Name:    "queue-peek",
		Summary: "the queue with values that are read first, and deleted by their ID",
		Doc:     docPeek,
		Twins:   []string{"queue", "queue-reset"},
		Make:    system(server{}, model.Of(peeker{})),
	}
	reset := model.Algorithm{
		Name:    "queue-reset",
		Summary: "queue-peek whose IDs begin anew when the queue is empty",
		Doc:     docReset,
		Twins:   []string{"queue-peek"},
		Hole:    "an ID comes back: a new value is taken for one that was done, and deleted",
		Make:    system(server{resets: true}, model.Of(peeker{})),
	}
	all := []model.Algorithm{pop, peek, reset}
	for i := range all {
		all[i].Source = source
		all[i].Params = []model.Param{{Name: "values", Doc: "values that are pushed", Default: 2, Min: 1, Max: 5}}
	}
	return all
}

func system(s server, client model.Node) func(model.Config) model.System {
	return func(c model.Config) model.System {
		var items []string
		for i := range c.Params["values"] {
			items = append(items, string(rune('a'+i)))
		}
		budgets := map[model.Budget]int{model.Restarts: 1}
		if slices.ContainsFunc(client.Actions(), func(a model.NodeAction) bool { return a.Kind == model.Timer }) {
			budgets[model.Timeouts] = 1
		}
		return model.System{
			Agents:  []model.Node{model.Of(s), model.Of(pusher{items}), client},
			Restart: []model.ID{consumer},
			Budgets: budgets,
			Properties: []model.Property{
				notLost(items),
				onceEach(items),
				model.Sometimes("all is done", allDone(items)),
				model.Eventually("all gets done", allDone(items)),
			},
		}
	}
}
