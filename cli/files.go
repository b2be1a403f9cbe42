package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/caulk-go/caulk/internal/wholefile"
)

// target is where an output goes: standard output, or a file that is written
// whole or not at all.
type target struct {
	name string // as the user wrote it
	path string // symbolic links followed; empty for standard output

	// special is a device or a pipe: it cannot be replaced, only written to.
	special bool
}

// newTarget makes sure that the file can be written, and leaves no trace of
// having tried.
func newTarget(name string) (target, error) {
	if name == "-" {
		return target{name: name}, nil
	}
	t := target{name: name, path: wholefile.Follow(name)}
	if info, err := os.Stat(t.path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		t.special = true
		return t, nil
	}
	if err := wholefile.Probe(t.path); err != nil {
		return t, wholefile.CannotWrite(name, err)
	}
	return t, nil
}

// same says whether two targets are one file.
func (t target) same(other target) bool {
	if t.path == "" || other.path == "" {
		return t.path == other.path
	}
	a, errA := os.Stat(t.path)
	b, errB := os.Stat(other.path)
	if errA == nil && errB == nil {
		return os.SameFile(a, b) && !t.special // what goes to a device is not lost
	}
	absA, errA := filepath.Abs(t.path)
	absB, errB := filepath.Abs(other.path)
	return errA == nil && errB == nil && absA == absB
}

// write puts the data where it belongs. A file that exists is replaced in one
// step, or left as it was.
func (t target) write(data []byte, stdout io.Writer) error {
	if t.path == "" {
		if _, err := stdout.Write(data); err != nil {
			return fmt.Errorf("cannot write to standard output: %w", err)
		}
		return nil
	}
	if t.special {
		return t.pour(data)
	}
	f, err := wholefile.Create(t.path)
	if err != nil {
		return wholefile.CannotWrite(t.name, err)
	}
	if _, err := f.Write(data); err != nil {
		return wholefile.CannotWrite(t.name, errors.Join(err, f.Discard()))
	}
	if err := f.Commit(); err != nil {
		return wholefile.CannotWrite(t.name, err)
	}
	return nil
}

func (t target) pour(data []byte) error {
	f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err != nil {
		return wholefile.CannotWrite(t.name, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return wholefile.CannotWrite(t.name, err)
	}
	return nil
}
