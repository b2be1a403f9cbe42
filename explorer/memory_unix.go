//go:build unix

package explorer

import (
	"runtime"
	"syscall"
)

// peakMemory is the process's maximum resident set so far, in bytes.
func peakMemory() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return inUse()
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // macOS counts in bytes, the others in KiB
	}
	return int64(usage.Maxrss) << 10
}
