package trace

import (
	"bytes"
	"encoding/json"
	"io"
)

// Write writes a path file: the setting, then a line for each step. The same
// path gives the same bytes.
func Write(w io.Writer, s Setting, steps []Step) error {
	head, err := encode(struct {
		Schema string `json:"schema"`
		Setting
	}{Schema, s.complete()})
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := json.Indent(&file, head, "", "  "); err != nil {
		return err
	}
	file.Truncate(file.Len() - len("\n}"))
	file.WriteString(",\n  \"path\": [")
	for i, step := range steps {
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
	if len(steps) > 0 {
		file.WriteString("\n  ")
	}
	file.WriteString("]\n}\n")
	_, err = w.Write(file.Bytes())
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
