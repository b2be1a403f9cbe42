package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cli"
	"github.com/caulk-go/caulk/model"
)

// output is what a command of the program writes to standard output.
func output(t *testing.T, list []model.Algorithm, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	cli.Run(context.Background(), list, append([]string{"caulk"}, args...), cli.Streams{Out: &out, Err: &errs})
	if errs.Len() > 0 {
		t.Errorf("%v: %s", args, errs.String())
	}
	return out.Bytes()
}

// sarifPlace is where a result, or a step to it, is.
type sarifPlace struct {
	Physical struct {
		Artifact struct{ URI string } `json:"artifactLocation"`
		Region   struct{ StartLine int }
	} `json:"physicalLocation"`
	Message struct{ Text string }
}

// written is the line that a place stands for, or the one above: Go may count
// the first statement of a function as its entry.
func written(t *testing.T, p sarifPlace) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(p.Physical.Artifact.URI)))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	at := p.Physical.Region.StartLine
	return lines[max(at-2, 0)] + "\n" + lines[at-1]
}

func TestSARIFPlaces(t *testing.T) {
	if _, err := os.Stat("../.git"); err != nil {
		t.Skip("paths are relative to the root of a repository, and this is none")
	}
	for _, tt := range []struct {
		args  []string
		at    string   // what is written where the result is
		steps []string // and where its steps are
	}{
		{
			[]string{"--algo", "mark2", "--wipe", "3"}, "func (v Variant) Receive(",
			[]string{"func (v Variant) Receive(", "func (v Variant) Receive(", "func (v Variant) Receive(", "func (v Variant) Fresh("},
		},
		{
			[]string{"--algo", "twophase", "--param", "managers=1", "--wipe", "2", "--property", "consistent"}, "", nil,
		},
		{
			[]string{"--algo", "twophase", "--param", "managers=2", "--wipe", "3", "--max-wipes", "1"}, "func (r manager) Receive(",
			[]string{"func (r manager) Actions(", "func (c coordinator) Receive(", "func (r manager) Actions(", "func (c coordinator) Receive("},
		},
	} {
		var log struct {
			Runs []struct {
				Results []struct {
					Locations []sarifPlace
					CodeFlows []struct {
						ThreadFlows []struct {
							Locations []struct{ Location sarifPlace }
						}
					}
				}
			}
		}
		if err := json.Unmarshal(output(t, algos.All(), append([]string{"explore", "--quiet", "--sarif", "-"}, tt.args...)...), &log); err != nil {
			t.Fatal(err)
		}
		results := log.Runs[0].Results
		if tt.at == "" {
			if len(results) != 0 {
				t.Errorf("%v: %d results", tt.args, len(results))
			}
			continue
		}
		if got := written(t, results[0].Locations[0]); !strings.Contains(got, tt.at) {
			t.Errorf("%v is at\n%s", tt.args, got)
		}
		steps := results[0].CodeFlows[0].ThreadFlows[0].Locations
		for i, want := range tt.steps {
			if got := written(t, steps[i].Location); !strings.Contains(got, want) {
				t.Errorf("%v: step %q is at\n%s", tt.args, steps[i].Location.Message.Text, got)
			}
		}
	}
}

func TestJUnitIsXML(t *testing.T) {
	hostile := alone("]]>", "\x00<&", ticking(func(n int) int {
		if n > 0 {
			panic("]]> \x00 \xff <&")
		}
		return n + 1
	}))
	var suites struct {
		Suites []struct {
			Cases []struct {
				Name  string `xml:"name,attr"`
				Error *struct {
					Text string `xml:",chardata"`
				} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(output(t, []model.Algorithm{hostile}, "explore", "--algo", "]]>", "--quiet", "--junit", "-"), &suites); err != nil {
		t.Fatal(err)
	}
	cases := suites.Suites[0].Cases
	if len(cases) != 1 || cases[0].Name != "no panic" || cases[0].Error == nil || !strings.Contains(cases[0].Error.Text, "]]> \uFFFD") {
		t.Errorf("%+v", suites)
	}
}
