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
  "lossy": false,
  "wipe": [
    3
  ],
  "restart": [],
  "crash": [],
  "budgets": {},
  "path": [
    {"move":"deliver","label":"{Prepare;1->3;n=1}","from":1,"to":3,"body":"Prepare{N: 1}","state":"R1I0P1"},
    {"move":"wipe","label":"Wipe 3","from":3,"to":3,"state":"R1I0I0"}
  ]
}
`

func mark2() trace.Setting {
	return trace.Setting{
		Algo: "mark2", Agents: 3, Params: map[string]int{}, Starts: map[model.ID]string{1: "x"}, Network: "bag",
		Wipe: []model.ID{3}, Restart: []model.ID{}, Crash: []model.ID{}, Budgets: map[string]int{},
	}
}

// eventful is a setting in which everything may go wrong.
func eventful() trace.Setting {
	s := mark2()
	s.Network, s.Lossy, s.Restart, s.Crash = "fifo", true, []model.ID{1, 2}, []model.ID{2}
	s.Budgets = map[string]int{"wipes": 2, "drops": 0}
	return s
}

func twoSteps() []trace.Step {
	return []trace.Step{
		{Move: "deliver", Label: "{Prepare;1->3;n=1}", From: 1, To: 3, Body: "Prepare{N: 1}", State: "R1I0P1"},
		{Move: "wipe", Label: "Wipe 3", From: 3, To: 3, State: "R1I0I0"},
	}
}

func TestWrite(t *testing.T) {
	quiet, loud := mark2(), eventful()
	loud.OtherStarts = []map[model.ID]string{{1: "y"}} // where the path does not begin
	eventfulFile := edits(`"bag"`, `"fifo"`, `"lossy": false`, `"lossy": true`, `"restart": []`, "\"restart\": [\n    1,\n    2\n  ]",
		`"crash": []`, "\"crash\": [\n    2\n  ]", `"budgets": {}`, "\"budgets\": {\n    \"drops\": 0,\n    \"wipes\": 2\n  }",
		`"path"`, "\"property\": \"done\",\n  \"loop_from\": 0,\n  \"path\"")
	cases := []struct {
		name string
		path trace.Path
		want string
	}{
		{"a path", trace.Path{Setting: &quiet, Steps: twoSteps()}, pathFile},
		{"a loop where everything may go wrong", trace.Path{Setting: &loud, Steps: twoSteps(), Property: "done", LoopFrom: new(0)}, eventfulFile},
		{"labels", trace.Path{Steps: twoSteps()}, `["{Prepare;1->3;n=1}","Wipe 3"]` + "\n"},
		{"no labels", trace.Path{}, "[]\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := trace.Write(&b, c.path); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, b.String()); diff != "" {
				t.Errorf("the file (-want +got):\n%s", diff)
			}
		})
	}
}

// edits is the path file with some texts in place of others, in pairs.
func edits(pairs ...string) string {
	file := pathFile
	for i := 0; i < len(pairs); i += 2 {
		file = strings.Replace(file, pairs[i], pairs[i+1], 1)
	}
	return file
}

func TestWriteOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Write(&b, trace.Path{Setting: &trace.Setting{Algo: "a", Agents: 1, Wipe: []model.ID{2, 1, 2}, Crash: []model.ID{1, 1}}}); err != nil {
		t.Fatal(err)
	}
	got, err := trace.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	want := trace.Path{
		Setting: &trace.Setting{
			Algo: "a", Agents: 1, Params: map[string]int{}, Starts: map[model.ID]string{},
			Wipe: []model.ID{1, 2}, Restart: []model.ID{}, Crash: []model.ID{1}, Budgets: map[string]int{},
		},
		Steps: []trace.Step{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestWriteTellsOfAFailingWriter(t *testing.T) {
	broken := errors.New("disk full")
	pipe, w := io.Pipe()
	pipe.CloseWithError(broken)
	setting := mark2()
	for _, p := range []trace.Path{{Setting: &setting}, {}} {
		if err := trace.Write(w, p); !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestRead(t *testing.T) {
	setting, loud, other, nobody := mark2(), eventful(), mark2(), mark2()
	other.Starts, nobody.Starts = map[model.ID]string{2: "y"}, map[model.ID]string{}
	report := func(violation string) string {
		file := edits("caulk/path/v1", "caulk/report/v1", `"path": [`, `"verdict": "violated", "seconds": 0.1, "violation": {"property": "consistent", `+violation+`"path": [`)
		return strings.TrimSuffix(file, "}\n") + "}}"
	}
	loop := edits(`"path"`, `"property": "done", "loop_from": 1, "path"`)
	before := edits(`"lossy": false,`, "", `"restart": [],`, "", `"crash": [],`, "", `"budgets": {},`, "")
	cases := []struct {
		name, file string
		want       trace.Path
	}{
		{"a path file", pathFile, trace.Path{Setting: &setting, Steps: twoSteps()}},
		{"a file of before there were such faults", before, trace.Path{Setting: &setting, Steps: twoSteps()}},
		{"fields that it does not know", edits(`"path"`, `"glossy": false, "path"`), trace.Path{Setting: &setting, Steps: twoSteps()}},
		{"everything may go wrong", edits(`"bag"`, `"fifo"`, "false", "true", `"restart": []`, `"restart": [2, 1, 2]`, `"crash": []`, `"crash": [2]`, `"budgets": {}`, `"budgets": {"wipes": 2, "drops": 0}`),
			trace.Path{Setting: &loud, Steps: twoSteps()}},
		{"a loop", loop, trace.Path{Setting: &setting, Steps: twoSteps(), Property: "done", LoopFrom: new(1)}},
		{"no loop", edits(`"path"`, `"property": "done", "loop_from": null, "path"`), trace.Path{Setting: &setting, Steps: twoSteps(), Property: "done"}},
		{"a report", report(`"loop_from": null, `), trace.Path{Setting: &setting, Steps: twoSteps(), Property: "consistent"}},
		{"a report of a loop", report(`"loop_from": 0, `), trace.Path{Setting: &setting, Steps: twoSteps(), Property: "consistent", LoopFrom: new(0)}},
		{"a report of several starts", strings.Replace(report(`"start": {"2": "y"}, `), `"network"`, `"other_starts": [{"2": "y"}, null], "network"`, 1),
			trace.Path{Setting: &other, Steps: twoSteps(), Property: "consistent"}},
		{"a report of a start of nobody", report(`"start": {}, `), trace.Path{Setting: &nobody, Steps: twoSteps(), Property: "consistent"}},
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
		{"truncated", pathFile[:200], "it is truncated: its JSON breaks off in line 15"},
		{"a truncated list", `["Wipe 3",`, "it is truncated: its JSON breaks off in line 1"},
		{"not JSON", "digraph {\n}", "it is not JSON: line 1: invalid character 'd' looking for beginning of value"},
		{"not JSON any more", edit(`"agents": 3`, `"agents": three`), "it is not JSON: line 4: invalid character 'h' in literal true (expecting 'r')"},
		{"trailing data", pathFile + "\n{}", "something follows its JSON, in line 23: remove it"},
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
		{"losses of a wrong type", edit(`"lossy": false`, `"lossy": 1`), `"lossy": a number stands where true or false belongs`},
		{"a budget of a wrong type", edit(`"budgets": {}`, `"budgets": {"wipes": "2"}`), `"budgets": a string stands where a whole number belongs`},
		{"budgets of a wrong type", edit(`"budgets": {}`, `"budgets": []`), `"budgets": a list stands where an object belongs`},
		{"a loop of a wrong type", edit(`"path"`, `"loop_from": "1", "path"`), `"loop_from": a string stands where a whole number belongs`},
		{"a loop from before the path", edit(`"path"`, `"loop_from": -1, "path"`), `its "loop_from" is -1: the number of a move is 0 or more, and less than the 2 of its path`},
		{"a loop from behind the path", edit(`"path"`, `"loop_from": 2, "path"`), `its "loop_from" is 2: the number of a move is 0 or more, and less than the 2 of its path`},
		{"a property of a wrong type", edit(`"path"`, `"property": 1, "path"`), `"property": a number stands where a string belongs`},
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
		`{"schema":"caulk/report/v1","algo":"a","agents":1,"other_starts":[null,{"1":"a"}],"violation":{"property":"p","start":{},"loop_from":0,"path":[{"label":"l"}]}}`,
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
		}
		var first, second bytes.Buffer
		if err := trace.Write(&first, path); err != nil {
			t.Fatal(err)
		}
		again, err := trace.Read(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, first.Bytes())
		}
		if diff := cmp.Diff(path, again); diff != "" {
			t.Fatalf("read back (-first +again):\n%s", diff)
		}
		if err := trace.Write(&second, again); err != nil {
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
