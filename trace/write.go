package trace

import (
	"bytes"
	"encoding/json"
	"io"
)

// Write writes a path file, which Read reads again: the setting, the property,
// then a line for each step; or, for a path without a setting, a list of labels.
// The same path gives the same bytes.
func Write(w io.Writer, p Path) error {
	if p.Setting == nil {
		return writeLabels(w, p.Steps)
	}
	s := p.Setting.complete()
	s.OtherStarts = nil // the path leads from one start
	head, err := encode(struct {
		Schema string `json:"schema"`
		Setting
		Property string `json:"property,omitempty"`
		LoopFrom *int   `json:"loop_from,omitempty"`
	}{Schema, s, p.Property, p.LoopFrom})
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := json.Indent(&file, head, "", "  "); err != nil {
		return err
	}
	file.Truncate(file.Len() - len("\n}"))
	file.WriteString(",\n  \"path\": [")
	for i, step := range p.Steps {
		line, err := encode(step)
		if err != nil {
			return err
		}
		if i > 0 {
			file.WriteByte(',')
		}
		file.WriteString("\n    ")
		file.Write(line)
	}
	if len(p.Steps) > 0 {
		file.WriteString("\n  ")
	}
	file.WriteString("]\n}\n")
	_, err = w.Write(file.Bytes())
	return err
}

func writeLabels(w io.Writer, steps []Step) error {
	labels := make([]string, len(steps))
	for i, step := range steps {
		labels[i] = step.Label
	}
	list, err := encode(labels)
	if err != nil {
		return err
	}
	_, err = w.Write(append(list, '\n'))
	return err
}

// encode leaves the arrows in labels readable, which json.Marshal escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
