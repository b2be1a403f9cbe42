// Package cli is caulk's command line over any list of algorithms.
//
// cmd/caulk passes the algorithms that come with caulk. Who writes algorithms
// of their own gets the whole command line for them by calling Main:
//
//	func main() { os.Exit(cli.Main(myalgos.All())) }
//
// Results go to standard output, progress and errors to standard error. The
// exit status is 0 if every property holds, or if only a bound that the user
// set on the depth kept the search from saying so; 1 if a property is violated
// or a handler panics; 2 for bad usage, bad input, and an algorithm that
// cannot be searched; 3 if the search was ended early; and 125 where replay
// finds that the path no longer applies. The program's name alone prints the
// help to standard error and ends with 2, so that a script that lost its
// command does not pass.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/model"
)

// Streams are the standard streams of one run. Each is used from one
// goroutine at a time.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer // colour and a progress line only where one is a terminal
}

// Main runs the command line of this process over the algorithms, and gives
// the exit status. The first interrupt ends a search, which then reports what
// it saw; the second kills the process.
func Main(algorithms []model.Algorithm) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, algorithms, os.Args, Streams{os.Stdin, os.Stdout, os.Stderr})
}

// Run is Main with all that it takes from the process as arguments. The first
// of args is the program's path, whose last element is what the program calls
// itself. Cancelling the context ends a search early.
func Run(ctx context.Context, algorithms []model.Algorithm, args []string, std Streams) int {
	p := &program{name: filepath.Base(args[0]), algorithms: algorithms, std: std}
	if err := p.run(ctx, args[1:]); err != nil {
		for _, err := range each(err) {
			fmt.Fprintf(std.Err, "%s: %s\n", p.name, p.explain(err))
		}
		switch {
		case p.status != statusOK:
		case errors.Is(err, context.Canceled):
			p.status = statusEnded
		default:
			p.status = statusBad
		}
	}
	return p.status
}

// program is one run of the command line.
type program struct {
	name       string
	algorithms []model.Algorithm
	std        Streams

	command string // the one that runs, for hints; empty before it is known
	status  int    // what the command decided
}

func (p *program) run(ctx context.Context, args []string) error {
	return p.runCommands(ctx, p.commands(), args)
}

func (p *program) runCommands(ctx context.Context, commands []*urfave.Command, args []string) error {
	for _, c := range commands {
		c.HideHelp = true // help is a command of ours
		c.OnUsageError = func(_ *urfave.Context, err error, _ bool) error { return err }
	}
	args, err := p.arrange(commands, args)
	if err != nil {
		return err
	}
	app := &urfave.App{
		Name:                      p.name,
		Commands:                  commands,
		HideHelp:                  true,
		Reader:                    p.std.In,
		Writer:                    p.std.Out,
		ErrWriter:                 p.std.Err,
		DisableSliceFlagSeparator: true,                            // a start value may hold a comma
		ExitErrHandler:            func(*urfave.Context, error) {}, // Run has the last word
		OnUsageError:              func(_ *urfave.Context, err error, _ bool) error { return err },
	}
	return app.RunContext(ctx, append([]string{p.name}, args...))
}

// commands lists what the program can do, in the order of its help.
func (p *program) commands() []*urfave.Command {
	commands := []*urfave.Command{
		p.algosCommand(),
		p.exploreCommand(),
		p.listCommand(),
		p.diffCommand(),
		p.replayCommand(),
		p.serveCommand(),
		p.runCommand(),
		p.nodeCommand(),
		p.validateCommand(),
		p.testCommand(),
		p.vetCommand(),
	}
	return append(commands, p.helpCommand(commands), p.versionCommand())
}

// print writes a result to standard output.
func (p *program) print(text string) error {
	if _, err := io.WriteString(p.std.Out, text); err != nil {
		return fmt.Errorf("cannot write to standard output: %w", err)
	}
	return nil
}
