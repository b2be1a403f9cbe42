package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// decode is json.Unmarshal for data that is JSON, with errors for users: what
// is where, and what belongs there.
func decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return err
	}
	where := ""
	if mismatch.Field != "" {
		where = strconv.Quote(mismatch.Field) + ": "
	}
	return fmt.Errorf("%s%s stands where %s belongs", where, found(mismatch.Value), noun(mismatch.Type))
}

// noun says what JSON a Go type is read from.
func noun(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// found says what encoding/json calls a value: string, array, number 0.5.
func found(value string) string {
	if number, ok := strings.CutPrefix(value, "number "); ok {
		return strings.Trim(brief(number), `"`)
	}
	switch value {
	case "array":
		return "a list"
	case "object":
		return "an object"
	}
	return "a " + value
}

// brief quotes a text for an error.
func brief(s string) string { return strconv.Quote(clip(s)) }

func clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
