package cli

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// The flags of each command come in groups; a file for each says what the
// flags are, and what they make. Every flag is text to urfave/cli: its own
// numbers take 010 for 8.
const systemCategory = "The system"

// systemFlags say which system is meant.
func systemFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "algo", Category: systemCategory, Usage: "`NAME` the algorithm"},
		&urfave.StringFlag{Name: "agents", Category: systemCategory, Usage: "`N` how many agents take part (default: the algorithm's own number)"},
		&urfave.StringSliceFlag{Name: "param", Category: systemCategory, Usage: "`KEY=VALUE` a parameter of the algorithm; repeatable"},
		&urfave.StringSliceFlag{Name: "start", Category: systemCategory, Usage: "`ID=VALUE` an agent that is started from outside, and with what; repeatable (default: the algorithm's own starts, where no --start is given)"},
		&urfave.StringFlag{Name: "network", Category: systemCategory, Usage: "`NETWORK` bag: each message sent can be delivered once; set: again and again; fifo: in the order of sending, from each sender to each receiver (default: the algorithm's own)"},
	}
}

// system makes the system that the flags ask for. What they leave open is as
// in the setting, if there is one, and otherwise the algorithm's own.
func (p *program) system(c *urfave.Context, base *trace.Setting) (model.System, error) {
	if base == nil {
		base = &trace.Setting{}
	}
	return p.systemOf(c, cmp.Or(c.String("algo"), base.Algo), base)
}

// systemOf is system for an algorithm that is named otherwise than by --algo.
func (p *program) systemOf(c *urfave.Context, name string, base *trace.Setting) (model.System, error) {
	algorithm, err := p.algorithm(name)
	if err != nil {
		return model.System{}, err
	}
	config, err := config(c, base, algorithm)
	if err != nil {
		return model.System{}, err
	}
	sys, err := algorithm.System(config)
	if err != nil {
		return model.System{}, &usageError{err.Error(), trace.CommandLine(p.name, "algos", algorithm.Name) + " tells what it takes"}
	}
	for _, settle := range []settling{settleStarts, settleNetwork, settleFaults, settleBudgets, settleSnapshot} {
		if err := settle(p, c, base, &sys); err != nil {
			return model.System{}, err
		}
	}
	if err := sys.Check(); err != nil {
		return model.System{}, fmt.Errorf("%s: %w", algorithm.Name, err)
	}
	return sys, nil
}

// settling fills in a part of a system by the flags, and where they say nothing
// by the setting; one without an algorithm says nothing either.
type settling func(*program, *urfave.Context, *trace.Setting, *model.System) error

// algorithm finds one by name.
func (p *program) algorithm(name string) (*model.Algorithm, error) {
	hint := p.name + " algos lists them"
	if name == "" {
		return nil, &usageError{"say which algorithm with --algo NAME", hint}
	}
	names := make([]string, len(p.algorithms))
	for i := range p.algorithms {
		if names[i] = p.algorithms[i].Name; names[i] == name {
			return &p.algorithms[i], nil
		}
	}
	return nil, &usageError{fmt.Sprintf("there is no algorithm %q%s", name, didYouMean(name, names)), hint}
}

func config(c *urfave.Context, base *trace.Setting, algorithm *model.Algorithm) (model.Config, error) {
	config := model.Config{Agents: base.Agents, Params: map[string]int{}}
	maps.Copy(config.Params, base.Params)
	if c.IsSet("param") && algorithm.Agents == 0 {
		config.Agents = 0 // the number follows from the parameters, which are no longer the base's
	}
	if text := c.String("agents"); text != "" {
		n, err := wholeNumber(text, 1, math.MaxInt32)
		if err != nil {
			return model.Config{}, usagef("--agents: %s", err)
		}
		config.Agents = int(n)
	}
	given := map[string]bool{}
	for _, text := range c.StringSlice("param") {
		key, value, err := keyValue(text)
		if err != nil {
			return model.Config{}, usagef("--param %s is not KEY=VALUE: %s", text, err)
		}
		n, err := wholeNumber(value, math.MinInt32, math.MaxInt32)
		if err != nil {
			return model.Config{}, usagef("--param %s: %s", text, err)
		}
		if given[key] {
			return model.Config{}, usagef("--param %s: %s is given twice", text, key)
		}
		given[key] = true
		config.Params[key] = int(n)
	}
	return config, nil
}

func settleStarts(_ *program, c *urfave.Context, base *trace.Setting, sys *model.System) error {
	if !c.IsSet("start") {
		if base.Starts != nil {
			sys.Starts, sys.OtherStarts = maps.Clone(base.Starts), base.OtherStarts
		}
		return nil
	}
	starts := map[model.ID]string{}
	for _, text := range c.StringSlice("start") {
		key, value, err := keyValue(text)
		if err != nil {
			return usagef("--start %s is not ID=VALUE: %s", text, err)
		}
		id, err := agentID(key, sys)
		if err != nil {
			return usagef("--start %s: %s", text, err)
		}
		if _, twice := starts[id]; twice {
			return usagef("--start %s: agent %d is started twice", text, id)
		}
		if !utf8.ValidString(value) {
			return usagef("--start %q: the value must be UTF-8", text)
		}
		if !sys.Node(id).CanStart() {
			return usagef("--start %s: agent %d of %s is not started from outside", text, id, sys.Name)
		}
		starts[id] = value
	}
	sys.Starts, sys.OtherStarts = starts, nil
	return nil
}

func settleNetwork(_ *program, c *urfave.Context, base *trace.Setting, sys *model.System) error {
	name := cmp.Or(c.String("network"), base.Network)
	if name == "" {
		return nil
	}
	network, err := model.ParseNetwork(name)
	if err != nil {
		return usagef("--network: %s", err)
	}
	sys.Network = network
	return nil
}
