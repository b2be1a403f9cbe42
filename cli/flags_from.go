package cli

import (
	"fmt"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/validate"
)

// fromFlag has a system begin where real nodes were.
func fromFlag() urfave.Flag {
	return &urfave.StringFlag{Name: "from", Category: systemCategory, Usage: "`TRACE@STEP` begin in the state that nodes were in after a step of a trace, which has the others beside it; the setting is the trace's where no flag says otherwise"}
}

// base is the setting that the flags start from: that of the trace which --from
// names or, without one, the one given.
func (p *program) base(c *urfave.Context, setting *trace.Setting) (*trace.Setting, error) {
	from := c.String("from")
	if from == "" {
		return setting, nil
	}
	if c.IsSet("start") {
		return nil, usagef("--start: with --from the agents begin as the trace has them")
	}
	file, _, err := validate.ParseStep(from)
	if err != nil {
		return nil, usagef("--from: %s", err)
	}
	traced, _, err := validate.Setting([]string{filepath.Dir(file)})
	if err != nil {
		return nil, err
	}
	traced.From = from
	return &traced, nil
}

// settleSnapshot finds the state to begin in, where the setting names one.
func settleSnapshot(p *program, _ *urfave.Context, base *trace.Setting, sys *model.System) error {
	if base.From == "" {
		return nil
	}
	file, seq, err := validate.ParseStep(base.From)
	if err != nil {
		return err
	}
	traced, files, err := validate.Setting([]string{filepath.Dir(file)})
	if err != nil {
		return err
	}
	algorithm, err := p.algorithm(sys.Name)
	if err != nil {
		return err
	}
	ran, err := traced.System(algorithm)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	sys.Snapshot, err = validate.Snapshot(&ran, files, filepath.Clean(file), seq)
	sys.Starts, sys.OtherStarts = ran.Starts, nil
	return err
}
