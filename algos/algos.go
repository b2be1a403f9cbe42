// Package algos lists the algorithms that caulk comes with.
package algos

import (
	"slices"

	"github.com/caulk-go/caulk/algos/abd"
	"github.com/caulk-go/caulk/algos/alternatingbit"
	"github.com/caulk-go/caulk/algos/cache"
	"github.com/caulk-go/caulk/algos/chandylamport"
	"github.com/caulk-go/caulk/algos/gearman"
	"github.com/caulk-go/caulk/algos/lww"
	"github.com/caulk-go/caulk/algos/master"
	"github.com/caulk-go/caulk/algos/mutex"
	"github.com/caulk-go/caulk/algos/orset"
	"github.com/caulk-go/caulk/algos/orswot"
	"github.com/caulk-go/caulk/algos/paxos"
	"github.com/caulk-go/caulk/algos/paxoslog"
	"github.com/caulk-go/caulk/algos/paxosregister"
	"github.com/caulk-go/caulk/algos/paxossynod"
	"github.com/caulk-go/caulk/algos/queue"
	"github.com/caulk-go/caulk/algos/raft"
	"github.com/caulk-go/caulk/algos/rsync"
	"github.com/caulk-go/caulk/algos/search"
	"github.com/caulk-go/caulk/algos/synod"
	"github.com/caulk-go/caulk/algos/twophase"
	"github.com/caulk-go/caulk/algos/userfunction"
	"github.com/caulk-go/caulk/algos/xsync"
	"github.com/caulk-go/caulk/model"
)

// All lists every algorithm, in the order in which they are shown: a fresh
// slice of entries whose names differ.
func All() []model.Algorithm {
	return slices.Concat([]model.Algorithm{
		paxos.Mark0.Algorithm(),
		paxos.Mark1.Algorithm(),
		paxos.Mark2.Algorithm(),
		paxos.Mark2b.Algorithm(),
		paxos.Mark3.Algorithm(),
	},
		synod.Algorithms(),
		paxoslog.Algorithms(),
		[]model.Algorithm{
			twophase.Algorithm(),
			paxosregister.Algorithm(),
		},
		twophase.Variants(),
		abd.Algorithms(),
		mutex.Algorithms(),
		chandylamport.Algorithms(),
		alternatingbit.Algorithms(),
		lww.Algorithms(),
		orset.Algorithms(),
		paxossynod.Algorithms(),
		raft.Algorithms(),
		queue.Algorithms(),
		userfunction.Algorithms(),
		cache.Algorithms(),
		master.Algorithms(),
		orswot.Algorithms(),
		gearman.Algorithms(),
		xsync.Algorithms(),
		search.Algorithms(),
		rsync.Algorithms(),
	)
}
