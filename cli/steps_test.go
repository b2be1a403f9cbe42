package cli_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// steps FILE: writes the commands of a workflow's steps to step1.sh, step2.sh
// and so on, as the file has them: on the line of "- run:" or, behind a "|", on
// the lines below that are indented further.
func steps(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: steps FILE")
	}
	lines := strings.Split(ts.ReadFile(args[0]), "\n")
	n := 0
	for i := 0; i < len(lines); i++ {
		margin, command, isRun := strings.Cut(lines[i], "- run: ")
		if !isRun || strings.TrimSpace(margin) != "" {
			continue
		}
		if command == "|" {
			command = ""
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], margin+"   ") {
				i++
				command += strings.TrimSpace(lines[i]) + "\n"
			}
		}
		n++
		ts.Check(os.WriteFile(ts.MkAbs(fmt.Sprintf("step%d.sh", n)), []byte(command+"\n"), 0o666))
	}
	if n == 0 {
		ts.Fatalf("%s has no step that runs anything", args[0])
	}
}
