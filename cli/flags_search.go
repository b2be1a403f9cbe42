package cli

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
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
		&urfave.StringFlag{Name: "search", Category: searchCategory, Usage: "`ORDER` bfs, breadth first: the shortest paths; dfs, depth first, on one worker: deep violations early, with longer paths; or random, walks from the start, on one worker: for systems too large to finish, it proves nothing (default: bfs)"},
		&urfave.StringFlag{Name: "seed", Category: searchCategory, Usage: "`N` of a random search: the same walks for the same number (default: 0)"},
		&urfave.StringFlag{Name: "reduce", Category: searchCategory, Usage: "`LIST` explore less with the same verdicts, separated by commas: ignored, deliveries on a bag that change nothing; dead, messages that are ignored for ever; minimal, states that nobody can tell apart; symmetry, states that renaming agents makes of each other; refused where that is not sure (default: none)"},
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
	if err := orderOptions(c, &o); err != nil {
		return o, err
	}
	o.Properties, err = propertyNames(c.String("property"), sys)
	return o, err
}

// orderOptions fills in what orderFlags ask for, and refuses what does not go
// together.
func orderOptions(c *urfave.Context, o *explorer.Options) (err error) {
	if o.Search, err = searchOrder(c.String("search")); err != nil {
		return err
	}
	if o.Search != explorer.BFS && o.Workers > 1 {
		return usagef("--workers %d: a search %s has one worker", o.Workers, orderText(o.Search.String()))
	}
	if text := c.String("seed"); text != "" {
		seed, err := seedNumber(text)
		if err != nil {
			return usagef("--seed: %s", err)
		}
		if o.Search != explorer.Random {
			return &usageError{fmt.Sprintf("--seed %s: only a random search has one", text), "add --search random"}
		}
		o.Seed = seed
	}
	if o.Search == explorer.Random && o.MaxTime == 0 && o.MaxStates == 0 {
		return &usageError{"--search random: it never ends by itself", "add --max-time D or --max-states N"}
	}
	o.Reduce, err = reductions(c.String("reduce"))
	return err
}

// seedNumber reads a whole number of 64 bits.
func seedNumber(text string) (uint64, error) {
	n, err := wholeNumber(text, 0, math.MaxInt64)
	if err == nil {
		return uint64(n), nil
	}
	seed, large := strconv.ParseUint(text, 10, 64)
	switch {
	case large == nil && seed > math.MaxInt64:
		return seed, nil
	case errors.Is(large, strconv.ErrRange):
		return 0, fmt.Errorf("%s is too great: at most %d", text, uint64(math.MaxUint64))
	}
	return 0, err
}

// orderText is a search's order in words.
func orderText(search string) string {
	switch search {
	case explorer.DFS.String():
		return "depth first"
	case explorer.Random.String():
		return "by random walks"
	}
	return "breadth first"
}

// reductions is nil where nothing is said.
func reductions(text string) ([]explorer.Reduction, error) {
	if text == "" {
		return nil, nil
	}
	var names []string
	for _, r := range explorer.Reductions() {
		names = append(names, r.String())
	}
	var list []explorer.Reduction
	for _, name := range strings.Split(text, ",") {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, usagef("--reduce %s: there is no reduction %q: there are %s", text, name, enumerate(names, "and"))
		}
		if slices.Contains(list, explorer.Reductions()[i]) {
			return nil, usagef("--reduce %s: %s is named twice", text, name)
		}
		list = append(list, explorer.Reductions()[i])
	}
	return list, nil
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
	case explorer.Random.String():
		return explorer.Random, nil
	}
	return 0, usagef("--search %s: it is bfs, dfs or random", name)
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
