package explorer_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// checkpointOf is a checkpoint of a search that was cut.
func checkpointOf(t testing.TB, sys model.System, o explorer.Options) []byte {
	t.Helper()
	o.Checkpoint = filepath.Join(t.TempDir(), "search")
	explore(t, sys, o)
	data, err := os.ReadFile(o.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// resumeFrom goes on from a file with some content, and gives the error, where
// the file is called FILE.
func resumeFrom(t testing.TB, data []byte, sys model.System, o explorer.Options) error {
	t.Helper()
	o.Resume = filepath.Join(t.TempDir(), "forged")
	if err := os.WriteFile(o.Resume, data, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := explorer.Explore(ctx, sys, o)
	if (r == nil) == (err == nil) {
		t.Fatalf("a report %v and an error %v", r, err)
	}
	if err == nil {
		return nil
	}
	return errors.New(strings.ReplaceAll(err.Error(), o.Resume, "FILE"))
}

// seal puts the right checksum to a forged file.
func seal(data []byte) []byte {
	body := data[:len(data)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

func TestCheckpointsThatAreDamaged(t *testing.T) {
	sys := wiped(t, "mark3", 1)
	good := checkpointOf(t, sys, explorer.Options{MaxStates: 20})
	if err := resumeFrom(t, good, sys, explorer.Options{}); err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(good, []byte("checkpoint/v1"), []byte("checkpoint/v2"), 1)
	engine := seal(bytes.Replace(good, fmt.Appendf(nil, `"engine":%d,`, explorer.Engine), []byte(`"engine":99,`), 1))
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 4
	noJSON := seal(bytes.Replace(good, []byte(`{"engine"`), []byte(`["engine"`), 1))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "cannot go on from FILE: it is not a checkpoint"},
		{"a report", []byte(`{"schema": "caulk/report/v1"}`), "cannot go on from FILE: it is not a checkpoint"},
		{"a first line", good[:10], "cannot go on from FILE: it is not a checkpoint"},
		{"newer", newer, `cannot go on from FILE: it is a "caulk/checkpoint/v2", and this caulk reads caulk/checkpoint/v1`},
		{"cut off early", good[:30], "cannot go on from FILE: it is cut off: its end is missing"},
		{"cut off late", good[:len(good)-1], "cannot go on from FILE: it is cut off: its end is missing"},
		{"a bit flipped", flipped, "cannot go on from FILE: it is damaged: its checksum is wrong"},
		{"another engine", engine, "cannot go on from FILE: it was written by another version of caulk: search anew, or with that version"},
		{"no JSON", noJSON, "cannot go on from FILE: it holds what caulk does not write"},
	} {
		if err := resumeFrom(t, c.data, sys, explorer.Options{}); text(err) != c.want {
			t.Errorf("%s: %s\nnot %s", c.name, text(err), c.want)
		}
	}
	for n := 0; n < len(good); n += 1 + len(good)/300 {
		if err := resumeFrom(t, good[:n], sys, explorer.Options{}); err == nil {
			t.Fatalf("the first %d of %d bytes are accepted", n, len(good))
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCheckpointsOfOtherSearches(t *testing.T) {
	sys := wiped(t, "mark3", 3)
	sys.Properties = append(sys.Properties, model.Sometimes("more", func(model.View) bool { return true }))
	good := checkpointOf(t, sys, explorer.Options{MaxStates: 20})
	change := func(f func(s *model.System)) model.System {
		s := sys
		f(&s)
		return s
	}
	for _, c := range []struct {
		sys  model.System
		o    explorer.Options
		want string
	}{
		{wiped(t, "mark2", 3), explorer.Options{}, "it was written for --algo mark3, not --algo mark2"},
		{change(func(s *model.System) { s.Wipe = []model.ID{2, 3} }), explorer.Options{}, "it was written for --wipe 3, not --wipe 2,3"},
		{change(func(s *model.System) { s.Wipe = nil }), explorer.Options{}, "it was written for --wipe 3, not for a search without"},
		{change(func(s *model.System) { s.Network = model.Set }), explorer.Options{}, "it was written for --network bag, not --network set"},
		{change(func(s *model.System) { s.Starts = map[model.ID]string{1: "x", 2: "y z"} }), explorer.Options{}, "it was written for --start 1=x, not --start 1=x --start '2=y z'"},
		{change(func(s *model.System) { s.Params = map[string]int{"n": 1} }), explorer.Options{}, "it was written without --param n=1"},
		{change(func(s *model.System) { s.Properties = s.Properties[:1] }), explorer.Options{}, `it was written for the properties ["consistent" "more"], not ["consistent"]`},
		{sys, explorer.Options{Properties: []string{}}, `it was written for the properties ["consistent" "more"], not (none)`},
		{sys, explorer.Options{KeepGoing: true}, "it was written without --keep-going"},
	} {
		if err := resumeFrom(t, good, c.sys, c.o); text(err) != "cannot go on from FILE: "+c.want {
			t.Errorf("%v\nnot %s", err, c.want)
		}
	}
	on := checkpointOf(t, sys, explorer.Options{MaxStates: 20, KeepGoing: true})
	if err := resumeFrom(t, on, sys, explorer.Options{}); text(err) != "cannot go on from FILE: it was written for --keep-going, not for a search without" {
		t.Error(err)
	}
}

// An algorithm that was changed is noticed, with the first handler that does
// something else: in what comes next, in what is sent, in what is halted.
func TestCheckpointsOfAChangedAlgorithm(t *testing.T) {
	count := func(change func(s int) (int, []model.Message[ticket], bool), halted func(int) bool) model.System {
		do := func(s int) (int, []model.Message[ticket], bool) {
			if s == 5 && change != nil {
				return change(s)
			}
			return s + 1, send(1, ticket{s}), s < 9
		}
		return systemOf(model.Of(scripted[int, ticket]{actions: action("count", do), halted: halted}), model.Of(scripted[int, ticket]{}))
	}
	good := checkpointOf(t, count(nil, nil), explorer.Options{MaxStates: 100})
	for _, c := range []struct {
		name string
		sys  model.System
		want string
	}{
		{"the next state", count(func(s int) (int, []model.Message[ticket], bool) { return s + 2, send(1, ticket{s}), true }, nil), "an own action or Fresh of agent 1 in state 5 answers differently"},
		{"what is sent", count(func(s int) (int, []model.Message[ticket], bool) { return s + 1, nil, true }, nil), "an own action or Fresh of agent 1 in state 5 answers differently"},
		{"to whom", count(func(s int) (int, []model.Message[ticket], bool) { return s + 1, send(2, ticket{s}), true }, nil), "an own action or Fresh of agent 1 in state 5 answers differently"},
		{"whether", count(func(s int) (int, []model.Message[ticket], bool) { return s, nil, false }, nil), "an own action or Fresh of agent 1 in state 5 answers differently"},
		{"what is halted", count(nil, func(s int) bool { return s == 6 }), "an own action or Fresh of agent 1 in state 5 answers differently"},
		{"a panic", count(func(int) (int, []model.Message[ticket], bool) { panic("oh") }, nil), "an own action of agent 1 in state 5 panics: oh"},
		{"the start", systemOf(model.Of(scripted[int, ticket]{fresh: func(model.ID, int) (int, []model.Message[ticket]) { return 7, nil }}), model.Of(scripted[int, ticket]{})), "Fresh or Start of an agent answers differently"},
		{"the start's panic", systemOf(model.Of(scripted[int, ticket]{fresh: func(model.ID, int) (int, []model.Message[ticket]) { panic("oh") }}), model.Of(scripted[int, ticket]{})), "Fresh of agent 1 panics: oh"},
	} {
		if err := resumeFrom(t, good, c.sys, explorer.Options{}); text(err) != "cannot go on from FILE: the algorithm has changed since it was written: "+c.want {
			t.Errorf("%s: %v\nnot %s", c.name, err, c.want)
		}
	}
}

// What a handler makes of a message is compared too.
func TestCheckpointOfAChangedReceive(t *testing.T) {
	good := checkpointOf(t, peers(1, 20), explorer.Options{MaxStates: 20})
	want := "cannot go on from FILE: the algorithm has changed since it was written: Receive of agent 1 in state 5 given ticket{N: 5} from 2 answers differently"
	if err := resumeFrom(t, good, peers(1, 5), explorer.Options{}); text(err) != want {
		t.Errorf("%v\nnot %s", err, want)
	}
}

// The file itself: where it cannot be, what it must not replace.
func TestCheckpointFilesThatCannotBe(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("mine.go", []byte("package mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("empty", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	sys := made(t, "mark1", model.Config{})
	for _, c := range []struct {
		o    explorer.Options
		want string
	}{
		{explorer.Options{Checkpoint: "."}, "cannot write .: it is a folder"},
		{explorer.Options{Checkpoint: "none/x"}, "cannot write none/x: no such file or directory"},
		{explorer.Options{Checkpoint: "mine.go"}, "cannot write mine.go: it is there and is no checkpoint: choose another name, or remove it"},
		{explorer.Options{Checkpoint: os.DevNull}, "cannot write " + os.DevNull + ": it is not a file"},
		{explorer.Options{Resume: "none"}, "cannot read none: no such file or directory"},
		{explorer.Options{Resume: "."}, "cannot read .: is a directory"},
		{explorer.Options{Checkpoint: "new", Search: explorer.DFS}, "checkpoints are of searches breadth first only"},
		{explorer.Options{Resume: "new", Search: explorer.DFS}, "checkpoints are of searches breadth first only"},
	} {
		if err := exploreFails(t, sys, c.o); err.Error() != c.want {
			t.Errorf("%v\nnot %s", err, c.want)
		}
	}
	cutAt(t, sys, explorer.Options{}, 3, "empty")
	if entries, _ := os.ReadDir("."); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

// Where the checkpoint cannot be written any more the search goes on, says so
// on the way, and has both its report and the error.
func TestCheckpointThatCannotBeWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	gone := model.Always("fine", func(model.View) error {
		os.Remove(folder)
		return nil
	})
	sys := counters(2, 9)
	sys.Properties = []model.Property{gone}
	file := filepath.Join(folder, "search")
	r, err := explorer.Explore(t.Context(), sys, explorer.Options{Checkpoint: file, MaxStates: 50})
	var unsaved *explorer.CheckpointError
	if !errors.As(err, &unsaved) || unsaved.File != file {
		t.Fatalf("the error is %v", err)
	}
	if want := fmt.Sprintf("cannot write the checkpoint %s: no such file or directory: the search cannot be resumed from where it ended", file); err.Error() != want {
		t.Errorf("%v\nnot %s", err, want)
	}
	if r == nil || r.States < 50 || r.Verdict != explorer.Incomplete {
		t.Errorf("the report is %+v", r)
	}
}

// Files that nobody wrote but an attacker, with a checksum that is right: they
// are refused, or lead to some report, but not to a panic.
func FuzzForgedCheckpoint(f *testing.F) {
	sys := made(f, "mark2", model.Config{})
	sys.Wipe = []model.ID{2}
	large := hoppers(3, 1, 30, model.Bag)
	seeds := 150
	if testing.Short() {
		seeds = 20
	}
	for i, s := range []model.System{sys, large} {
		data := checkpointOf(f, s, explorer.Options{MaxStates: 30, KeepGoing: true})
		for at := 0; at < len(data); at += 1 + len(data)/seeds {
			f.Add(i == 1, data, at, byte(1))
			f.Add(i == 1, data, at, byte(0xff))
		}
		for n, number := range regexp.MustCompile(`[0-9]+`).FindAllIndex(data[:bytes.IndexByte(data[30:], '\n')], -1) {
			if !testing.Short() || n%5 == 0 {
				f.Add(i == 1, data, number[0], byte('1'^'9'))
			}
		}
	}
	f.Fuzz(func(t *testing.T, second bool, data []byte, at int, flip byte) {
		if len(data) < sha256.Size || at < 0 || at >= len(data) {
			return
		}
		data = bytes.Clone(data)
		data[at] ^= flip
		s := sys
		if second {
			s = large
		}
		resumeFrom(t, seal(data), s, explorer.Options{MaxStates: 5000, KeepGoing: true, Graph: explorer.LabelGraph})
	})
}
