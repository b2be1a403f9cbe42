//go:build race

package graphviz

const raceEnabled = true
