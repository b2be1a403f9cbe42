package gearman

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

const doc = `Replication by a job queue: a plugin, agent 1, makes a job of each transaction
that is committed; job servers hand jobs to workers; a worker applies its job to
the second database, which is the last agent. A worker may die once: it comes
back without knowing what it did, and its job is given to whoever is free.

The second database must always hold a prefix of the first one's history, and in
the end all of it. Jobs are done by many, and may be done twice. So transactions
have numbers: one that comes early waits for its turn, and one that was applied
is not applied again.

    - gearman-unordered applies them as they come: right with one job server
      and one worker, wrong with two of either.
    - gearman-twice does not know what it applied: a worker that dies after
      applying, and before it says so, has it applied twice.

Labels: how many transactions were committed; for each job server the jobs that
wait, and how many are being done; what each worker does; what was applied.`

func entry(name, summary, hole string, v Variant, workers int) model.Algorithm {
	a := model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     doc,
		Source:  "the Gearman replicator for Drizzle",
		Twins:   []string{"gearman"},
		Hole:    hole,
		Params: []model.Param{
			{Name: "servers", Doc: "job servers", Default: 1, Min: 1, Max: 3},
			{Name: "workers", Doc: "workers", Default: workers, Min: 1, Max: 3},
			{Name: "transactions", Doc: "transactions that are committed", Default: 2, Min: 1, Max: 4},
		},
		Make: func(c model.Config) model.System { return system(c, v) },
	}
	if hole == "" {
		a.Twins = []string{"gearman-unordered", "gearman-twice"}
	}
	return a
}

// Algorithms are the entries in the list of algorithms: the one that holds,
// then its twins.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		entry("gearman", "replication by a job queue, with numbered transactions", "", Variant{Order: true, Once: true}, 2),
		entry("gearman-unordered", "gearman that applies transactions as they come",
			"two workers are not equally fast: the later transaction is applied first", Variant{Once: true}, 2),
		entry("gearman-twice", "gearman that does not know what it has applied",
			"a worker dies after applying and before answering: another applies it again", Variant{}, 1),
	}
}

func system(c model.Config, v Variant) model.System {
	next := model.ID(1)
	ids := func(n int) (list []model.ID) {
		for range n {
			next++
			list = append(list, next)
		}
		return list
	}
	p := Population{Servers: ids(c.Params["servers"]), Workers: ids(c.Params["workers"])}
	p.Database = next + 1
	transactions := c.Params["transactions"]
	whole := func(v model.View) bool { return len(model.StateOf[Copy](v, p.Database).Log) == transactions }
	some := model.Sometimes("all is applied", whole)
	all := model.Eventually("all gets applied", whole) // once the last worker has died
	s := model.System{
		Agents:     []model.Node{model.Of(plugin{p, transactions})},
		Network:    model.Fifo,
		Wipe:       p.Workers,
		Budgets:    map[model.Budget]int{model.Wipes: 1},
		Properties: []model.Property{prefix(p.Database), some, all},
	}
	for range p.Servers {
		s.Agents = append(s.Agents, model.Of(jobServer{}))
	}
	for range p.Workers {
		s.Agents = append(s.Agents, model.Of(worker{p}))
	}
	s.Agents = append(s.Agents, model.Of(database{v}))
	return s
}

// prefix is that the copy is what the first database was at some time.
func prefix(database model.ID) model.Property {
	p := model.Always("a prefix", func(v model.View) error {
		log := model.StateOf[Copy](v, database).Log
		for i, tx := range log {
			if tx != i+1 {
				return fmt.Errorf("transactions were applied in the order %v", log)
			}
		}
		return nil
	})
	p.Doc = "the second database holds a prefix of the first one's history"
	return p
}
