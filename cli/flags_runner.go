package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
	"github.com/caulk-go/caulk/trace"
)

const linkCategory = "The links"

// linkFlags say what happens to messages on their way.
func linkFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "drop", Category: linkCategory, Usage: "`P` the probability that a message is lost: 0 to 1"},
		&urfave.StringFlag{Name: "duplicate", Category: linkCategory, Usage: "`P` the probability that a message is doubled"},
		&urfave.StringFlag{Name: "delay", Category: linkCategory, Usage: "`MIN..MAX` how long a message is held back, such as 1ms..50ms"},
		&urfave.StringSliceFlag{Name: "partition", Category: linkCategory, Usage: "`1,2|3@FROM..TO` agents that cannot hear each other from one time to another, such as 1,2|3@2s..4s; repeatable"},
		&urfave.StringFlag{Name: "seed", Category: linkCategory, Usage: "`N` of all lots that are drawn (default: 0)"},
	}
}

// links reads what happens to messages. The epoch is left to the caller.
func links(c *urfave.Context, sys *model.System) (f runner.Faults, err error) {
	for _, p := range []struct {
		flag string
		into *float64
	}{{"drop", &f.Drop}, {"duplicate", &f.Duplicate}} {
		if text := c.String(p.flag); text != "" {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || !(v >= 0 && v <= 1) {
				return f, usagef("--%s %s is no probability: it is 0 to 1", p.flag, text)
			}
			*p.into = v
		}
	}
	if f.Duplicate > 0 && sys.Network == model.Fifo {
		return f, usagef("--duplicate: nothing is doubled on fifo, the network of %s", sys.Name)
	}
	if text := c.String("delay"); text != "" {
		if f.DelayMin, f.DelayMax, err = times(text); err != nil {
			return f, usagef("--delay %s: %s", text, err)
		}
	}
	for _, text := range c.StringSlice("partition") {
		p, err := partition(text, sys)
		if err != nil {
			return f, usagef("--partition %s: %s", text, err)
		}
		f.Partitions = append(f.Partitions, p)
	}
	if text := c.String("seed"); text != "" {
		seed, err := wholeNumber(text, 0, 1<<62)
		if err != nil {
			return f, usagef("--seed: %s", err)
		}
		f.Seed = uint64(seed)
	}
	return f, nil
}

// times reads MIN..MAX.
func times(text string) (from, to time.Duration, err error) {
	first, second, two := strings.Cut(text, "..")
	if !two {
		return 0, 0, fmt.Errorf("write two times, as in 1ms..50ms")
	}
	if from, err = time.ParseDuration(first); err != nil || from < 0 {
		return 0, 0, fmt.Errorf("%q is not a time: write for instance 0s, 5ms or 2s", first)
	}
	if to, err = positiveDuration(second); err != nil {
		return 0, 0, err
	}
	if to < from {
		return 0, 0, fmt.Errorf("%s is after %s", first, second)
	}
	return from, to, nil
}

// partition reads 1,2|3@2s..4s.
func partition(text string, sys *model.System) (p runner.Partition, err error) {
	groups, when, at := strings.Cut(text, "@")
	if !at {
		return p, fmt.Errorf("it does not say when: write for instance 1,2|3@2s..4s")
	}
	if p.From, p.To, err = times(when); err != nil {
		return p, err
	}
	if p.From == p.To {
		return p, fmt.Errorf("it is over when it begins")
	}
	var all []model.ID
	for group := range strings.SplitSeq(groups, "|") {
		ids, err := agentList(group, sys)
		if err != nil {
			return p, err
		}
		p.Groups, all = append(p.Groups, ids), append(all, ids...)
	}
	slices.Sort(all)
	if len(p.Groups) < 2 || len(slices.Compact(slices.Clone(all))) < len(all) {
		return p, fmt.Errorf("it needs two groups or more, and nobody in two of them: write for instance 1,2|3@2s..4s")
	}
	return p, nil
}

// linkArguments are the flags that say the same again.
func linkArguments(f *runner.Faults) []string {
	args := []string{"--drop", fmt.Sprint(f.Drop), "--duplicate", fmt.Sprint(f.Duplicate), "--seed", fmt.Sprint(f.Seed)}
	if f.DelayMax > 0 {
		args = append(args, "--delay", fmt.Sprintf("%s..%s", f.DelayMin, f.DelayMax))
	}
	for _, p := range f.Partitions {
		var groups []string
		for _, g := range p.Groups {
			groups = append(groups, strings.Join(idTexts(g), ","))
		}
		args = append(args, "--partition", fmt.Sprintf("%s@%s..%s", strings.Join(groups, "|"), p.From, p.To))
	}
	return args
}

// deployedSystem makes the system of agents that run: with the parameters for that,
// and without a bound on timers, for a clock has none. Whoever keeps something may
// restart.
func (p *program) deployedSystem(c *urfave.Context) (model.System, error) {
	algorithm, err := p.algorithm(c.String("algo"))
	if err != nil {
		return model.System{}, err
	}
	sys, err := p.system(c, &trace.Setting{Params: algorithm.Deployed})
	if err != nil {
		return model.System{}, err
	}
	sys.Budgets = maps.Clone(sys.Budgets)
	delete(sys.Budgets, model.Timeouts)
	sys.Restart = nil
	for _, id := range sys.Population() {
		if sys.Node(id).Persists() {
			sys.Restart = append(sys.Restart, id)
		}
	}
	return sys, nil
}
