package cache

import (
	"fmt"
	"maps"

	"github.com/caulk-go/caulk/model"
)

const doc = `memcached beside a database. Agent 1 is the database, which is the truth; agent
2 the cache; agent 3 writes a version, first to the database, then to the cache;
agents from 4 on read. A reader that misses fetches from the database, and
fills the cache with what it got.

No read that begins after a write is over may return an older version. Three
things make it so:

    - When memory is full, the cache refuses a set rather than evict another
      key. A set that is refused deletes the key's entry: what it holds is no
      longer true. (cache-refused keeps it.)
    - A miss comes with a lease. A set cancels it, and a fill without a valid
      lease is ignored: it may be older than what was set. (cache-late has no
      leases.)
    - A write is over when the cache has answered, not when the request was
      sent. (cache-noreply does not wait, as with UDP.)

Labels: the version in the database; the one in the cache, - for none, ! once
memory is full; the one that was written last, w while it is being written; for
each reader the one it read last, ? while it waits.

An observer remembers the last write that was over when each read began.`

func entry(name, summary, hole string, v Variant) model.Algorithm {
	a := model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     doc,
		Source:  `Nishtala et al., "Scaling Memcache at Facebook" (NSDI 2013), section 3.2.1`,
		Twins:   []string{"cache"},
		Hole:    hole,
		Params: []model.Param{
			{Name: "readers", Doc: "agents that read", Default: 1, Min: 1, Max: 3},
			{Name: "reads", Doc: "reads of each", Default: 2, Min: 1, Max: 4},
			{Name: "writes", Doc: "versions that are written", Default: 2, Min: 1, Max: 4},
		},
		Make: func(c model.Config) model.System { return system(c, v) },
	}
	if hole == "" {
		a.Twins = []string{"cache-refused", "cache-late", "cache-noreply"}
	}
	return a
}

// Algorithms are the entries in the list of algorithms: the one that holds,
// then its twins.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		entry("cache", "a cache beside a database: no read returns what was overwritten before it began", "",
			Variant{RefusalDeletes: true, Leases: true, SetsWait: true}),
		entry("cache-refused", "cache whose memory keeps the old entry when it refuses the new one",
			"a set that is refused leaves the old version in the cache, and reads go on to return it",
			Variant{Leases: true, SetsWait: true}),
		entry("cache-late", "cache without leases",
			"a reader fetches, a write comes between, and then the reader fills the cache with the old version",
			Variant{RefusalDeletes: true, SetsWait: true}),
		entry("cache-noreply", "cache whose writer does not wait for the cache's answer",
			"a write is over while its set is still on its way, and may never come",
			Variant{RefusalDeletes: true, Leases: true}),
	}
}

func system(c model.Config, v Variant) model.System {
	s := model.System{
		Agents:   []model.Node{model.Of(db{}), model.Of(server{v}), model.Of(setter{v, c.Params["writes"]})},
		Observer: model.Observe(Past{}, observe),
		Properties: []model.Property{
			fresh(),
			model.Sometimes("a hit after a write", hitAfterWrite),
		},
	}
	for range c.Params["readers"] {
		s.Agents = append(s.Agents, model.Of(getter{c.Params["reads"]}))
	}
	return s
}

// Past is what the observer remembers.
type Past struct {
	Over  int              // the last version whose write is over
	Floor map[model.ID]int // for each reader that reads: Over when it began
	Stale Stale            // the first read that was
	Hits  bool             // a hit returned a version that was written
}

// Stale is a read that returned less than it had to. The zero value is none.
type Stale struct {
	Reader    model.ID
	Got, Over int
}

func observe(p Past, e model.Event) Past {
	switch after := e.After.(type) {
	case Writing:
		if after.Step == "" {
			p.Over = after.Version
		}
	case Reading:
		before, begun := e.Before.(Reading)
		floor := maps.Clone(p.Floor)
		switch {
		case !begun:
		case after.Waits && !before.Waits:
			floor[e.Agent] = p.Over
		case before.Waits && !after.Waits:
			if after.Got < floor[e.Agent] && p.Stale == (Stale{}) {
				p.Stale = Stale{e.Agent, after.Got, floor[e.Agent]}
			}
			delete(floor, e.Agent)
			_, hit := e.Move.Body.(Hit)
			p.Hits = p.Hits || hit && after.Got > 0
		}
		p.Floor = floor
	}
	return p
}

func fresh() model.Property {
	p := model.Always("fresh", func(v model.View) error {
		if s := model.ObserverOf[Past](v).Stale; s != (Stale{}) {
			return fmt.Errorf("agent %d read version %d, although the write of version %d was over before it began", s.Reader, s.Got, s.Over)
		}
		return nil
	})
	p.Doc = "no read that begins after a write is over returns an older version"
	return p
}

func hitAfterWrite(v model.View) bool { return model.ObserverOf[Past](v).Hits }
