//go:build unix

package explorer

import (
	"runtime"
	"syscall"
)

// peakMemory is the process's maximum resident set so far, in bytes.
func peakMemory() int64 {
	// What getrusage says on Linux survives exec: of a small process that a
	// large one started, it is the large one's.
	if peak := procStatus("VmHWM"); peak > 0 {
		return peak
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return inUse()
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // macOS counts in bytes, the others in KiB
	}
	return int64(usage.Maxrss) << 10
}
