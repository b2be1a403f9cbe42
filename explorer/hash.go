//go:build !weakhash

package explorer

// hashMask keeps every bit of a hash.
const hashMask = ^uint64(0)
