package canonical

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A NotPlainError says which part of a value cannot be encoded, and why.
type NotPlainError struct {
	// Path leads from the type's name to the part: `Server.queue[3].done`.
	// In a type rather than a value, an element is `[]`; a map's key is always
	// `[key]`; `(*)` is what a pointer points to, where nothing else says so;
	// `.(Lead)` is an interface value of that type.
	Path string
	// Reason continues the sentence that the path begins.
	Reason string
}

// Error is one sentence in one line.
func (e *NotPlainError) Error() string { return e.Path + " " + e.Reason }

// refusal is a NotPlainError on its way up: each caller adds where it was.
type refusal struct {
	reason string
	path   []string // innermost first
}

const keepPlain = "keep plain values only (structs, slices, maps, pointers to values)"

func refuse(reason string) *refusal { return &refusal{reason: reason} }

// refuseKind refuses what a noun with its article names, and gives advice.
func refuseKind(noun, advice string) *refusal {
	return refuse("is " + noun + ", and " + noun + " cannot be part of a state or a message: " + advice)
}

func (r *refusal) at(segment string) *refusal {
	r.path = append(r.path, segment)
	return r
}

func (r *refusal) atIndex(i int) *refusal { return r.at("[" + strconv.Itoa(i) + "]") }

func (r *refusal) atType(t reflect.Type) *refusal { return r.at(".(" + baseName(t) + ")") }

const (
	dereference = "(*)"
	element     = "[]"
	mapKey      = "[key]"
)

// A path longer than this many segments is shown by its beginning and its end.
const (
	longPath = 24
	pathTail = 8
)

// report gives the error for users. The outermost segment is the type's name.
func (r *refusal) report() *NotPlainError {
	var segments []string
	for i, s := range slices.Backward(r.path) {
		// Go's own selectors go through pointers without saying so.
		if s == dereference && i > 0 && isSelector(r.path[i-1]) {
			continue
		}
		segments = append(segments, s)
	}
	if len(segments) > longPath {
		segments = slices.Replace(segments, longPath-pathTail, len(segments)-pathTail, "…")
	}
	return &NotPlainError{Path: strings.Join(segments, ""), Reason: r.reason}
}

func isSelector(segment string) bool {
	return strings.HasPrefix(segment, ".") && !strings.HasPrefix(segment, ".(")
}

// rootName is how a path from a value of type t begins.
func rootName(t reflect.Type) string {
	if name := strings.TrimLeft(baseName(t), "*"); t.Kind() == reflect.Pointer && t.Name() == "" {
		return name
	}
	return baseName(t)
}
