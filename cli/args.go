package cli

import (
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// arrange puts a command line into the one order that urfave/cli reads without
// surprises: the command, its flags as --name=value, "--", its arguments. So
// flags may stand anywhere, and a value may start with a dash. It refuses what
// urfave/cli would take in silence: flags given twice, values that are empty
// or missing. Asking for help, anywhere, becomes the command that gives it.
func (p *program) arrange(commands []*urfave.Command, args []string) ([]string, error) {
	if len(args) == 0 {
		p.std.Out, p.status = p.std.Err, statusBad
		return []string{helpName}, nil
	}
	name, args := args[0], args[1:]
	switch {
	case isHelp(name):
		name = helpName
	case name == "--version" || name == "-version":
		name = versionName
	case strings.HasPrefix(name, "-"):
		return nil, usagef("%s stands where the command belongs: write %s COMMAND %s", name, p.name, name)
	}
	command := find(commands, name)
	if command == nil {
		return nil, usagef("there is no command %q%s", name, didYouMean(name, commandNames(commands)))
	}
	p.command = command.Name
	if wantsHelp(args) {
		return []string{helpName, "--", command.Name}, nil
	}
	flags, arguments, err := sortArguments(command, args)
	if err != nil {
		return nil, err
	}
	return append(append(append([]string{command.Name}, flags...), "--"), arguments...), nil
}

func isHelp(arg string) bool { return arg == "--help" || arg == "-help" || arg == "-h" }

// wantsHelp looks for a cry for help, before anything else is judged.
func wantsHelp(args []string) bool {
	for _, arg := range args {
		if arg == "--" {
			return false
		}
		if isHelp(arg) {
			return true
		}
	}
	return false
}

// sortArguments tells flags from arguments. After "--" there are only
// arguments; "-" alone is one.
func sortArguments(command *urfave.Command, args []string) (flags, arguments []string, err error) {
	given := map[string]bool{}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return flags, append(arguments, args...), nil
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			arguments = append(arguments, arg)
			continue
		}
		name, value, inOne := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		flag := findFlag(command, name)
		if flag == nil {
			return nil, nil, unknownFlag(command, name)
		}
		if given[name] && !repeatable(flag) {
			return nil, nil, usagef("--%s is given twice", name)
		}
		given[name] = true
		if !takesValue(flag) {
			if inOne {
				return nil, nil, usagef("--%s takes no value, but %q is given", name, value)
			}
			flags = append(flags, "--"+name)
			continue
		}
		if !inOne && len(args) > 0 && !isFlag(command, args[0]) {
			value, args = args[0], args[1:]
		}
		if bare, may := flag.(bareFlag); may && !inOne && value == "" {
			value = bare.bare
		}
		if value == "" {
			return nil, nil, usagef("--%s needs a value", name)
		}
		flags = append(flags, "--"+name+"="+value)
	}
	return flags, arguments, nil
}

func unknownFlag(command *urfave.Command, name string) error {
	suggestion := didYouMean(name, flagNames(command))
	for _, n := range flagNames(command) {
		suggestion = strings.Replace(suggestion, " "+n, " --"+n, 1)
	}
	return usagef("%s has no flag --%s%s", command.Name, name, suggestion)
}

// isFlag says whether what follows a flag is a flag of the command, and not
// the first one's value.
func isFlag(command *urfave.Command, arg string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
	return arg == "--" || strings.HasPrefix(arg, "--") && findFlag(command, name) != nil
}

func find(commands []*urfave.Command, name string) *urfave.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

func commandNames(commands []*urfave.Command) []string {
	var names []string
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

func findFlag(command *urfave.Command, name string) urfave.Flag {
	for _, f := range command.Flags {
		if f.Names()[0] == name {
			return f
		}
	}
	return nil
}

func flagNames(command *urfave.Command) []string {
	names := make([]string, len(command.Flags))
	for i, f := range command.Flags {
		names[i] = f.Names()[0]
	}
	return names
}

func takesValue(f urfave.Flag) bool {
	_, yesNo := f.(*urfave.BoolFlag)
	return !yesNo
}

func repeatable(f urfave.Flag) bool {
	_, list := f.(*urfave.StringSliceFlag)
	_, bare := f.(bareFlag)
	return list || bare
}

// bareFlag is a flag that may stand without a value.
type bareFlag struct {
	*urfave.StringSliceFlag
	bare string // its value then
}
