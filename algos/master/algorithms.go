package master

import "github.com/caulk-go/caulk/model"

func leases(name, summary, hole string, shorter bool) model.Algorithm {
	return model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     docLease,
		Source:  `Gray and Cheriton, "Leases" (SOSP 1989), sections 2 and 5`,
		Hole:    hole,
		Agents:  3, MinAgents: 2,
		Params: []model.Param{
			{Name: "lease", Doc: "how long a vote binds, in ticks of the voter's clock", Default: 3, Min: 1, Max: 6},
			{Name: "drift", Doc: "by how much any two clocks may differ", Default: 1, Min: 0, Max: 3},
			{Name: "time", Doc: "at which clocks stop", Default: 3, Min: 1, Max: 10},
			{Name: "campaigns", Doc: "of each node", Default: 1, Min: 1, Max: 3},
		},
		Make: func(c model.Config) model.System {
			l := lease{length: c.Params["lease"], time: c.Params["time"], campaigns: c.Params["campaigns"]}
			if shorter {
				l.shorter = 2 * c.Params["drift"]
			}
			s := model.System{
				Observer:   watch(c.Params["drift"]),
				Properties: []model.Property{oneMaster(), model.Sometimes("a master after another campaign", twoCampaigns)},
			}
			for range c.Agents {
				s.Agents = append(s.Agents, model.Of(l))
			}
			return s
		},
	}
}

func campaigns(name, summary, hole string, named bool) model.Algorithm {
	return model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     docElection,
		Source:  `Chandra, Hadzilacos and Toueg, "The weakest failure detector for solving consensus" (1996)`,
		Hole:    hole,
		Params:  []model.Param{{Name: "nodes", Doc: "nodes that may become master", Default: 3, Min: 2, Max: 5}},
		Make: func(c model.Config) model.System {
			nodes := c.Params["nodes"]
			s := model.System{Properties: []model.Property{
				oneElected(),
				model.Sometimes("a master", elected),
				model.Eventually("a master at last", elected),
			}}
			for range nodes {
				s.Agents = append(s.Agents, model.Of(campaigner{nodes, named}))
			}
			if named {
				s.Agents = append(s.Agents, model.Of(oracle{nodes, 1}))
			}
			return s
		},
	}
}

// Algorithms are the entries in the list of algorithms: leases and campaigns,
// each with its twin.
func Algorithms() []model.Algorithm {
	all := []model.Algorithm{
		leases("master", "a master with a lease, shorter than its voters' promise by what clocks may drift", "", true),
		leases("master-drift", "master whose lease is as long as its voters' promise",
			"the master's clock is slow: its voters elect another while it still believes to be the master", false),
		campaigns("master-oracle", "campaigns of whoever an oracle trusts: there will be a master", "", true),
		campaigns("master-duel", "campaigns of whoever wants: there may never be a master",
			"all vote for themselves, refuse each other, and begin again, for ever", false),
	}
	for i := range all {
		all[i].Twins = []string{all[i^1].Name}
	}
	return all
}
