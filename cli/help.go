package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

const textWidth = 80 // of help and prose

// The commands about commands.
const (
	helpName    = "help"
	versionName = "version"
)

// helpCommand tells what the program, or one of its commands, does.
func (p *program) helpCommand(commands []*urfave.Command) *urfave.Command {
	return &urfave.Command{
		Name:      helpName,
		Usage:     "tell what a command does",
		ArgsUsage: "[COMMAND]",
		Action: func(c *urfave.Context) error {
			topics := c.Args().Slice()
			if len(topics) == 0 {
				return p.print(p.overview(commands))
			}
			if len(topics) > 1 {
				return usagef("help is given for one command at a time, but %q follows %q", topics[1], topics[0])
			}
			command := find(append(commands, c.Command), topics[0])
			if command == nil {
				return usagef("there is no command %q%s", topics[0], didYouMean(topics[0], commandNames(commands)))
			}
			return p.print(p.manual(command))
		},
	}
}

func (p *program) versionCommand() *urfave.Command {
	return &urfave.Command{
		Name:   versionName,
		Usage:  "tell which caulk this is",
		Hidden: true, // --version is the way that is documented
		Action: func(c *urfave.Context) error {
			if c.Args().Present() {
				return usagef("version takes no argument, but %q is given", c.Args().First())
			}
			return p.print(p.name + " " + version() + "\n")
		},
	}
}

const modulePath = "github.com/caulk-go/caulk"

// version is that of the caulk module in the running program, which may be
// somebody else's.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == modulePath && m.Version != "" {
			return m.Version + " " + info.GoVersion
		}
	}
	return "(devel) " + info.GoVersion
}

// overview is the help of the whole program.
func (p *program) overview(commands []*urfave.Command) string {
	var b strings.Builder
	b.WriteString(wrap(p.name+" finds the holes in a distributed algorithm: it delivers every message in every order, lets agents and the network fail at every point, and shows the shortest path to the first state that is wrong.", 0))
	b.WriteString("\nCommands:\n")
	for _, c := range commands {
		if !c.Hidden {
			entry(&b, "  ", 24, c.Name+" "+c.ArgsUsage, c.Usage)
		}
	}
	fmt.Fprintf(&b, "\nFor instance:\n  %[1]s algos\n  %[1]s explore --algo %[2]s\n", p.name, p.anAlgorithm())
	fmt.Fprintf(&b, "\n%[1]s help COMMAND tells more; %[1]s --version which caulk this is.\n\n", p.name)
	b.WriteString("Exit status: 0 holds, 1 violated, 2 bad usage or input, 3 ended early;\n125 from replay: the path no longer applies.\n")
	return b.String()
}

// anAlgorithm is one to show in examples.
func (p *program) anAlgorithm() string {
	if len(p.algorithms) == 0 {
		return "NAME"
	}
	return p.algorithms[0].Name
}

// manual is the help of one command.
func (p *program) manual(c *urfave.Command) string {
	var b strings.Builder
	usage := p.name + " " + c.Name
	if len(c.Flags) > 0 {
		usage += " [FLAGS]"
	}
	fmt.Fprintf(&b, "Usage: %s\n\n", strings.TrimSpace(usage+" "+c.ArgsUsage))
	text := c.Description
	if text == "" {
		text = "This is to " + c.Usage + "."
	}
	b.WriteString(wrap(text, 0))
	category := ""
	for _, f := range c.Flags {
		d := f.(urfave.DocGenerationFlag)
		if g := f.(urfave.CategorizableFlag).GetCategory(); g != category {
			category = g
			fmt.Fprintf(&b, "\n%s:\n", category)
		}
		placeholder, doc := splitUsage(d.GetUsage())
		entry(&b, "  ", 22, strings.TrimSpace("--"+f.Names()[0]+" "+placeholder), doc)
	}
	return b.String()
}

// splitUsage takes the placeholder, which stands first between backquotes, off
// a flag's usage.
func splitUsage(usage string) (placeholder, doc string) {
	parts := strings.SplitN(usage, "`", 3)
	if len(parts) < 3 {
		return "", usage
	}
	return parts[1], strings.TrimSpace(parts[2])
}

// entry writes a term and what it means, in two columns.
func entry(b *strings.Builder, indent string, width int, term, meaning string) {
	lines := strings.SplitAfter(wrap(meaning, len(indent)+width), "\n")
	term = strings.TrimSpace(term)
	if len(term) > width-2 {
		fmt.Fprintf(b, "%s%s\n%s%*s", indent, term, indent, width, "")
	} else {
		fmt.Fprintf(b, "%s%-*s", indent, width, term)
	}
	b.WriteString(strings.TrimLeft(strings.Join(lines, ""), " "))
}

// wrap breaks prose at textWidth; every line is indented and ended. Empty
// lines part paragraphs, and indented lines are kept as they are.
func wrap(text string, indent int) string {
	margin := strings.Repeat(" ", indent)
	var b strings.Builder
	column := 0
	end := func() {
		if column > 0 {
			b.WriteByte('\n')
		}
		column = 0
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.TrimSpace(line) == "" {
			end()
			b.WriteByte('\n')
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			end()
			b.WriteString(margin + strings.TrimRight(line, " ") + "\n")
			continue
		}
		for _, word := range strings.Fields(line) {
			width := len([]rune(word))
			if column > 0 && column+1+width > textWidth {
				end()
			}
			if column == 0 {
				b.WriteString(margin + word)
				column = indent + width
			} else {
				b.WriteString(" " + word)
				column += 1 + width
			}
		}
	}
	end()
	return b.String()
}
