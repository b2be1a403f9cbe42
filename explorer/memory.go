package explorer

import "runtime/metrics"

// inUse is the memory that the Go runtime holds, less what it gave back, in
// bytes.
func inUse() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
