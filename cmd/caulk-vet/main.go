// Command caulk-vet reports handlers that are not pure functions, by their
// source, and says of each what to do instead.
//
//	go run github.com/caulk-go/caulk/cmd/caulk-vet ./...
//	go vet -vettool=$(which caulk-vet) ./...
//
// The first is the second, with the program itself for the tool. The exit
// status is 0 if there is nothing to report.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/caulk-go/caulk/vet"
)

func main() {
	args := os.Args[1:]
	for _, arg := range args {
		if strings.HasSuffix(arg, ".cfg") || strings.HasPrefix(arg, "-V") || arg == "-flags" || arg == "help" {
			unitchecker.Main(vet.Analyzer()) // go vet calls; it ends the process
		}
	}
	self, err := os.Executable()
	if err == nil {
		cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self}, args...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		err = cmd.Run()
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		fmt.Fprintf(os.Stderr, "caulk-vet: cannot run go vet: %s\n", err)
		os.Exit(2)
	}
}
