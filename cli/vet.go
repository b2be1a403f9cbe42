package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	urfave "github.com/urfave/cli/v2"
)

// vetCommand looks for handlers that are not pure, in the source. The analyzer is
// a program of its own, so that whoever explores need not carry it along.
func (p *program) vetCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "vet",
		Usage:     "report handlers that are not pure functions, by their source",
		ArgsUsage: "[PACKAGE...]",
		Description: `Looks at the methods of agents, at their own actions, observers and properties, and at what these call in the same package, for what a pure function does not do: tell the time, draw lots, do IO, share memory, start goroutines, use channels, write to package variables or through an argument, or let the order of a map show. Each report says what to do instead. A function with the line //caulk:impure in its comment is left alone. Packages are as go vet takes them (default: ./...).

It builds ` + vetProgram + `, of the version of caulk that the module in the current folder requires, and has go vet use it; so Go must be there. For an editor or a script: go vet -vettool=$(which caulk-vet).

The exit status is 0 if there is nothing to report, 1 if there is, or if a package does not build, and 2 if the analyzer cannot be built.`,
		Action: p.vet,
	}
}

const vetProgram = modulePath + "/cmd/caulk-vet"

func (p *program) vet(c *urfave.Context) (err error) {
	packages := c.Args().Slice()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	folder, err := os.MkdirTemp("", "caulk-vet-")
	if err != nil {
		return fmt.Errorf("cannot make a folder for the analyzer: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	tool := filepath.Join(folder, "caulk-vet")
	if err := p.goCommand(c.Context, p.std.Err, "build", "-o", tool, vetProgram); err != nil {
		return fmt.Errorf("cannot build the analyzer (%w): in a module that requires caulk, run go get %s", err, vetProgram)
	}
	err = p.goCommand(c.Context, p.std.Out, append([]string{"vet", "-vettool=" + tool}, packages...)...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && c.Context.Err() == nil {
		p.status = statusViolated
		return nil
	}
	return err
}

// goCommand runs the go command. What it reports, on standard error, goes
// where it is said.
func (p *program) goCommand(ctx context.Context, reports io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = reports, reports
	return cmd.Run()
}
