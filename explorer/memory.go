package explorer

import (
	"bufio"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
)

// inUse is the memory that the Go runtime holds, less what it gave back, in
// bytes.
func inUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// resident is the process's resident set in bytes; 0 where the system does not
// tell.
func resident() int64 { return procStatus("VmRSS") }

// procStatus is a size that Linux tells of this process; 0 if it does not.
func procStatus(name string) int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), name+":"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(value, "kB")), 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}
