package wholefile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/caulk-go/caulk/internal/wholefile"
)

func write(t *testing.T, path, text string) *wholefile.File {
	t.Helper()
	f, err := wholefile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return f
}

func want(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(files) {
		t.Errorf("there are %v, %v", entries, err)
	}
	for name, text := range files {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(data) != text {
			t.Errorf("%s holds %q, %v, not %q", name, data, err, text)
		}
	}
}

// Until it is committed the old file is there, and nothing else of that name.
func TestCommit(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := write(t, path, "old").Commit(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f := write(t, path, "new")
	if data, err := os.ReadFile(path); err != nil || string(data) != "old" {
		t.Errorf("before the commit the file holds %q, %v", data, err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	want(t, folder, map[string]string{"file": "new"})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode was not kept: %v, %v", info.Mode(), err)
	}
}

func TestDiscard(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	if err := write(t, path, "new").Discard(); err != nil {
		t.Fatal(err)
	}
	want(t, folder, nil)
}

// A commit that fails leaves the old file, and nothing of the new one.
func TestCommitThatFails(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	f := write(t, path, "new")
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil {
		t.Error("a folder was replaced")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 || !entries[0].IsDir() {
		t.Errorf("there are %v, %v", entries, err)
	}
}

func TestProbe(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "there"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, reason := range map[string]string{
		"there": "", "new": "", ".": "it is a folder", "none/new": "no such file or directory", "there/new": "not a directory",
	} {
		err := wholefile.Probe(filepath.Join(folder, name))
		if got := fmt.Sprint(wholefile.Bare(err)); (err != nil || reason != "") && got != reason {
			t.Errorf("%s: %s, not %s", name, got, reason)
		}
	}
	want(t, folder, map[string]string{"there": "text"})
}

func TestFollow(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "file", "here": "."} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			t.Skip(err)
		}
	}
	for name, path := range map[string]string{"link": "file", "here/new": "new", "here/link": "file", "new": "new"} {
		if got := wholefile.Follow(filepath.Join(folder, name)); got != filepath.Join(folder, path) {
			t.Errorf("%s leads to %s", name, got)
		}
	}
	if got := wholefile.Follow("none/new"); got != "none/new" {
		t.Errorf("a name that leads nowhere becomes %s", got)
	}
}

func ExampleCreate() {
	path := filepath.Join(os.TempDir(), "wholefile-example")
	defer os.Remove(path)
	f, err := wholefile.Create(path)
	if err != nil {
		fmt.Println(wholefile.CannotWrite(path, err))
		return
	}
	if _, err := f.WriteString("all of it"); err != nil {
		fmt.Println(wholefile.CannotWrite(path, errors.Join(err, f.Discard())))
		return
	}
	fmt.Println(f.Commit())
	// Output: <nil>
}
