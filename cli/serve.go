package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/internal/gotest"
	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/web"
)

const serveCategory = "The page"

// serveCommand is the explorer in the browser.
func (p *program) serveCommand() *urfave.Command {
	return &urfave.Command{
		Name:  "serve",
		Usage: "step through a system in the browser",
		Description: `Serves a page, on this machine alone unless --addr says otherwise, and prints its address: the agents' states, the network, every possible move as a button, the path so far with undo, its sequence diagram, and the diagram of labels. The page leads to the nearest violation, to an end, and at random; and any algorithm and setting can be chosen on it. Its address holds the setting and the path: as a link it restores both, on another machine too.

The page needs nothing from elsewhere. It answers under a number, localhost, and the host of --addr only. An interrupt ends it, with exit status 0.`,
		Flags: slices.Concat(systemFlags(), faultFlags(), []urfave.Flag{
			&urfave.StringFlag{Name: "addr", Category: serveCategory, Usage: "`HOST:PORT` where to listen (default: 127.0.0.1:0, a port that is free)"},
		}),
		Action: p.serve,
	}
}

func (p *program) serve(c *urfave.Context) error {
	if err := p.noArguments(c); err != nil {
		return err
	}
	flags := strings.TrimPrefix(p.commandLine(c, p.exploreCommand()), trace.CommandLine(p.name, "explore"))
	if flags == "" && len(p.algorithms) > 0 {
		flags = trace.CommandLine("--algo", p.algorithms[0].Name)
	} else if _, err := p.system(c, nil); err != nil {
		return err
	}
	addr := cmp.Or(c.String("addr"), "127.0.0.1:0")
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return usagef("--addr %s is not HOST:PORT, such as 127.0.0.1:8080", addr)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen at %s: %w", addr, wholefile.Bare(err))
	}
	handler := web.Handler(web.Config{
		Algorithms: p.algorithms, Flags: strings.TrimSpace(flags), System: p.systemOfFlags, Test: p.testOfWalk, Name: p.name, Host: host,
	})
	if err := p.print(fmt.Sprintf("http://%s/\n", listener.Addr())); err != nil {
		listener.Close()
		return err
	}
	return serveUntil(c.Context, listener, handler)
}

// serveUntil serves until the context ends, and lets what is under way finish, for
// a while.
func serveUntil(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if server.Shutdown(grace) != nil {
			server.Close()
		}
	})
	err := server.Serve(listener)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-ended
	return nil
}

// systemOfFlags makes the system that flags of explore ask for. An error is one
// line, as the command line would say it.
func (p *program) systemOfFlags(ctx context.Context, flags []string) (sys model.System, err error) {
	q := &program{name: p.name, algorithms: p.algorithms, std: Streams{strings.NewReader(""), io.Discard, io.Discard}}
	const name = "explore"
	command := &urfave.Command{
		Name:  name,
		Flags: slices.Concat(systemFlags(), faultFlags()),
		Action: func(c *urfave.Context) error {
			if err := q.noArguments(c); err != nil {
				return err
			}
			sys, err = q.system(c, nil)
			return err
		},
	}
	if wantsHelp(flags) {
		return sys, errors.New("flags are those of " + p.name + " explore that say what is explored: " + p.name + " explore --help lists them")
	}
	if err := q.runCommands(ctx, []*urfave.Command{command}, append([]string{name}, flags...)); err != nil {
		return sys, errors.New(q.explain(err))
	}
	return sys, nil
}

// testOfWalk writes the Go test of a path that was taken on the page.
func (p *program) testOfWalk(sys *model.System, path trace.Path) ([]byte, error) {
	file := &gotest.File{Package: "caulk_test", Algorithms: "algos.All()", Import: modulePath + "/algos"}
	algorithm, err := p.algorithm(sys.Name)
	if err != nil {
		return nil, err
	}
	if own := packageOf(algorithm); own != file.Import && !strings.HasPrefix(own, file.Import+"/") {
		return nil, fmt.Errorf("%s is made in %s: save the path, and run %s test PATH.json with --expr", sys.Name, own, p.name)
	}
	outcome, err := trace.Replay(sys, path)
	if err != nil {
		return nil, err
	}
	if outcome.Verdict != trace.StillFails {
		return nil, errors.New("nothing fails on this path: a test of it would pass")
	}
	file.Tests = []gotest.Test{p.testOfOutcome(path, *path.Setting, outcome)}
	return file.Source()
}
