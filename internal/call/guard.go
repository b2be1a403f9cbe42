package call

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// exited is what the user's code panics with, as it were, if it ends its
// goroutine.
const exited = "runtime.Goexit was called"

// Guard runs the user's code in a goroutine of its own, so that a panic or an
// endless loop in it can be reported: as *PanicError or *TimeoutError. An
// endless loop keeps its goroutine: there is no way to stop it.
func Guard(site Site, limit time.Duration, f func()) error {
	done := make(chan error, 1)
	go func() {
		finished := false
		defer func() {
			if finished {
				done <- nil
				return
			}
			value := exited
			if p := recover(); p != nil {
				value = fmt.Sprint(p)
			}
			done <- &PanicError{site, value, userStack()}
		}()
		f()
		finished = true
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return &TimeoutError{site, limit}
	}
}

const module = "github.com/caulk-go/caulk/"

// userStack renders the frames between the panic and caulk's own code.
func userStack() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var b strings.Builder
	for panicked := false; ; {
		f, more := frames.Next()
		switch {
		case ours(f.Function) && panicked:
			return b.String()
		case strings.HasPrefix(f.Function, "runtime."):
			panicked = true
		case panicked:
			fmt.Fprintf(&b, "    %s (%s:%d)\n", f.Function, shortFile(f.File), f.Line)
		}
		if !more {
			return b.String()
		}
	}
}

func ours(function string) bool {
	return strings.HasPrefix(function, module+"model.") || strings.HasPrefix(function, module+"internal/call.")
}

// shortFile keeps the file and its folder, which say enough and are the same
// on every machine.
func shortFile(file string) string {
	return filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
}
