package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/caulk-go/caulk/model"
)

// mostBytes bounds what is read: hundreds of thousands of moves fit, and what
// is no path file cannot exhaust memory before anything is said.
const mostBytes = 64 << 20

// Read reads a path: a path file; a report, of which it takes the setting and
// the path of the violation; or a JSON list of labels. An error is one line
// that says what is wrong with the file; the file's name is the caller's to
// add.
func Read(r io.Reader) (Path, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return Path{}, err
	}
	if len(data) > mostBytes {
		return Path{}, fmt.Errorf("it has more than %d MiB: no path file is that large", mostBytes>>20)
	}
	if err := checkJSON(data); err != nil {
		return Path{}, err
	}
	switch bytes.TrimSpace(data)[0] {
	case '[':
		return readLabels(data)
	case '{':
		return readObject(data)
	}
	return Path{}, errors.New("it is neither a path file nor a report (JSON objects) nor a JSON list of labels")
}

// checkJSON makes sure that the data is one JSON value.
func checkJSON(data []byte) error {
	var value json.RawMessage
	d := json.NewDecoder(bytes.NewReader(data))
	err := d.Decode(&value)
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("it is empty: a path file, a report or a JSON list of labels belongs there")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("it is truncated: its JSON breaks off in line %d", lineAt(data, int64(len(data))))
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON: line %d: %s", lineAt(data, syntax.Offset), syntax)
	case err != nil:
		return err
	}
	end := d.InputOffset()
	rest := bytes.TrimLeft(data[end:], " \t\r\n")
	if len(rest) > 0 {
		return fmt.Errorf("something follows its JSON, in line %d: remove it", lineAt(data, int64(len(data)-len(rest)+1)))
	}
	return nil
}

// lineAt is the line of the last of the first n bytes.
func lineAt(data []byte, n int64) int {
	n = max(min(n, int64(len(data))), 1)
	return 1 + bytes.Count(data[:n-1], []byte("\n"))
}

// readLabels reads a path that is but a list of labels.
func readLabels(data []byte) (Path, error) {
	steps, err := readSteps(data, func(element []byte, step *Step) error { return decode(element, &step.Label) })
	return Path{Steps: steps}, err
}

// The schemas of reports that have paths: those of packages explorer, validate and
// cluster, which import this one.
const (
	reportSchema   = "caulk/report/v1"
	validateSchema = "caulk/validate/v1"
	runSchema      = "caulk/run/v1"
)

func readObject(data []byte) (Path, error) {
	var head struct {
		Schema     string          `json:"schema"`
		Validation json.RawMessage `json:"validation"`
	}
	if err := decode(data, &head); err != nil {
		return Path{}, err
	}
	if head.Schema == runSchema {
		if len(head.Validation) == 0 || head.Validation[0] != '{' {
			return Path{}, errors.New(`it is the report of a run without a "validation"`)
		}
		return readObject(head.Validation)
	}
	var v violation
	var err error
	switch head.Schema {
	case Schema:
		err = decode(data, &v)
	case reportSchema, validateSchema:
		v, err = violationOf(data)
	default:
		err = unknownSchema(head.Schema)
	}
	if err != nil {
		return Path{}, err
	}
	p := Path{Property: v.Property, LoopFrom: v.LoopFrom}
	if v.Path == nil {
		return Path{}, errors.New(`it has no "path"`)
	}
	if p.Steps, err = readSteps(v.Path, wholeStep); err != nil {
		return Path{}, err
	}
	if l := p.LoopFrom; l != nil && (*l < 0 || *l >= len(p.Steps)) {
		return Path{}, fmt.Errorf(`its "loop_from" is %d: the number of a move is 0 or more, and less than the %d of its path`, *l, len(p.Steps))
	}
	s, err := readSetting(data)
	if err != nil {
		return Path{}, err
	}
	s.OtherStarts = nil // the path leads from one of them
	if v.Start != nil {
		s.Starts = v.Start
	}
	p.Setting = &s
	return p, nil
}

// violation is what a path file and a report say of a path.
type violation struct {
	Property string              `json:"property"`
	LoopFrom *int                `json:"loop_from"`
	Start    map[model.ID]string `json:"start"` // where there were several
	Path     json.RawMessage     `json:"path"`
	NoPath   string              `json:"no_path"` // why there is none, where traces were judged
}

func unknownSchema(schema string) error {
	if schema == "" {
		return errors.New(`it has no "schema": it is neither a path file nor a report of caulk`)
	}
	for _, known := range []string{Schema, reportSchema, validateSchema, runSchema} {
		stem := strings.TrimRight(known, "0123456789")
		version, ours := strings.CutPrefix(schema, stem)
		if n, err := strconv.Atoi(version); ours && err == nil && n > 1 {
			return fmt.Errorf("it was written by a newer caulk: its schema is %s, and this one reads %s", schema, known)
		}
	}
	return fmt.Errorf("its schema %s is unknown: %s and %s can be read", brief(schema), Schema, reportSchema)
}

// violationOf is what a report's violation says.
func violationOf(data []byte) (violation, error) {
	var report struct {
		Verdict   string     `json:"verdict"`
		Violation *violation `json:"violation"`
	}
	if err := decode(data, &report); err != nil {
		return violation{}, err
	}
	switch {
	case report.Violation == nil:
		return violation{}, fmt.Errorf("it is the report of a search without a violation (verdict %s): there is no path to replay", brief(report.Verdict))
	case string(report.Violation.Path) == "null" && report.Violation.NoPath != "":
		return violation{}, fmt.Errorf("the model has no path to its violation: %.200s", report.Violation.NoPath)
	case report.Violation.Path == nil:
		return violation{}, errors.New(`it is a report whose violation has no "path"`)
	}
	return *report.Violation, nil
}

func wholeStep(element []byte, step *Step) error { return decode(element, step) }

// readSteps reads a list, and stops at the first element that is no step, so
// that a long list of nothing costs nothing.
func readSteps(list []byte, read func(element []byte, step *Step) error) ([]Step, error) {
	d := json.NewDecoder(bytes.NewReader(list))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, errors.New("its path is no list")
	}
	steps := []Step{}
	for d.More() {
		var element json.RawMessage
		if err := d.Decode(&element); err != nil {
			return nil, err
		}
		var step Step
		if err := read(element, &step); err != nil {
			return nil, fmt.Errorf("step %d of its path: %w", len(steps)+1, err)
		}
		if step.Label == "" {
			return nil, fmt.Errorf("step %d of its path has no label", len(steps)+1)
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func readSetting(data []byte) (Setting, error) {
	var s Setting
	if err := decode(data, &s); err != nil {
		return Setting{}, err
	}
	switch {
	case s.Algo == "":
		return Setting{}, errors.New(`it has no "algo"`)
	case s.Agents < 1:
		return Setting{}, fmt.Errorf(`its "agents" is %d: a system needs at least one`, s.Agents)
	}
	return s.complete(), nil
}
