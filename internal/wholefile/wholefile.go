// Package wholefile writes files whole or not at all: what is written goes to
// a temporary file beside, which takes the file's place in one step.
package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Follow is where a name leads when symbolic links are followed; the file
// itself need not exist.
func Follow(name string) string {
	if path, err := filepath.EvalSymlinks(name); err == nil {
		return path
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		return filepath.Join(folder, filepath.Base(name))
	}
	return name
}

// Probe says why a file cannot be written, and leaves no trace of having tried.
func Probe(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a folder")
	default:
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	f, err := Create(path)
	if err != nil {
		return err
	}
	return f.Discard()
}

// File is a file on its way. It ends with Commit or Discard.
type File struct {
	*os.File // the temporary one
	path     string
}

// Create begins to write a file. Its name while it is written is the process's
// own, so that two processes do not meet.
func Create(path string) (*File, error) {
	folder, file := filepath.Split(path)
	name := filepath.Join(folder, fmt.Sprintf(".%s.%d.tmp", file, os.Getpid()))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &File{f, path}, nil
}

// Commit puts the file in its place, with the mode of the one that was there.
// If that fails, the old one stays as it was.
func (f *File) Commit() error {
	var err error
	if old, missing := os.Stat(f.path); missing == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Discard leaves no trace of what was written.
func (f *File) Discard() error {
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// CannotWrite names the file as the user did: the error itself may name the
// temporary one.
func CannotWrite(name string, err error) error {
	return fmt.Errorf("cannot write %s: %w", name, Bare(err))
}

// Bare is the reason of a file's error alone, without operation and path.
func Bare(err error) error {
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
