package search

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

const doc = `Debian Code Search: a front end, agent 1, sends a query to index servers, which
stream what they find, and puts the results in order as they come. The same
query must give the same pages: by rank, and where ranks are equal by a hash of
the path. (search-arrival leaves equal ranks in order of arrival.)

A server sends no more than a window of results that are not acknowledged: if
its reader is slow it stops searching, and nothing is buffered without bound.
(search-flood goes on.) A server that does not answer is given up on, and the
result says that it is partial. (search-silent does not.)

--crash 2 --max-crashes 1 has a server die.

Labels: the results on the pages, with . when they are all there and ... when
they are partial; for each server how many results it sent, with . at the end.`

func entry(name, summary, hole string, v Variant) model.Algorithm {
	a := model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     doc,
		Source:  `Stapelberg, "Debian Code Search" (2012), and its streaming front end`,
		Twins:   []string{"search"},
		Hole:    hole,
		Params: []model.Param{
			{Name: "servers", Doc: "index servers", Default: 3, Min: 1, Max: 6},
			{Name: "results", Doc: "results of each server", Default: 2, Min: 1, Max: 4},
			{Name: "window", Doc: "results of a server that may be on their way", Default: 1, Min: 1, Max: 4},
		},
		Make: func(c model.Config) model.System { return system(c, v) },
	}
	if hole == "" {
		a.Twins = []string{"search-arrival", "search-silent", "search-flood"}
	}
	return a
}

// Algorithms are the entries in the list of algorithms: the one that holds,
// then its twins.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		entry("search", "results of many servers in one order, whatever comes first", "",
			Variant{TiesByHash: true, SaysPartial: true, Window: true}),
		entry("search-arrival", "search with equal ranks in order of arrival",
			"the same query gives two orders: where ranks are equal, whoever answers first stands first",
			Variant{SaysPartial: true, Window: true}),
		entry("search-silent", "search that does not say when it gives up on a server",
			"a server does not answer in time, and its results are missing from pages that look whole",
			Variant{TiesByHash: true, Window: true}),
		entry("search-flood", "search whose servers do not wait for their reader",
			"a server goes on while its reader is slow: what is on its way grows without bound",
			Variant{TiesByHash: true, SaysPartial: true}),
	}
}

func system(c model.Config, v Variant) model.System {
	servers, results, window := c.Params["servers"], c.Params["results"], c.Params["window"]
	// Every server finds a result of each rank, so that all ranks are tied.
	found := func(self model.ID) []Result {
		var all []Result
		for i := range results {
			all = append(all, Result{results - i, fmt.Sprintf("%c%d", 'a'+i, self)})
		}
		return all
	}
	f := frontEnd{Variant: v}
	var everything []Result
	for i := range servers {
		id := model.ID(i + 2)
		f.servers = append(f.servers, id)
		for _, r := range found(id) {
			everything = frontEnd{Variant: Variant{TiesByHash: true}}.insert(everything, r)
		}
	}
	s := model.System{
		Agents: []model.Node{model.Of(f)},
		Properties: []model.Property{
			samePages(everything),
			wholeOrPartial(len(everything)),
			bounded(window),
			model.Sometimes("all is found", func(v model.View) bool {
				p := model.StateOf[Pages](v, front)
				return p.Done && !p.Partial
			}),
			model.Eventually("the query ends", func(v model.View) bool { return model.StateOf[Pages](v, front).Done }),
		},
	}
	for range servers {
		s.Agents = append(s.Agents, model.Of(server{v, found, window}))
	}
	return s
}

// samePages is that the order of the pages does not depend on who was first.
func samePages(everything []Result) model.Property {
	p := model.Always("the same pages", func(v model.View) error {
		got := model.StateOf[Pages](v, front).Results
		var want []Result // what there is of everything, in its order
		for _, r := range everything {
			if slices.Contains(got, r) {
				want = append(want, r)
			}
		}
		for i := range got {
			if got[i] != want[i] {
				return fmt.Errorf("%s stands before %s, which has the same rank: another time it is the other way round", got[i].Path, want[i].Path)
			}
		}
		return nil
	})
	p.Doc = "results stand in an order that does not depend on which came first"
	return p
}

// wholeOrPartial is that pages which lack something say so.
func wholeOrPartial(all int) model.Property {
	p := model.Always("whole, or said to be partial", func(v model.View) error {
		p := model.StateOf[Pages](v, front)
		if p.Done && !p.Partial && len(p.Results) < all {
			return fmt.Errorf("the pages look whole, and %d of %d results are missing", all-len(p.Results), all)
		}
		return nil
	}).When(func(v model.View) bool { return model.StateOf[Pages](v, front).Done })
	p.Doc = "pages that lack results say so"
	return p
}

// bounded is that a slow reader stops the servers.
func bounded(window int) model.Property {
	p := model.Always("bounded", func(v model.View) error {
		for id, s := range model.StatesOf[Index](v) {
			if s.Unacked > window {
				return fmt.Errorf("%d results of server %d are on their way, and no more than %d may be", s.Unacked, id, window)
			}
		}
		return nil
	})
	p.Doc = "no more than a window of a server's results is on its way"
	return p
}
