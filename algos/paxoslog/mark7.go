// Package paxoslog is the last of the Mark series: a store that servers keep by a
// log, each slot of which is decided by Paxos, as Arakoon does it. Leslie Lamport,
// "Paxos Made Simple", ACM SIGACT News 32 (2001), section 3.
package paxoslog

import (
	"slices"

	"github.com/caulk-go/caulk/linear"
	"github.com/caulk-go/caulk/model"
)

const source = `Lamport, "Paxos Made Simple" (2001), section 3; Arakoon`

// Algorithms lists mark7, and its broken twins after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		entry("mark7", "many values: a log of batches, a master, and a store that clients read through the log",
			doc, "", server{}, 1, "mark7-twice", "mark7-localread"),
		entry("mark7-twice", "mark7 whose store does not say which slots are in it", twiceDoc,
			"a restarted server applies slots again that are in its store: a value is there twice",
			server{forgetsIndex: true}, 2, "mark7"),
		entry("mark7-localread", "mark7 whose master answers reads from its own store", localReadDoc,
			"a master that was deposed and does not know it answers a read: an old value is read after a new one",
			server{local: true}, 2, "mark7"),
	}
}

const doc = `Mark4 decides one value. Here servers keep a log, and decide slot after slot; a
store is what the log comes to. A server that a client calls, and that does not
lead, begins a round for all slots to come; once a majority has promised it is
the master. It puts the calls that wait, of all clients, into the next slot as
one batch. Promises bring the slots that the master lacks, and what was accepted
for the next one, which it must propose.

Reads go through the log, too: so the history of calls is linearizable, whoever
leads. A client's last call is remembered with its answer, and is not done
twice. Over a restart a server keeps what it has promised and accepted, the log,
and the store with the number of slots that are in it: --restart 1,2,3
--max-restarts 1.

Servers are agents 1 to 3, clients come after them: the first appends a to the
value, then reads; the second reads, then appends b; the third puts c, then
reads; each at server 1 or 2. Rounds are dealt out in turn, and there are
--param rounds=2 of them. With two calls of each, what is over fills the
network: --param calls=2 --reduce ignored,dead.

Nothing is sent twice, so what a lossy network loses must be made up for: a
server whose round comes to nothing begins another, and one that does nothing
asks the others for slots that it lacks: --param timer=1. Of a log that grows
only the end need be kept: --param keep=1. Who lacks more is given the store.

On a network the servers serve clients from outside, any number of keys: caulk
run --algo mark7 --clients 4.

Labels: a server's round, M for the master, C for who wants to be, and the value
in its store; what a client waits for, or a dot.`

const twiceDoc = `Mark7 whose store is on disk without the number of slots that are in it, and
without the calls that were done. A server that restarts applies its whole log
again. Then it reads, or says what a read has read, from a value in which calls
are there twice: --restart 1,2,3 --max-restarts 1.

Without a restart it holds: --param calls=1.`

const localReadDoc = `Mark7 whose master answers a read at once, from its own store. Another server
has become the master since, and has decided more.

With one call of each client it holds: --param calls=1. A master needs a lease,
or the log.`

func entry(name, summary, doc, hole string, r server, calls int, twins ...string) model.Algorithm {
	return model.Algorithm{
		Name: name, Summary: summary, Doc: doc, Source: source, Hole: hole, Twins: twins,
		Params: []model.Param{
			{Name: "clients", Doc: "clients; the servers, of which there are three, come before them", Default: 2, Min: 0, Max: 3},
			{Name: "calls", Doc: "how often each client calls: to append and to read by turns", Default: calls, Min: 1, Max: 9},
			{Name: "rounds", Doc: "rounds in all, dealt out in turn", Default: 2, Min: 1, Max: 1 << 30},
			{Name: "timer", Doc: "1: servers act when nothing has come for a while", Default: 0, Min: 0, Max: 1},
			{Name: "keep", Doc: "slots that a server keeps in its log; 0: all", Default: 0, Min: 0, Max: 1 << 20},
		},
		Deployed: map[string]int{"clients": 0, "rounds": 1 << 30, "keep": 100, "timer": 1},
		Make: func(c model.Config) model.System {
			r.servers, r.rounds, r.keep, r.timer = servers, c.Params["rounds"], c.Params["keep"], c.Params["timer"] > 0
			return r.system(c.Params["clients"], c.Params["calls"])
		},
	}
}

const servers = 3

func (r server) system(clients, calls int) model.System {
	s := model.System{
		Agents:     slices.Repeat([]model.Node{model.Of(r)}, servers),
		Properties: []model.Property{linearizable(), same(), model.Sometimes("two calls in a slot", twoInASlot)},
		Bodies:     []any{Ask{}, Answer{}, Prepare{}, Promise{}, Accept{}, Accepted{}, Decided{}, Lack{}, Missed{}},
	}
	if clients < 2 {
		s.Properties = s.Properties[:2]
	}
	for range clients {
		s.Agents = append(s.Agents, model.Of(client{calls}))
	}
	if clients == 0 {
		s.Properties = s.Properties[1:2] // nobody sees a history
		return s
	}
	s.Observer = model.Observe(History{}, observe, s.Population()[servers:]...)
	return s
}

// History is what the clients called, and what they got.
type History = linear.History[Call, string]

// observe records where a client calls, and where it has its answer.
func observe(h History, e model.Event) History {
	before, ok := e.Before.(Client)
	if !ok {
		return h
	}
	after := e.After.(Client)
	switch {
	case after.Waits && !before.Waits:
		return h.Invoke(e.Agent, after.call())
	case before.Waits && !after.Waits:
		return h.Return(e.Agent, after.Read)
	}
	return h
}

func linearizable() model.Property {
	p := linear.Property("linearizable", linear.Spec[string, Call, string]{Step: func(s string, c Call) (string, string) {
		return c.do(s)
	}})
	p.Doc = "what clients get is what one store, asked one call at a time, could have answered"
	return p
}

// same says that no two servers decide differently.
func same() model.Property {
	p := model.Always("one log", func(v model.View) error {
		for a, s := range model.StatesOf[Server](v) {
			for b, t := range model.StatesOf[Server](v) {
				for i := max(s.Base, t.Base); i < min(s.slots(), t.slots()); i++ {
					if a < b && !slices.Equal(s.Log[i-s.Base], t.Log[i-t.Base]) {
						return errorf(a, b, i)
					}
				}
			}
		}
		return nil
	})
	p.Doc = "no two servers have different batches in one slot"
	return p
}

func twoInASlot(v model.View) bool {
	for _, s := range model.StatesOf[Server](v) {
		for _, batch := range s.Log {
			if len(batch) > 1 {
				return true
			}
		}
	}
	return false
}
