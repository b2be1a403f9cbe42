package cli

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/internal/walk"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// The parts of a JUnit report that CI systems read.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitOutcome `xml:"failure"`
		Error   *junitOutcome `xml:"error"`
		Skipped *junitOutcome `xml:"skipped"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",cdata"`
	}
)

// junit is a report as a JUnit one: a test case for each property, which is
// skipped where not all was explored, and one for handlers that do not panic.
func junit(r *explorer.Report, sys *model.System) ([]byte, error) {
	s := junitSuite{
		Name: printable.Line(describe(sys)),
		Time: fmt.Sprintf("%.3f", r.Seconds),
		Properties: []junitProperty{
			{"verdict", string(r.Verdict)},
			{"complete", fmt.Sprint(r.Complete)},
			{"states", fmt.Sprint(r.States)},
			{"transitions", fmt.Sprint(r.Transitions)},
			{"depth", fmt.Sprint(r.Depth)},
			{"halted_states", fmt.Sprint(r.Halted)},
		},
	}
	for _, q := range r.Properties {
		s.add(propertyCase(r, q))
	}
	handlers := junitCase{Name: noPanic}
	switch v := r.Violation; {
	case v != nil && v.Property == noPanic:
		handlers.Error = &junitOutcome{printable.Line(firstLineOf(v.Reason)), noPanic, "\n" + plainPath(v.Path, v.LoopFrom) + "\n" + printableLines(v.Reason) + "\n"}
	case !r.Complete:
		handlers.Skipped = &junitOutcome{Message: "none panics in " + plural(r.States, "state") + ", but not all was explored"}
	}
	s.add(handlers)
	for i := range s.Cases {
		s.Cases[i].Class = "caulk." + printable.Line(r.Algo)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	err := e.Encode(junitSuites{Suites: []junitSuite{s}})
	b.WriteByte('\n')
	return b.Bytes(), err
}

func propertyCase(r *explorer.Report, q explorer.PropertyReport) junitCase {
	c := junitCase{Name: printable.Line(q.Name), Output: testedText(q)}
	switch v := r.Violation; {
	case v != nil && v.Property == q.Name:
		c.Failure = &junitOutcome{fmt.Sprintf("after %s: %s", length(v), printable.Line(firstLineOf(v.Reason))), q.Kind, "\n" + plainPath(v.Path, v.LoopFrom)}
	case q.Verdict == explorer.Violated:
		c.Failure = &junitOutcome{"violated, farther from the start than another property", q.Kind, ""}
	case q.Verdict == explorer.NotReached:
		c.Failure = &junitOutcome{"not reached in any of " + plural(r.States, "state"), q.Kind, ""}
	case q.Verdict == explorer.Incomplete:
		c.Skipped = &junitOutcome{Message: "it does not fail in " + plural(r.States, "state") + ", but not all was explored"}
	}
	return c
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	for _, count := range []struct {
		outcome *junitOutcome
		of      *int
	}{{c.Failure, &s.Failures}, {c.Error, &s.Errors}, {c.Skipped, &s.Skipped}} {
		if count.outcome != nil {
			*count.of++
		}
	}
	s.Cases = append(s.Cases, c)
}

// plainPath is a path, a line for each move.
func plainPath(path []trace.Step, loopFrom *int) string {
	p := newPage(terminal{})
	loop := noLoop
	if loopFrom != nil {
		loop = *loopFrom
	}
	p.lasso(path, loop, walk.Walk{})
	return p.String()
}

// printableLines is printable for a text of several lines.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable.Line(strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.Join(lines, "\n")
}
