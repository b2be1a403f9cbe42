package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/internal/wholefile"
)

// readConfig sets the flags that a file of JSON names, but for those that are set on
// the command line.
func (p *program) readConfig(c *urfave.Context, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, wholefile.Bare(err))
	}
	var settings map[string]any
	if err := json.Unmarshal(text, &settings); err != nil {
		return fmt.Errorf("%s is no object of JSON: %w", name, err)
	}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		flag := findFlag(c.Command, key)
		if flag == nil || key == "config" {
			return fmt.Errorf("%s: there is no flag %q%s", name, key, didYouMean(key, flagNames(c.Command)))
		}
		if c.IsSet(key) {
			continue
		}
		values, list := settings[key].([]any)
		if !list {
			values = []any{settings[key]}
		} else if !repeatable(flag) {
			return fmt.Errorf("%s: %q is a list, and --%s is given once", name, key, key)
		}
		for _, v := range values {
			value, err := setting(v)
			if err != nil {
				return fmt.Errorf("%s: %q %w", name, key, err)
			}
			if err := c.Set(key, value); err != nil {
				return fmt.Errorf("%s: %q: %w", name, key, err)
			}
		}
	}
	return nil
}

// setting is a value as it would stand on the command line.
func setting(v any) (string, error) {
	switch v := v.(type) {
	case string:
		if v != "" {
			return v, nil
		}
	case bool:
		return fmt.Sprint(v), nil
	case float64:
		if v == float64(int64(v)) {
			return fmt.Sprint(int64(v)), nil
		}
		return fmt.Sprint(v), nil
	}
	return "", fmt.Errorf("is none of a text that is not empty, a number, true and false")
}
