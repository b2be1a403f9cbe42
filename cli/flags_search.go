package cli

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

const searchCategory = "The search"

// orderFlags say how a search goes about it.
func orderFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "search", Category: searchCategory, Usage: "`bfs|dfs` breadth first: the shortest paths; or depth first, on one worker: deep violations early, with longer paths (default: bfs)"},
		&urfave.BoolFlag{Name: "keep-going", Category: searchCategory, Usage: "go on past a violation"},
	}
}

// boundFlags say what is searched for, and how far.
func boundFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "property", Category: searchCategory, Usage: "`NAMES` check these only, separated by commas (default: all)"},
		&urfave.StringFlag{Name: "depth", Category: searchCategory, Usage: "`D` go no further than D moves from the start; 0: the start state only"},
		&urfave.StringFlag{Name: "max-states", Category: searchCategory, Usage: "`N` end when so many states are known"},
		&urfave.StringFlag{Name: "max-time", Category: searchCategory, Usage: "`D` end after so long: 30s, 5m, 1h30m"},
		&urfave.StringFlag{Name: "max-memory", Category: searchCategory, Usage: "`SIZE` end before the process takes so much memory: 500MB, 2GiB (MB = 10^6 bytes, MiB = 2^20)"},
		&urfave.StringFlag{Name: "workers", Category: searchCategory, Usage: "`W` goroutines to search on; nothing else depends on it (default: one for each core)"},
		&urfave.StringFlag{Name: "handler-time", Category: searchCategory, Usage: "`D` how long one call of a handler may take (default: 10s)"},
	}
}

const mostWorkers = 1024 // far more than help, and few enough to be harmless

// searchOptions are what the search flags that the command has ask for.
func searchOptions(c *urfave.Context, sys *model.System) (explorer.Options, error) {
	o := explorer.Options{KeepGoing: c.Bool("keep-going")}
	var depth, workers int64
	var err error
	numbers := []struct {
		flag     string
		into     *int64
		min, max int64
	}{
		{"depth", &depth, 0, math.MaxInt32},
		{"max-states", &o.MaxStates, 1, math.MaxInt64},
		{"workers", &workers, 1, mostWorkers},
	}
	for _, n := range numbers {
		if text := c.String(n.flag); text != "" {
			if *n.into, err = wholeNumber(text, n.min, n.max); err != nil {
				return o, usagef("--%s: %s", n.flag, err)
			}
		}
	}
	if o.Workers = int(workers); c.IsSet("depth") {
		o.Depth = new(int(depth))
	}
	if o.MaxTime, err = durationFlag(c, "max-time"); err != nil {
		return o, err
	}
	if text := c.String("max-memory"); text != "" {
		if o.MaxMemory, err = memorySize(text); err != nil {
			return o, usagef("--max-memory: %s", err)
		}
	}
	if o.HandlerTime, err = durationFlag(c, "handler-time"); err != nil {
		return o, err
	}
	if o.Search, err = searchOrder(c.String("search")); err != nil {
		return o, err
	}
	if o.Search == explorer.DFS && o.Workers > 1 {
		return o, usagef("--workers %d: a search depth first has one worker", o.Workers)
	}
	o.Properties, err = propertyNames(c.String("property"), sys)
	return o, err
}

// durationFlag is 0 where the flag is not given.
func durationFlag(c *urfave.Context, name string) (time.Duration, error) {
	text := c.String(name)
	if text == "" {
		return 0, nil
	}
	d, err := positiveDuration(text)
	if err != nil {
		return 0, usagef("--%s: %s", name, err)
	}
	return d, nil
}

func searchOrder(name string) (explorer.Search, error) {
	switch name {
	case "", explorer.BFS.String():
		return explorer.BFS, nil
	case explorer.DFS.String():
		return explorer.DFS, nil
	}
	return 0, usagef("--search %s: it is bfs or dfs", name)
}

// propertyNames is nil where nothing is said.
func propertyNames(text string, sys *model.System) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	var known []string
	for _, p := range sys.Properties {
		known = append(known, p.Name)
	}
	var names []string
	for _, name := range strings.Split(text, ",") {
		if !slices.Contains(known, name) {
			return nil, usagef("--property %s: %s has no property %q: it has %s", text, sys.Name, name, enumerate(known, "and"))
		}
		if slices.Contains(names, name) {
			return nil, usagef("--property %s: %s is named twice", text, name)
		}
		names = append(names, name)
	}
	return names, nil
}

// sortedKeys is here because a map's own order must never be seen.
func sortedKeys[K ~int | ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
