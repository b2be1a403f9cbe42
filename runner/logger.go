package runner

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// logger tells an operator what to know. What would be said again and again is
// said once, and counted.
type logger struct {
	out func(line string)

	mu       sync.Mutex
	repeated map[string]int // by what was said
}

// mostRepeated bounds what is remembered of what was said: peers may be hostile.
const mostRepeated = 1000

func (l *logger) say(format string, args ...any) {
	if l.out != nil {
		l.out(fmt.Sprintf(format, args...))
	}
}

// once says what is not the same line as one before.
func (l *logger) once(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	l.mu.Lock()
	if l.repeated == nil {
		l.repeated = map[string]int{}
	}
	times, known := l.repeated[line]
	full := !known && len(l.repeated) >= mostRepeated
	if !full {
		l.repeated[line] = times + 1
	}
	l.mu.Unlock()
	if !known && !full {
		l.say("%s", line)
	}
}

// flush says how often it was that what was said once happened.
func (l *logger) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range slices.Sorted(maps.Keys(l.repeated)) {
		if times := l.repeated[line]; times > 1 {
			l.say("%s (%d times in all)", line, times)
		}
	}
}
