package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// terminal is what a stream can do. The zero value is a pipe or a file:
// nothing but text, laid out for textWidth columns.
type terminal struct {
	live   bool // a line can be written over
	colour bool
	width  int // columns; 0 unless live
}

// terminalOf looks at the stream and at the environment's wishes: NO_COLOR,
// and a TERM that can do nothing.
func terminalOf(w io.Writer) terminal {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return terminal{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = textWidth
	}
	return terminal{live: true, colour: os.Getenv("NO_COLOR") == "", width: width}
}

// page is a text that grows line by line, in colour where the terminal can.
type page struct {
	strings.Builder
	terminal
}

func newPage(t terminal) *page {
	if t.width == 0 {
		t.width = textWidth
	}
	return &page{terminal: t}
}

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// The colours: SGR codes.
const (
	bold   = "1"
	faint  = "2"
	red    = "1;31"
	green  = "1;32"
	yellow = "1;33"
)

func (p *page) paint(colour, text string) string {
	if !p.colour || colour == "" || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// pad is for text that will be painted: columns count without the colour.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-columns(text)))
}

func columns(text string) int { return len([]rune(text)) }

// widest is the width of a column that holds all the texts.
func widest(texts ...string) int {
	width := 0
	for _, t := range texts {
		width = max(width, columns(t))
	}
	return width
}
