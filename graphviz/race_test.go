//go:build race

package graphviz_test

const raceEnabled = true
