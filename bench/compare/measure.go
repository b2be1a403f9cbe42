//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// usage is what a process took, from its start to its end.
type usage struct {
	wall time.Duration
	cpu  time.Duration // user and system, all threads
	peak int64         // maximum resident set, in bytes
}

// measure runs a command in a folder. It fails if the command does.
//
// On Linux the peak is at least the resident set of this program, which the
// child shares until it executes another: some ten megabytes.
func measure(ctx context.Context, dir string, command []string) (output string, u usage, err error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	start := time.Now()
	err = cmd.Run()
	u.wall = time.Since(start)
	if err != nil {
		return "", u, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, text.String())
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.peak = int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" { // macOS counts in bytes, the others in KiB
		u.peak <<= 10
	}
	return text.String(), u, nil
}

// commands runs each in turn, up to the first that fails.
func commands(ctx context.Context, dir string, list ...[]string) error {
	for _, c := range list {
		if _, _, err := measure(ctx, dir, c); err != nil {
			return err
		}
	}
	return nil
}

// busyLoops is how much longer two busy loops side by side take than one
// alone: 1 if two cores are really there, 2 if there is one.
func busyLoops() float64 {
	alone := busy(1)
	return busy(2).Seconds() / alone.Seconds()
}

// busy is how long so many loops take, each of about a second, that compute
// and touch no memory.
func busy(loops int) time.Duration {
	results := make([]uint64, loops)
	var wait sync.WaitGroup
	start := time.Now()
	for i := range loops {
		wait.Go(func() {
			x := uint64(i + 1)
			for range 1 << 29 {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			results[i] = x // or the compiler might leave the loop out
		})
	}
	wait.Wait()
	return time.Since(start)
}
