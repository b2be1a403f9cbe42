package scenario

import (
	"strconv"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// Command is the command line that searches the same system in the same way,
// quoted for a shell. It spells out the whole setting, whatever the
// algorithm's defaults are. The program is caulk, or one's own that calls
// package cli with the algorithm; one that is on no list has no command.
func Command(s *model.System, o explorer.Options) string {
	args := append([]string{"caulk", "explore"}, trace.SettingOf(s).Flags()...)
	return trace.CommandLine(append(args, searchFlags(o)...)...)
}

// searchFlags leaves out the number of workers: nothing depends on it.
func searchFlags(o explorer.Options) []string {
	var flags []string
	if o.Search != explorer.BFS {
		flags = append(flags, "--search", o.Search.String())
	}
	if o.Search == explorer.Random {
		flags = append(flags, "--seed", strconv.FormatUint(o.Seed, 10))
	}
	if len(o.Reduce) > 0 {
		var names []string
		for _, r := range o.Reduce {
			names = append(names, r.String())
		}
		flags = append(flags, "--reduce", strings.Join(names, ","))
	}
	if len(o.Properties) > 0 {
		flags = append(flags, "--property", strings.Join(o.Properties, ","))
	}
	if o.KeepGoing {
		flags = append(flags, "--keep-going")
	}
	if o.Depth != nil {
		flags = append(flags, "--depth", strconv.Itoa(*o.Depth))
	}
	if o.MaxStates > 0 {
		flags = append(flags, "--max-states", strconv.FormatInt(o.MaxStates, 10))
	}
	if o.MaxTime > 0 {
		flags = append(flags, "--max-time", o.MaxTime.String())
	}
	if o.MaxMemory > 0 {
		flags = append(flags, "--max-memory", strconv.FormatInt(o.MaxMemory, 10))
	}
	if o.HandlerTime > 0 {
		flags = append(flags, "--handler-time", o.HandlerTime.String())
	}
	return flags
}
