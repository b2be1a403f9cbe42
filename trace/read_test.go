package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

const pathFile = `{
  "schema": "caulk/path/v1",
  "algo": "mark2",
  "agents": 3,
  "params": {},
  "starts": {
    "1": "x"
  },
  "network": "bag",
  "wipe": [
    3
  ],
  "path": [
    {"move":"deliver","label":"{Prepare;1->3;n=1}","from":1,"to":3,"body":"Prepare{N: 1}","state":"R1I0P1"},
    {"move":"wipe","label":"Wipe 3","from":3,"to":3,"state":"R1I0I0"}
  ]
}
`

func mark2() trace.Setting {
	return trace.Setting{Algo: "mark2", Agents: 3, Params: map[string]int{}, Starts: map[model.ID]string{1: "x"}, Network: "bag", Wipe: []model.ID{3}}
}

func twoSteps() []trace.Step {
	return []trace.Step{
		{Move: "deliver", Label: "{Prepare;1->3;n=1}", From: 1, To: 3, Body: "Prepare{N: 1}", State: "R1I0P1"},
		{Move: "wipe", Label: "Wipe 3", From: 3, To: 3, State: "R1I0I0"},
	}
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Write(&b, mark2(), twoSteps()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(pathFile, b.String()); diff != "" {
		t.Errorf("the file (-want +got):\n%s", diff)
	}
}

func TestWriteOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Write(&b, trace.Setting{Algo: "a", Agents: 1, Wipe: []model.ID{2, 1, 2}}, nil); err != nil {
		t.Fatal(err)
	}
	got, err := trace.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	want := trace.Path{
		Setting: &trace.Setting{Algo: "a", Agents: 1, Params: map[string]int{}, Starts: map[model.ID]string{}, Wipe: []model.ID{1, 2}},
		Steps:   []trace.Step{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestWriteTellsOfAFailingWriter(t *testing.T) {
	broken := errors.New("disk full")
	pipe, w := io.Pipe()
	pipe.CloseWithError(broken)
	if err := trace.Write(w, mark2(), nil); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

func TestRead(t *testing.T) {
	setting := mark2()
	report := strings.Replace(pathFile, "caulk/path/v1", "caulk/report/v1", 1)
	report = strings.Replace(report, `"path": [`, `"verdict": "violated", "seconds": 0.1, "violation": {"property": "consistent", "path": [`, 1)
	report = strings.TrimSuffix(report, "}\n") + "}}"
	cases := []struct {
		name, file string
		want       trace.Path
	}{
		{"a path file", pathFile, trace.Path{Setting: &setting, Steps: twoSteps()}},
		{"fields that it does not know", strings.Replace(pathFile, `"path"`, `"lossy": false, "path"`, 1), trace.Path{Setting: &setting, Steps: twoSteps()}},
		{"a report", report, trace.Path{Setting: &setting, Steps: twoSteps()}},
		{"labels", ` ["{Prepare;1->3;n=1}", "Wipe 3"] `, trace.Path{Steps: []trace.Step{{Label: "{Prepare;1->3;n=1}"}, {Label: "Wipe 3"}}}},
		{"no labels", `[]`, trace.Path{Steps: []trace.Step{}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := trace.Read(iotest.OneByteReader(strings.NewReader(c.file)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	edit := func(old, new string) string {
		if !strings.Contains(pathFile, old) {
			t.Fatalf("the path file has no %q", old)
		}
		return strings.Replace(pathFile, old, new, 1)
	}
	cases := []struct{ name, file, want string }{
		{"empty", "", "it is empty: a path file, a report or a JSON list of labels belongs there"},
		{"blank", " \n\t ", "it is empty: a path file, a report or a JSON list of labels belongs there"},
		{"truncated", pathFile[:200], "it is truncated: its JSON breaks off in line 14"},
		{"a truncated list", `["Wipe 3",`, "it is truncated: its JSON breaks off in line 1"},
		{"not JSON", "digraph {\n}", "it is not JSON: line 1: invalid character 'd' looking for beginning of value"},
		{"not JSON any more", edit(`"agents": 3`, `"agents": three`), "it is not JSON: line 4: invalid character 'h' in literal true (expecting 'r')"},
		{"trailing data", pathFile + "\n{}", "something follows its JSON, in line 19: remove it"},
		{"a number", "17", "it is neither a path file nor a report (JSON objects) nor a JSON list of labels"},
		{"null", "null", "it is neither a path file nor a report (JSON objects) nor a JSON list of labels"},
		{"no schema", `{"path": []}`, `it has no "schema": it is neither a path file nor a report of caulk`},
		{"a schema of a wrong type", `{"schema": 1}`, `"schema": a number stands where a string belongs`},
		{"a newer path file", edit("path/v1", "path/v2"), "it was written by a newer caulk: its schema is caulk/path/v2, and this one reads caulk/path/v1"},
		{"a newer report", edit("path/v1", "report/v12"), "it was written by a newer caulk: its schema is caulk/report/v12, and this one reads caulk/report/v1"},
		{"another schema", edit("caulk/path/v1", `a\nb`), `its schema "a\nb" is unknown: caulk/path/v1 and caulk/report/v1 can be read`},
		{"a long schema", edit("caulk/path/v1", strings.Repeat("é", 500)), `its schema "` + strings.Repeat("é", 30) + `..." is unknown: caulk/path/v1 and caulk/report/v1 can be read`},
		{"no algorithm", edit(`"algo"`, `"ogla"`), `it has no "algo"`},
		{"no agents", edit(`"agents": 3`, `"agents": 0`), `its "agents" is 0: a system needs at least one`},
		{"agents of a wrong type", edit(`"agents": 3`, `"agents": "3"`), `"agents": a string stands where a whole number belongs`},
		{"half an agent", edit(`"agents": 3`, `"agents": 0.5`), `"agents": 0.5 stands where a whole number belongs`},
		{"too many agents to count", edit(`"agents": 3`, `"agents": 1e400`), `"agents": 1e400 stands where a whole number belongs`},
		{"starts of a wrong type", edit(`"1": "x"`, `"1": ["x"]`), `"starts": a list stands where a string belongs`},
		{"a start of nobody", edit(`"1": "x"`, `"one": "x"`), `"starts": one stands where a whole number belongs`},
		{"wipes of a wrong type", edit("[\n    3\n  ]", "3"), `"wipe": a number stands where a list belongs`},
		{"parameters of a wrong type", edit(`"params": {}`, `"params": true`), `"params": a bool stands where an object belongs`},
		{"no path", edit(`"path"`, `"way"`), `it has no "path"`},
		{"a path of a wrong type", `{"schema":"caulk/path/v1","path":{}}`, "its path is no list"},
		{"a path that is null", `{"schema":"caulk/path/v1","path":null}`, "its path is no list"},
		{"a step of a wrong type", edit(`{"move":"wipe","label":"Wipe 3","from":3,"to":3,"state":"R1I0I0"}`, `"Wipe 3"`), "step 2 of its path: a string stands where an object belongs"},
		{"a label of a wrong type", edit(`"Wipe 3"`, `{}`), `step 2 of its path: "label": an object stands where a string belongs`},
		{"a step without a label", edit(`"Wipe 3"`, `""`), "step 2 of its path has no label"},
		{"a list of other things", `["Wipe 3", 3]`, "step 2 of its path: a number stands where a string belongs"},
		{"a list of nothing", `[null]`, "step 1 of its path has no label"},
		{"a report without a violation", `{"schema":"caulk/report/v1","verdict":"holds","violation":null}`, `it is the report of a search without a violation (verdict "holds"): there is no path to replay`},
		{"a report without a path", `{"schema":"caulk/report/v1","violation":{}}`, `it is a report whose violation has no "path"`},
		{"deeper than sense", strings.Repeat("[", 1e5), "it is not JSON: line 1: invalid character '[' exceeded max depth"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := trace.Read(strings.NewReader(c.file))
			if err == nil {
				t.Fatalf("it is read as %v", got)
			}
			if err.Error() != c.want {
				t.Errorf("the error is\n%s\nnot\n%s", err, c.want)
			}
			if diff := cmp.Diff(trace.Path{}, got); diff != "" {
				t.Errorf("it gives a path all the same:\n%s", diff)
			}
		})
	}
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte(" "), len(p))), nil }

func TestReadRefusesWhatIsTooLarge(t *testing.T) {
	_, err := trace.Read(endless{})
	if err == nil || err.Error() != "it has more than 64 MiB: no path file is that large" {
		t.Errorf("the error is %v", err)
	}
}

func TestReadTellsOfAFailingReader(t *testing.T) {
	broken := errors.New("disk broken")
	if _, err := trace.Read(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
}

// FuzzRead reads anything: it must be refused in one line of text, or be
// written and read back as it was.
func FuzzRead(f *testing.F) {
	for _, file := range []string{"", pathFile, pathFile[:200], `["Wipe 3"]`, `[null]`, `{"schema":"caulk/report/v1","algo":"a","agents":1,"violation":{"path":[]}}`,
		`{"schema":"caulk/path/v1","algo":"\u0000","agents":1,"starts":{"01":"\ud800","1":""},"wipe":[-1,1,-1],"path":[{"label":"\u2028<&>"}]}`} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path, err := trace.Read(bytes.NewReader(data))
		if err != nil {
			mustBeOneLine(t, err.Error())
			return
		}
		if path.Setting == nil {
			mustBeLabels(t, data, path)
			return
		}
		var first, second bytes.Buffer
		if err := trace.Write(&first, *path.Setting, path.Steps); err != nil {
			t.Fatal(err)
		}
		again, err := trace.Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, first.Bytes())
		}
		if diff := cmp.Diff(path, again); diff != "" {
			t.Fatalf("read back (-first +again):\n%s", diff)
		}
		if err := trace.Write(&second, *again.Setting, again.Steps); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("the same path is written in two ways:\n%s\n%s", first.Bytes(), second.Bytes())
		}
	})
}

func mustBeLabels(t *testing.T, data []byte, path trace.Path) {
	var labels []string
	if err := json.Unmarshal(data, &labels); err != nil {
		t.Fatalf("read as labels, which it is not: %v", err)
	}
	if len(labels) != len(path.Steps) {
		t.Fatalf("%d labels make %d steps", len(labels), len(path.Steps))
	}
	for i, label := range labels {
		if want := (trace.Step{Label: label}); path.Steps[i] != want {
			t.Fatalf("step %d is %v, not %v", i+1, path.Steps[i], want)
		}
	}
}
