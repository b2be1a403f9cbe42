package tracelog

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// File is a file of a trace folder.
type File struct {
	Path     string
	Agent    model.ID
	Rotation int // the K of agent-N.K.jsonl; 0 for agent-N.jsonl, which is the newest
}

// Name is what a file is called in its folder.
func Name(agent model.ID, rotation int) string {
	if rotation == 0 {
		return fmt.Sprintf("agent-%d.jsonl", agent)
	}
	return fmt.Sprintf("agent-%d.%d.jsonl", agent, rotation)
}

// CrashName is what an agent's crash log is called. It is a trace of its own,
// whose last line is a Panic.
func CrashName(agent model.ID) string { return fmt.Sprintf("agent-%d.crash.jsonl", agent) }

// ParseName is the inverse of Name, for a path in any folder; ok is false for
// all other names, crash logs included.
func ParseName(path string) (f File, ok bool) {
	name := filepath.Base(path)
	rest, found := strings.CutPrefix(name, "agent-")
	if !found {
		return File{}, false
	}
	rest, found = strings.CutSuffix(rest, ".jsonl")
	if !found {
		return File{}, false
	}
	id, rotation, rotated := strings.Cut(rest, ".")
	n, err := strconv.Atoi(id)
	if err != nil {
		return File{}, false
	}
	f = File{Path: path, Agent: model.ID(n)}
	if rotated {
		if f.Rotation, err = strconv.Atoi(rotation); err != nil {
			return File{}, false
		}
	}
	return f, name == Name(f.Agent, f.Rotation) // not agent-03.jsonl
}

// List gives the traces in a folder: by agent, each agent's from the oldest to
// the newest. What is not called like a trace is left out.
func List(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, e := range entries {
		if f, ok := ParseName(filepath.Join(dir, e.Name())); ok && !e.IsDir() {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, compareFiles)
	return files, nil
}

func compareFiles(a, b File) int {
	newestLast := func(f File) int {
		if f.Rotation == 0 {
			return int(^uint(0) >> 1)
		}
		return f.Rotation
	}
	return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(newestLast(a), newestLast(b)))
}
