//go:build race

package explorer_test

// raceDetector says whether tests run under it: it takes memory of its own.
const raceDetector = true
