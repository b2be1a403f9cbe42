//go:build unix

package explorer

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// peakMemory is the process's maximum resident set so far, in bytes.
func peakMemory() int64 {
	// What getrusage says on Linux survives exec: of a small process that a
	// large one started, it is the large one's.
	if peak, ok := highWater(); ok {
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

// highWater is the peak as Linux's /proc tells it.
func highWater() (bytes int64, ok bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}
