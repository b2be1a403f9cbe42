//go:build !race

package explorer_test

const raceDetector = false
