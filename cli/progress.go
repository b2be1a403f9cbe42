package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/caulk-go/caulk/explorer"
)

// meter shows how far something has come that takes long: on a terminal in one line that is
// written over, elsewhere in a line every few seconds.
type meter struct {
	w        io.Writer
	terminal terminal
	next     time.Duration // elsewhere: when to write again
	shown    bool
	warned   bool
}

const (
	patience  = time.Second     // before anything is shown
	plainStep = 5 * time.Second // between plain lines
)

func newMeter(w io.Writer) *meter {
	return &meter{w: w, terminal: terminalOf(w), next: plainStep}
}

// show shows how far it has come after so long.
func (m *meter) show(elapsed time.Duration, text string) {
	if elapsed < patience {
		return
	}
	if m.terminal.live {
		if room := m.terminal.width - 1; columns(text) > room {
			text = string([]rune(text)[:max(0, room)])
		}
		fmt.Fprintf(m.w, "\r%s\x1b[K", text)
		m.shown = true
		return
	}
	if elapsed >= m.next {
		m.next = elapsed + plainStep
		fmt.Fprintln(m.w, text)
	}
}

// warn says once, at once, what a user who waits must know.
func (m *meter) warn(name string, err error) {
	if err == nil || m.warned {
		return
	}
	m.clear()
	m.warned = true
	fmt.Fprintf(m.w, "%s: %s\n", name, err)
}

// clear takes the line off the terminal.
func (m *meter) clear() {
	if m.shown {
		fmt.Fprint(m.w, "\r\x1b[K")
		m.shown = false
	}
}

func progressText(p explorer.Progress) string {
	speed := int64(float64(p.States) / p.Elapsed.Seconds())
	return fmt.Sprintf("%s: %s states, %s/s, depth %d, frontier %s, %s",
		p.Elapsed.Round(time.Second), grouped(p.States), grouped(speed), p.Depth, grouped(p.Frontier), bytesText(p.Memory))
}
