package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTargetIsReplacedWhole(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "out")
	target := mustTarget(t, name)
	if _, err := os.Stat(name); err == nil {
		t.Error("the file is there before it is written")
	}
	for _, text := range []string{"first", "2nd"} {
		if err := target.write([]byte(text), nil); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v, not %q", got, err, text)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// A folder that is taken away while the search runs.
func TestTargetThatVanishes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(folder, "out")
	target := mustTarget(t, name)
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	err := target.write([]byte("text"), nil)
	if want := "cannot write " + name + ": no such file or directory"; text(err) != want {
		t.Errorf("%q, not %q", text(err), want)
	}
}

func TestStandardOutputThatFails(t *testing.T) {
	target := mustTarget(t, "-")
	var b bytes.Buffer
	if err := target.write([]byte("text"), &b); err != nil || b.String() != "text" {
		t.Errorf("%q, %v", b.String(), err)
	}
	if err := target.write([]byte("text"), full{}); text(err) != "cannot write to standard output: full" {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestSameTarget(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("there", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		a, b string
		want bool
	}{
		{"-", "-", true},
		{"-", "there", false},
		{"there", "./there", true},
		{"there", filepath.Join(folder, "there"), true},
		{"new", "./new", true},
		{"new", "there", false},
	}
	for _, test := range tests {
		if got := mustTarget(t, test.a).same(mustTarget(t, test.b)); got != test.want {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}

func mustTarget(t *testing.T, name string) target {
	t.Helper()
	target, err := newTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return target
}
