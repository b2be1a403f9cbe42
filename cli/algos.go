package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// algosCommand tells which algorithms there are.
func (p *program) algosCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "algos",
		Usage:       "list the algorithms, or tell all about one",
		ArgsUsage:   "[NAME]",
		Description: "Lists the algorithms, one a line; or, with a name, tells what that one is, where it comes from, which parameters and properties it has, what may go wrong and what its agents do by themselves, and which twins: the same with a hole more, or a hole less.",
		Action: func(c *urfave.Context) error {
			names := c.Args().Slice()
			switch len(names) {
			case 0:
				return p.print(p.algorithmList())
			case 1:
				algorithm, err := p.algorithm(names[0])
				if err != nil {
					return err
				}
				text, err := p.algorithmText(algorithm)
				if err != nil {
					return err
				}
				return p.print(text)
			}
			return usagef("algos takes one name at a time, but %q follows %q", names[1], names[0])
		},
	}
}

func (p *program) algorithmList() string {
	width := 0
	for _, a := range p.algorithms {
		width = max(width, columns(a.Name))
	}
	var b strings.Builder
	for _, a := range p.algorithms {
		fmt.Fprintf(&b, "%s  %s\n", pad(a.Name, width), a.Summary)
	}
	return b.String()
}

// algorithmText is all that there is to say about an algorithm.
func (p *program) algorithmText(a *model.Algorithm) (string, error) {
	sys, err := a.System(model.Config{})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(wrap(a.Name+": "+a.Summary, 0))
	if a.Doc != "" {
		b.WriteString("\n" + wrap(a.Doc, 0))
	}
	b.WriteByte('\n')
	field := func(name, text string) { entry(&b, "", 12, name, text) }
	if a.Source != "" {
		field("source", a.Source)
	}
	agents := fmt.Sprintf("%d unless --agents says otherwise; at least %d", a.Agents, max(a.MinAgents, 1))
	if a.Agents == 0 {
		agents = fmt.Sprint(len(sys.Agents))
		if len(a.Params) > 0 {
			agents += " unless a parameter says otherwise"
		}
	}
	field("agents", agents)
	field("starts", startsOf(a, &sys))
	field("network", networkOf(&sys))
	section := func(name string, rows [][2]string) {
		for _, row := range rows {
			entry(&b, pad(name, 12), 2+widestTerm(rows), row[0], row[1])
			name = ""
		}
	}
	section("parameters", paramRows(a))
	section("faults", faultRows(&sys))
	section("actions", actionRows(&sys))
	if sys.Observer != nil {
		field("observer", "yes: it remembers what the agents do not")
	}
	section("properties", propertyRows(sys.Properties))
	if a.Hole != "" {
		field("hole", a.Hole)
	}
	if len(a.Twins) > 0 {
		field("twins", enumerate(a.Twins, "and"))
	}
	fmt.Fprintf(&b, "\nTry: %s\n", trace.CommandLine(append([]string{p.name, "explore", "--algo", a.Name}, exampleParam(a)...)...))
	return b.String(), nil
}

// startsOf lists the start states.
func startsOf(a *model.Algorithm, sys *model.System) string {
	if a.Starts == nil && sys.OtherStarts == nil {
		return "none: it is not started from outside"
	}
	var all []string
	for _, starts := range sys.AllStarts() {
		var one []string
		for _, id := range sortedKeys(starts) {
			one = append(one, fmt.Sprintf("%d=%s", id, starts[id]))
		}
		all = append(all, cmp.Or(enumerate(one, "and"), "none"))
	}
	return strings.Join(all, ", or ") + " unless --start says otherwise"
}

func networkOf(sys *model.System) string {
	text := sys.Network.String()
	if sys.Lossy {
		text += ", lossy"
	}
	return text + " unless --network says otherwise"
}

// faultRows tell who can suffer what.
func faultRows(sys *model.System) [][2]string {
	persists := slices.DeleteFunc(sys.Population(), func(id model.ID) bool { return !sys.Node(id).Persists() })
	restart := "none: nothing persists"
	if len(persists) > 0 {
		restart = everyOr(persists, sys) + ": with what persists"
	}
	rows := [][2]string{{"--wipe", "every agent"}, {"--restart", restart}, {"--crash", "every agent"}}
	if texts := faultTexts(sys); len(texts) > 0 {
		rows = append(rows, [2]string{"by itself", enumerate(texts, "and")})
	}
	return rows
}

// actionRows tell what agents do by themselves, in the order in which an agent
// that has it lists it.
func actionRows(sys *model.System) [][2]string {
	var rows [][2]string
	var names []string
	for _, id := range sys.Population() {
		for _, a := range sys.Node(id).Actions() {
			name := a.Name + "\x00" + actionKind(a)
			if slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
			able := slices.DeleteFunc(sys.Population(), func(other model.ID) bool {
				return !slices.ContainsFunc(sys.Node(other).Actions(), func(b model.NodeAction) bool {
					return b.Name == a.Name && actionKind(b) == actionKind(a)
				})
			})
			rows = append(rows, [2]string{a.Name, actionKind(a) + ", of " + everyOr(able, sys)})
		}
	}
	return rows
}

func actionKind(a model.NodeAction) string {
	kind := map[model.ActionKind]string{model.Step: "a step", model.Timer: "a timer", model.Input: "an input"}[a.Kind]
	if a.Fair {
		kind += ", fair"
	}
	return kind
}

// everyOr names agents, or says that they are all.
func everyOr(ids []model.ID, sys *model.System) string {
	if len(ids) == len(sys.Agents) {
		return "every agent"
	}
	return agentsText(ids)
}

func paramRows(a *model.Algorithm) [][2]string {
	var rows [][2]string
	for _, q := range a.Params {
		rows = append(rows, [2]string{fmt.Sprintf("%s=%d", q.Name, q.Default), paramText(a, q)})
	}
	return rows
}

// paramText says what may be asked for, and what agents that run on a network have
// where that is something else than the default.
func paramText(a *model.Algorithm, q model.Param) string {
	text := fmt.Sprintf("%s (%d to %d", q.Doc, q.Min, q.Max)
	if v, other := a.Deployed[q.Name]; other {
		text += fmt.Sprintf("; on a network %d", v)
	}
	return text + ")"
}

func propertyRows(properties []model.Property) [][2]string {
	var rows [][2]string
	for _, q := range properties {
		rows = append(rows, [2]string{q.Name, strings.TrimSuffix(q.Kind.String()+": "+q.Doc, ": ")})
	}
	return rows
}

func widestTerm(rows [][2]string) int {
	width := 0
	for _, row := range rows {
		width = max(width, columns(row[0]))
	}
	return width
}

// exampleParam shows how a parameter is given, if there is one.
func exampleParam(a *model.Algorithm) []string {
	if len(a.Params) == 0 {
		return nil
	}
	return []string{"--param", fmt.Sprintf("%s=%d", a.Params[0].Name, a.Params[0].Default)}
}
