package cli

import (
	"errors"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/trace"
)

// checkpointFlags keep a search over the end of the process.
func checkpointFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "checkpoint", Category: searchCategory, Usage: "`FILE` keep the search in it every minute, and when an interrupt or a limit ends it; the file is always whole"},
		&urfave.StringFlag{Name: "resume", Category: searchCategory, Usage: "`FILE` go on with the search that is kept there; without --algo, of the system that it is of"},
	}
}

// kept reads what search --resume means; nil without it.
func (p *program) kept(c *urfave.Context) (*explorer.Checkpoint, error) {
	for _, name := range []string{"checkpoint", "resume"} {
		if !c.IsSet(name) {
			continue
		}
		if c.String(name) == "-" {
			return nil, usagef("--%s -: give it a file", name)
		}
		if order := c.String("search"); order != "" && order != explorer.BFS.String() {
			return nil, usagef("--%s: only a search breadth first can be kept, not --search %s", name, order)
		}
	}
	if !c.IsSet("resume") {
		return nil, nil
	}
	kept, err := explorer.ReadCheckpoint(c.String("resume"))
	return &kept, err
}

// keep fills in what the checkpoint flags ask for. A search that is named by
// its checkpoint alone is as it was.
func (o *outputs) keep(c *urfave.Context, options *explorer.Options, kept *explorer.Checkpoint) error {
	options.Checkpoint, options.Resume = c.String("checkpoint"), c.String("resume")
	if kept != nil && !c.IsSet("algo") {
		if !c.IsSet("property") {
			options.Properties = kept.Properties
		}
		options.KeepGoing = options.KeepGoing || kept.KeepGoing
		if !c.IsSet("reduce") {
			options.Reduce = kept.Reduce
		}
	}
	for _, name := range []string{"checkpoint", "resume"} {
		if !c.IsSet(name) {
			continue
		}
		target, err := newTarget(c.String(name))
		if err != nil {
			return err
		}
		for _, other := range o.files {
			if target.same(other.target) {
				return usagef("--%s would write over the file of --%s: %s", other.flag, name, target.name)
			}
		}
	}
	return nil
}

// settingOf is the setting that a search starts from, before the flags.
func settingOf(c *urfave.Context, kept *explorer.Checkpoint) *trace.Setting {
	if kept == nil || c.IsSet("algo") {
		return nil
	}
	return &kept.Setting
}

// tellKept says where a search that was cut is kept, and how to go on with it;
// or that it is not, which is no reason for another exit status.
func (p *program) tellKept(file string, r *explorer.Report, unsaved *explorer.CheckpointError) {
	if unsaved != nil {
		fmt.Fprintf(p.std.Err, "%s: %s\n", p.name, unsaved)
		return
	}
	if file == "" || len(r.Bounds) == 0 {
		return
	}
	kept, err := explorer.ReadCheckpoint(file)
	if err != nil {
		fmt.Fprintf(p.std.Err, "%s: %s\n", p.name, err)
		return
	}
	fmt.Fprintf(p.std.Err, "%s: the search is kept in %s, as far as %s; go on with\n  %s\n",
		p.name, file, plural(kept.States, "state"), trace.CommandLine(p.name, "explore", "--resume", file, "--checkpoint", file))
}

// unsavedIn is the error with which there is a report all the same.
func unsavedIn(err error) *explorer.CheckpointError {
	var unsaved *explorer.CheckpointError
	errors.As(err, &unsaved)
	return unsaved
}
