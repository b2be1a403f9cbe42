package tracelog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// mostLine bounds one line: states of megabytes fit, and what is no trace
// cannot exhaust memory before anything is said.
const mostLine = 256 << 20

// ErrCut is the error for a file that breaks off in the middle of a line: all
// lines before it were read. A node that is killed leaves such a file.
var ErrCut = errors.New("it breaks off in the middle of a line")

// FormatError says that a file is not a trace, or not of this version.
type FormatError struct {
	Line int // counted from 1
	Why  string
}

// Error is one line: "line 3: it is not JSON".
func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// Reader reads the lines of one file. It is not for concurrent use.
type Reader struct {
	in     *bufio.Reader
	number int
}

// NewReader reads a trace from its beginning. It buffers.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(r, 1<<16)} }

// Number is the number of the line that Next gave last, counted from 1.
func (r *Reader) Number() int { return r.number }

// Next gives the next line. The first is a Head with this package's Schema, no
// other is one, and each has exactly one field set; what the fields say is not
// judged. At the end the error is io.EOF; where the file ends in the middle of a
// line it is ErrCut; for what is not a trace it is a *FormatError; all others
// are those of reading. After an error there are no more lines.
func (r *Reader) Next() (Line, error) {
	text, err := r.line()
	if err != nil {
		return Line{}, err
	}
	r.number++
	line, err := parse(text)
	if err == nil && (line.Head != nil) != (r.number == 1) {
		err = errors.New("a head stands in the middle of a file")
		if r.number == 1 {
			err = errors.New("a trace begins with a head, and this is none")
		}
	}
	if err != nil {
		return Line{}, &FormatError{r.number, err.Error()}
	}
	return line, nil
}

// line is the next line without its end.
func (r *Reader) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := r.in.ReadSlice('\n')
		whole = append(whole, part...)
		switch {
		case err == nil:
			return whole[:len(whole)-1], nil
		case errors.Is(err, io.EOF) && len(whole) > 0:
			return nil, ErrCut
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(whole) > mostLine:
			return nil, &FormatError{r.number + 1, fmt.Sprintf("it has more than %d MiB: no line of a trace is that long", mostLine>>20)}
		}
	}
}

func parse(text []byte) (Line, error) {
	var line Line
	if !json.Valid(text) {
		return Line{}, errors.New("it is not JSON: a trace has one JSON object a line")
	}
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("{")) {
		return Line{}, errors.New("it is no JSON object: a trace has one a line")
	}
	if err := json.Unmarshal(text, &line); err != nil {
		return Line{}, explain(err)
	}
	fields := 0
	for _, set := range []bool{line.Head != nil, line.Step != nil, line.Commit != nil, line.Stop != nil, line.Panic != nil} {
		if set {
			fields++
		}
	}
	if fields != 1 {
		return Line{}, fmt.Errorf("it has %d of head, step, commit, stop and panic: a line of a trace has one", fields)
	}
	if line.Head != nil && line.Head.Schema != Schema {
		return Line{}, fmt.Errorf("its schema is %q: this version reads %s", line.Head.Schema, Schema)
	}
	return line, nil
}

// explain says what is wrong with a line in the line's own words.
func explain(err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	field := strings.ReplaceAll(mismatch.Field, "Point.", "")
	return fmt.Errorf("its %q cannot be a %s", field, mismatch.Value)
}
