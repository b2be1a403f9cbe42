package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// target is where an output goes: standard output, or a file that is written
// whole or not at all.
type target struct {
	name string // as the user wrote it
	path string // symbolic links followed; empty for standard output

	exists bool
	mode   fs.FileMode // of the file that exists, and is to keep it

	// special is a device or a pipe: it cannot be replaced, only written to.
	special bool
}

// newTarget makes sure that the file can be written, and leaves no trace of
// having tried.
func newTarget(name string) (target, error) {
	if name == "-" {
		return target{name: name}, nil
	}
	t := target{name: name, path: name}
	if followed, err := filepath.EvalSymlinks(name); err == nil {
		t.path = followed
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		t.path = filepath.Join(folder, filepath.Base(name))
	}
	info, err := os.Stat(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return t, cannotWrite(name, err)
	case info.IsDir():
		return t, fmt.Errorf("cannot write %s: it is a folder", name)
	case !info.Mode().IsRegular():
		t.special = true
		return t, nil
	default:
		t.exists, t.mode = true, info.Mode().Perm()
		f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
		if err != nil {
			return t, cannotWrite(name, err)
		}
		f.Close()
	}
	f, err := t.beside()
	if err != nil {
		return t, cannotWrite(name, err)
	}
	f.Close()
	return t, os.Remove(f.Name())
}

// beside makes the temporary file that will become the target. Its name is
// the process's own, so that two runs do not meet.
func (t target) beside() (*os.File, error) {
	folder, file := filepath.Split(t.path)
	name := filepath.Join(folder, fmt.Sprintf(".%s.%d.tmp", file, os.Getpid()))
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
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
	f, err := t.beside()
	if err != nil {
		return cannotWrite(t.name, err)
	}
	if t.exists {
		err = f.Chmod(t.mode)
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), t.path)
	}
	if err != nil {
		os.Remove(f.Name())
		return cannotWrite(t.name, err)
	}
	return nil
}

func (t target) pour(data []byte) error {
	f, err := os.OpenFile(t.path, os.O_WRONLY, 0)
	if err != nil {
		return cannotWrite(t.name, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return cannotWrite(t.name, err)
	}
	return nil
}

// cannotWrite names the file as the user did: the error itself may name the
// temporary one.
func cannotWrite(name string, err error) error {
	return fmt.Errorf("cannot write %s: %w", name, bareError(err))
}

// bareError is the reason alone, without operation and path.
func bareError(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
