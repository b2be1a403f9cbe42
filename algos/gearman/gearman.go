// Package gearman is the Gearman replicator for Drizzle: a plugin in a database
// wraps each transaction into a job; a job server hands it to a worker, who
// applies it to another database. A job whose worker vanished is given to
// another.
//
// A job queue promises that each job is done, at least once and in no order. A
// database needs each transaction once, and in order.
package gearman

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// Message is sent between plugin, job servers, workers, and the other database.
type Message = model.Message[Body]

// Body is what a message says. Transactions are numbered 1, 2, 3 in the order
// in which they were committed.
type Body interface{ body() }

type (
	Submit  struct{ Tx int } // plugin to job server
	Hello   struct{}         // worker to job servers: it is there, and knows of nothing
	Job     struct{ Tx int } // job server to worker
	Apply   struct{ Tx int } // worker to database
	Applied struct{ Tx int } // and the answer
	Result  struct{ Tx int } // worker to job server: done
)

func (Submit) body()  {}
func (Hello) body()   {}
func (Job) body()     {}
func (Apply) body()   {}
func (Applied) body() {}
func (Result) body()  {}

// Detail is the transaction.
func (b Submit) Detail() string { return fmt.Sprint(b.Tx) }

// Detail is the transaction.
func (b Job) Detail() string { return fmt.Sprint(b.Tx) }

// Detail is the transaction.
func (b Apply) Detail() string { return fmt.Sprint(b.Tx) }

// Detail is the transaction.
func (b Applied) Detail() string { return fmt.Sprint(b.Tx) }

// Detail is the transaction.
func (b Result) Detail() string { return fmt.Sprint(b.Tx) }

// Population is who is who: the plugin is agent 1, then come the job servers,
// the workers, and last the database.
type Population struct {
	Servers, Workers []model.ID
	Database         model.ID
}

// Plugin is the state of the replicator in the first database: how many
// transactions were committed and handed out, by turns to each job server.
type Plugin int

type plugin struct {
	Population
	transactions int
}

func (plugin) Fresh(model.ID, []model.ID, int) (Plugin, []Message) { return 0, nil }
func (plugin) Receive(p Plugin, _ Message) (Plugin, []Message)     { return p, nil }
func (plugin) Label(p Plugin) string                               { return fmt.Sprintf("%d ", int(p)) }
func (g plugin) Actions() []model.Action[Plugin, Body] {
	return []model.Action[Plugin, Body]{{Name: "commit", Kind: model.Input, Fair: true, Do: func(p Plugin) (Plugin, []Message, bool) {
		to := g.Servers[int(p)%len(g.Servers)]
		return p + 1, []Message{{To: to, Body: Submit{int(p) + 1}}}, int(p) < g.transactions
	}}}
}

// Jobs is the state of a job server.
type Jobs struct {
	Queue []int            // that nobody does
	Free  []model.ID       // workers, in the order in which they became so
	Doing map[model.ID]int // by worker
}

type jobServer struct{}

func (jobServer) Fresh(model.ID, []model.ID, int) (Jobs, []Message) { return Jobs{}, nil }

func (jobServer) Receive(j Jobs, m Message) (Jobs, []Message) {
	doing := maps.Clone(j.Doing)
	j.Doing = doing
	switch b := m.Body.(type) {
	case Submit:
		j.Queue = append(j.Queue, b.Tx)
	case Hello: // whatever it did, it does no more
		if tx, vanished := doing[m.From]; vanished {
			j.Queue = slices.Insert(slices.Clone(j.Queue), 0, tx)
		}
		j.free(m.From)
	case Result:
		if doing[m.From] == b.Tx {
			j.free(m.From)
		}
	}
	var sent []Message
	for len(j.Queue) > 0 && len(j.Free) > 0 {
		tx, worker := j.Queue[0], j.Free[0]
		j.Queue, j.Free = j.Queue[1:], j.Free[1:]
		doing[worker] = tx
		sent = append(sent, Message{To: worker, Body: Job{tx}})
	}
	return j, sent
}

func (j *Jobs) free(worker model.ID) {
	delete(j.Doing, worker)
	if !slices.Contains(j.Free, worker) {
		j.Free = append(j.Free, worker)
	}
}

// Label is the jobs that wait, and the number of those that are being done.
func (jobServer) Label(j Jobs) string { return fmt.Sprintf("%v%d ", j.Queue, len(j.Doing)) }

// Work is the state of a worker: what it was given and has not answered, first
// what it does.
type Work struct{ Given []Given }

// Given is a job, and who gave it.
type Given struct {
	Tx   int
	From model.ID
}

type worker struct{ Population }

func (w worker) Fresh(model.ID, []model.ID, int) (Work, []Message) {
	var sent []Message
	for _, id := range w.Servers {
		sent = append(sent, Message{To: id, Body: Hello{}})
	}
	return Work{}, sent
}

func (w worker) Receive(s Work, m Message) (Work, []Message) {
	switch b := m.Body.(type) {
	case Job:
		s.Given = append(s.Given, Given{b.Tx, m.From})
		if len(s.Given) == 1 {
			return s, []Message{{To: w.Database, Body: Apply(b)}}
		}
	case Applied:
		if len(s.Given) == 0 || s.Given[0].Tx != b.Tx {
			return s, nil // it was another life's
		}
		sent := []Message{{To: s.Given[0].From, Body: Result(b)}}
		if s.Given = s.Given[1:]; len(s.Given) > 0 {
			sent = append(sent, Message{To: w.Database, Body: Apply{s.Given[0].Tx}})
		}
		return s, sent
	}
	return s, nil
}

// Label is a dot for a worker that does nothing, and else what it does.
func (worker) Label(s Work) string {
	if len(s.Given) == 0 {
		return "."
	}
	return fmt.Sprint(s.Given[0].Tx)
}

// Variant is what the second database makes of transactions. Both together
// hold.
type Variant struct {
	Order bool // one that comes early waits for its turn
	Once  bool // one that was applied is not applied again
}

// Copy is the state of the second database: the transactions that were applied,
// in order, and those that wait for their turn, ascending.
type Copy struct{ Log, Early []int }

type database struct{ Variant }

func (database) Fresh(model.ID, []model.ID, int) (Copy, []Message) { return Copy{}, nil }

func (d database) Receive(c Copy, m Message) (Copy, []Message) {
	b, ok := m.Body.(Apply)
	if !ok {
		return c, nil
	}
	answer := []Message{{To: m.From, Body: Applied(b)}}
	switch {
	case d.Once && (slices.Contains(c.Log, b.Tx) || slices.Contains(c.Early, b.Tx)):
		return c, answer
	case !d.Order:
		c.Log = append(c.Log, b.Tx)
		return c, answer
	}
	c.Early = append(c.Early, b.Tx)
	slices.Sort(c.Early)
	for len(c.Early) > 0 && c.Early[0] == len(c.Log)+1 {
		c.Log, c.Early = append(c.Log, c.Early[0]), c.Early[1:]
	}
	return c, answer
}

// Label is the transactions, in the order in which they were applied.
func (database) Label(c Copy) string {
	return " " + strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Log), " ", ""), "[]")
}
