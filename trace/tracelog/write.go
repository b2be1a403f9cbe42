package tracelog

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/caulk-go/caulk/model"
)

// What a trace takes on disk where nothing else is said.
const (
	DefaultFileBytes = 64 << 20
	DefaultFiles     = 16
)

// Writer writes the trace of one agent. It is not for concurrent use.
type Writer struct {
	dir   string
	agent model.ID

	// FileBytes is how long a file may grow, but for its last line and its head;
	// Files is how many are kept, the one that is written included.
	FileBytes int64
	Files     int

	file    *os.File
	out     *bufio.Writer
	written int64 // to file
}

// NewWriter writes to a folder, which must exist, with the default bounds. It
// touches nothing before Begin.
func NewWriter(dir string, agent model.ID) *Writer {
	return &Writer{dir: dir, agent: agent, FileBytes: DefaultFileBytes, Files: DefaultFiles}
}

// Begin begins a new file with its head. The one before, if any, is closed and
// put aside, and what is too old is removed.
func (w *Writer) Begin(h Head) error {
	if err := w.Close(); err != nil {
		return err
	}
	if err := w.rotate(); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(w.dir, Name(w.agent, 0)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	w.file, w.out, w.written = f, bufio.NewWriterSize(f, 1<<16), 0
	return w.Write(Line{Head: &h})
}

// rotate puts the newest file aside and removes the oldest.
func (w *Writer) rotate() error {
	files, err := List(w.dir)
	if err != nil {
		return err
	}
	var old []File // the agent's, put aside
	newest := false
	last := 0
	for _, f := range files {
		switch {
		case f.Agent != w.agent:
		case f.Rotation == 0:
			newest = true
		default:
			old = append(old, f)
			last = f.Rotation
		}
	}
	if newest {
		f := File{filepath.Join(w.dir, Name(w.agent, last+1)), w.agent, last + 1}
		if err := os.Rename(filepath.Join(w.dir, Name(w.agent, 0)), f.Path); err != nil {
			return err
		}
		old = append(old, f)
	}
	for len(old) > max(w.Files, 1)-1 {
		if err := os.Remove(old[0].Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		old = old[1:]
	}
	return nil
}

// Write adds a line. It reaches the file by the next Flush at the latest.
func (w *Writer) Write(l Line) error {
	text, err := text(l)
	if err != nil {
		return err
	}
	w.written += int64(len(text))
	_, err = w.out.Write(text)
	return err
}

// WriteLine writes a line to where no Writer does, such as a crash log.
func WriteLine(w io.Writer, l Line) error {
	text, err := text(l)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// text is a line with its end.
func text(l Line) ([]byte, error) {
	b, err := json.Marshal(l)
	return append(b, '\n'), err
}

// Full says that it is time to Begin a new file.
func (w *Writer) Full() bool { return w.written >= w.FileBytes }

// Flush hands all lines to the operating system: they survive the death of the
// process, but not of the machine.
func (w *Writer) Flush() error { return w.out.Flush() }

// Close flushes and closes the file. A Writer that has none does nothing.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	err := errors.Join(w.out.Flush(), w.file.Close())
	w.file, w.out = nil, nil
	return err
}
