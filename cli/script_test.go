package cli_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cli"
)

var update = flag.Bool("update", false, "rewrite the golden sections of the scripts")

// TestMain makes two programs for the scripts: caulk, and toy, which is what a
// user's own main would be.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"caulk": func() { os.Exit(cli.Main(algos.All())) },
		"toy":   func() { os.Exit(cli.Main(toys())) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", "atexit_sleep_ms=0") // or each program takes a second to end
			return goEnvironment(e)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":  status,
			"refused": refused,
			"mask":    mask,
			"steps":   steps,
		},
	})
}

// goEnvironment lets scripts build modules that use this one, which is in
// $CAULK, with what is in the caches.
func goEnvironment(e *testscript.Env) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	e.Setenv("CAULK", root)
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			return err
		}
		e.Setenv(name, strings.TrimSpace(string(value)))
	}
	e.Setenv("GOFLAGS", "-mod=mod")
	e.Setenv("GOPROXY", "off")
	e.Setenv("GOTOOLCHAIN", "local")
	return nil
}

// status N COMMAND...: the command ends with exit status N; -1 if a signal
// ends it.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := run(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, not %d", got, want)
	}
}

func run(ts *testscript.TestScript, command []string) int {
	err := ts.Exec(command[0], command[1:]...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

// refused LINE COMMAND...: the command ends with exit status 2 and says that
// one line, behind its name, on standard error; it says nothing else, and
// leaves the folder as it was.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: refused LINE COMMAND...")
	}
	line, command := args[0], args[1:]
	before := listing(ts)
	got := run(ts, command)
	if want := command[0] + ": " + line + "\n"; ts.ReadFile("stderr") != want {
		ts.Fatalf("it says\n%swhere this belongs:\n%s", ts.ReadFile("stderr"), want)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("unexpected output: %s", out)
	}
	if got != 2 {
		ts.Fatalf("exit status %d, not 2", got)
	}
	if after := listing(ts); after != before {
		ts.Fatalf("files changed, from\n%sto\n%s", before, after)
	}
}

// listing tells every file of the script's folder, with its size and times.
func listing(ts *testscript.TestScript) string {
	var b strings.Builder
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && !d.IsDir() {
			fmt.Fprintln(&b, path, info.Size(), info.Mode(), info.ModTime())
		}
		return err
	}))
	return b.String()
}

var varying = regexp.MustCompile(`(?m)^  time .*$|("(?:seconds|states_per_second|workers|peak_memory_bytes|bytes_per_state)": )[^,\n]*`)

// mask FROM TO: copies a file without what differs from run to run.
func mask(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mask FROM TO")
	}
	text := varying.ReplaceAllStringFunc(ts.ReadFile(args[0]), func(s string) string {
		if strings.HasPrefix(s, "  time") {
			return "  time"
		}
		name, _, _ := strings.Cut(s, ":")
		return name + `: "*"`
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}
