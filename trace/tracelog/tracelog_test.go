package tracelog_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// read gives all lines, and the error that ended them.
func read(r io.Reader) ([]tracelog.Line, error) {
	var lines []tracelog.Line
	for in := tracelog.NewReader(r); ; {
		l, err := in.Next()
		if err != nil {
			return lines, err
		}
		lines = append(lines, l)
	}
}

func head(seq int) tracelog.Head {
	return tracelog.Head{Schema: tracelog.Schema, Point: tracelog.Point{Agent: 3, Incarnation: 1, Seq: seq}, States: "s", Messages: "m", State: []byte{1, 2}}
}

func step(seq int) tracelog.Line {
	value := "x"
	return tracelog.Line{Step: &tracelog.Step{
		Point: tracelog.Point{Agent: 3, Incarnation: 1, Seq: seq},
		Move:  tracelog.Deliver,
		Value: &value,
		Message: &tracelog.Received{
			From: 1, Ref: &tracelog.Ref{Point: tracelog.Point{Agent: 1, Seq: 7}, Index: 2}, Body: []byte("body"), Text: "Prepare n=1",
		},
		Durable: &tracelog.Point{Agent: 3, Seq: 9},
		Before:  "b", After: "a",
		Sent: []tracelog.Sent{{To: 1, Body: []byte{0}, Text: "Promise n=1"}},
		At:   1_000_000,
	}}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	dir := t.TempDir()
	w := tracelog.NewWriter(dir, 3)
	if err := w.Begin(head(0)); err != nil {
		t.Fatal(err)
	}
	at := tracelog.Point{Agent: 3, Incarnation: 1, Seq: 1}
	h := head(0)
	want := []tracelog.Line{
		{Head: &h},
		step(1),
		{Commit: &tracelog.Commit{Point: at, At: 5}},
		{Panic: &tracelog.Panic{Point: at, Move: tracelog.Act, Action: "give up", Reason: "out of range", Stack: "a\nb"}},
		{Stop: &tracelog.Stop{Point: at}},
	}
	for _, l := range want[1:] {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "agent-3.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := read(f)
	if !errors.Is(err, io.EOF) {
		t.Errorf("the file ends with %v", err)
	}
	// Setting has no nil where it was written with one: its zero value is not compared.
	got[0].Head.Setting = h.Setting
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("written (-), read (+):\n%s", d)
	}
	if got[3].At() != at {
		t.Errorf("the panic is at %v, not %v", got[3].At(), at)
	}
}

func TestFilesRotate(t *testing.T) {
	dir := t.TempDir()
	w := tracelog.NewWriter(dir, 3)
	w.FileBytes, w.Files = 1, 3
	for seq := range 6 {
		if seq == 0 || w.Full() {
			if err := w.Begin(head(seq)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(step(seq + 1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"agent-2.jsonl", "agent-03.jsonl", "agent-3.x.jsonl", "agent-3.crash.jsonl", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, other), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := tracelog.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var firsts []int
	for _, f := range files {
		names = append(names, filepath.Base(f.Path))
		if f.Agent == 2 {
			continue
		}
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		lines, _ := read(strings.NewReader(string(data)))
		if len(lines) != 2 || lines[1].Step == nil || lines[1].Step.Seq != lines[0].Head.Seq+1 {
			t.Fatalf("%s does not hold a head and the step after it", f.Path)
		}
		firsts = append(firsts, lines[0].Head.Seq)
	}
	if want := []string{"agent-2.jsonl", "agent-3.4.jsonl", "agent-3.5.jsonl", "agent-3.jsonl"}; !slices.Equal(names, want) {
		t.Errorf("there are %v, not %v", names, want)
	}
	if want := []int{3, 4, 5}; !slices.Equal(firsts, want) {
		t.Errorf("the files begin at %v, not %v", firsts, want)
	}
}

func TestWhatIsNoTraceIsRefused(t *testing.T) {
	const first = `{"head":{"schema":"caulk/trace/v1"}}` + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "EOF"},
		{"cut in the head", first[:10], "it breaks off in the middle of a line"},
		{"cut later", first + `{"commit":{"seq":1}}`, "it breaks off in the middle of a line"},
		{"not JSON", first + "hello\n", "line 2: it is not JSON: a trace has one JSON object a line"},
		{"no object", first + "[1]\n", "line 2: it is no JSON object: a trace has one a line"},
		{"no head", `{"commit":{}}` + "\n", "line 1: a trace begins with a head, and this is none"},
		{"two heads", first + first, "line 2: a head stands in the middle of a file"},
		{"nothing known", first + `{"later":1}` + "\n", "line 2: it has 0 of head, step, commit, stop and panic: a line of a trace has one"},
		{"two in one", first + `{"stop":{},"commit":{}}` + "\n", "line 2: it has 2 of head, step, commit, stop and panic: a line of a trace has one"},
		{"another schema", `{"head":{"schema":"caulk/trace/v9"}}` + "\n", `line 1: its schema is "caulk/trace/v9": this version reads caulk/trace/v1`},
		{"another type", first + `{"commit":{"seq":"one"}}` + "\n", `line 2: its "commit.seq" cannot be a string`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(strings.NewReader(c.text))
			if err == nil || err.Error() != c.want {
				t.Errorf("the error is %v, not %s", err, c.want)
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(`{"head":{"schema":"caulk/trace/v1"}}` + "\n" + `{"step":{"seq":1,"move":"begin"}}` + "\n"))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := read(strings.NewReader(string(data)))
		if err == nil {
			t.Fatal("a trace without an end")
		}
		for i, l := range lines {
			if (l.Head != nil) != (i == 0) {
				t.Fatalf("line %d: a head belongs at the beginning and nowhere else", i+1)
			}
		}
	})
}

func ExampleDigest() {
	fmt.Println(tracelog.Digest("type", []byte("state")))
	fmt.Println(tracelog.Digest("another type", []byte("state")))
	fmt.Println(tracelog.Name(model.ID(3), 0), tracelog.Name(3, 2), tracelog.CrashName(3))
	// Output:
	// 3c91bd6d8701b65a5738638b5f69b314
	// 1b554457eeb49e49a7fc82585ae609e5
	// agent-3.jsonl agent-3.2.jsonl agent-3.crash.jsonl
}
