//go:build !unix

package explorer

// peakMemory is what is in use: the peak is not to be had here.
func peakMemory() int64 { return inUse() }
