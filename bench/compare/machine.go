//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// printMachine says where the figures come from, as one more point of the list.
func printMachine(ctx context.Context, w io.Writer, tools []string) {
	parts := []string{
		fmt.Sprintf("%s, %d cores", processor(), runtime.NumCPU()),
		firstLine(ctx, "uname", "-srm"),
		runtime.Version(),
	}
	if slices.Contains(tools, "spin") {
		parts = append(parts, firstLine(ctx, "spin", "-V"))
	}
	if slices.Contains(tools, "rumur") {
		parts = append(parts, firstLine(ctx, "rumur", "--version"))
	}
	if slices.Contains(tools, "spin") || slices.Contains(tools, "rumur") {
		parts = append(parts, firstLine(ctx, "gcc", "--version"))
	}
	parts = append(parts, "caulk "+revision())
	fmt.Fprintf(w, "- %s, on %s.\n", time.Now().UTC().Format(time.DateOnly), strings.Join(parts, "; "))
}

// processor is the name that the processor gives itself, as lscpu shows it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if m := regexp.MustCompile(`model name\s*: (.*)`).FindSubmatch(text); err == nil && m != nil {
		return string(m[1])
	}
	return runtime.GOARCH
}

// firstLine is the first line that a command prints, or the command's name.
func firstLine(ctx context.Context, command ...string) string {
	output, _, err := measure(ctx, ".", command)
	line, _, _ := strings.Cut(strings.TrimSpace(output), "\n")
	if err != nil || line == "" {
		return command[0]
	}
	return strings.TrimSpace(line)
}

// revision is the commit that this program and caulk were built from.
func revision() string {
	commit, modified := "of an unknown commit", ""
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return commit
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", with changes"
		}
	}
	return commit + modified
}
