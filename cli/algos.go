package cli

import (
	"fmt"
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
		Description: "Lists the algorithms, one a line; or, with a name, tells what that one is, where it comes from, which parameters and properties it has, and which twins: the same with a hole more, or a hole less.",
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
	field("starts", startsText(a))
	field("network", sys.Network.String())
	section := func(name string, rows [][2]string) {
		for _, row := range rows {
			entry(&b, pad(name, 12), 2+widestTerm(rows), row[0], row[1])
			name = ""
		}
	}
	section("parameters", paramRows(a))
	section("properties", propertyRows(sys.Properties))
	if len(a.Twins) > 0 {
		field("twins", enumerate(a.Twins, "and"))
	}
	fmt.Fprintf(&b, "\nTry: %s\n", trace.CommandLine(append([]string{p.name, "explore", "--algo", a.Name}, exampleParam(a)...)...))
	return b.String(), nil
}

func startsText(a *model.Algorithm) string {
	if a.Starts == nil {
		return "none: it is not started from outside"
	}
	var starts []string
	for _, id := range sortedKeys(a.Starts) {
		starts = append(starts, fmt.Sprintf("%d=%s", id, a.Starts[id]))
	}
	return enumerate(starts, "and") + " unless --start says otherwise"
}

func paramRows(a *model.Algorithm) [][2]string {
	var rows [][2]string
	for _, q := range a.Params {
		rows = append(rows, [2]string{fmt.Sprintf("%s=%d", q.Name, q.Default), fmt.Sprintf("%s (%d to %d)", q.Doc, q.Min, q.Max)})
	}
	return rows
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
