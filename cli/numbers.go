package cli

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/caulk-go/caulk/model"
)

// wholeNumber reads a plain decimal number from min to max: no sign but a
// minus, no other base, no separators. A leading zero is refused, since in
// half the world's programs it would mean base eight.
func wholeNumber(text string, min, max int64) (int64, error) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	if len(digits) > 1 && digits[0] == '0' {
		return 0, fmt.Errorf("%s starts with a zero: write %s", text, cmp.Or(strings.TrimLeft(digits, "0"), "0"))
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil && text[0] != '-' || err == nil && n > max:
		return 0, fmt.Errorf("%s is too great: at most %d", text, max)
	case err != nil || n < min:
		return 0, fmt.Errorf("%s is too small: at least %d", text, min)
	}
	return n, nil
}

// positiveDuration reads a time such as 90s or 5m.
func positiveDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || strings.HasPrefix(text, "+") {
		return 0, fmt.Errorf("%q is not a time: write for instance 30s, 5m or 1h30m", text)
	}
	if d <= 0 {
		return 0, fmt.Errorf("%s is too short: give a time above 0", text)
	}
	return d, nil
}

// memoryUnits are those that a size may have.
var memoryUnits = [...]struct {
	name  string
	bytes int64
}{
	{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
	{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3},
}

// memorySize reads a size such as 500MB or 2GiB; without a unit it is bytes.
func memorySize(text string) (int64, error) {
	digits, unit := text, int64(1)
	for _, u := range memoryUnits {
		if number, found := strings.CutSuffix(text, u.name); found {
			digits, unit = number, u.bytes
			break
		}
	}
	if strings.Trim(digits, "0123456789") != "" || digits == "" {
		return 0, fmt.Errorf("%q is not a size: write for instance 500MB or 2GiB (the units are kB, MB, GB of 1000 and KiB, MiB, GiB of 1024; without one it is bytes)", text)
	}
	n, err := wholeNumber(digits, 1, math.MaxInt64/unit)
	return n * unit, err
}

// sizeText is a size as a user would write it: exact, in the unit that makes it
// shortest.
func sizeText(bytes int64) string {
	shortest := strconv.FormatInt(bytes, 10)
	for _, u := range memoryUnits {
		if text := strconv.FormatInt(bytes/u.bytes, 10) + u.name; bytes%u.bytes == 0 && len(text) <= len(shortest) {
			shortest = text
		}
	}
	return shortest
}

// agentList reads IDs separated by commas, or "all" of the system's agents.
func agentList(text string, s *model.System) ([]model.ID, error) {
	if text == "all" {
		return s.Population(), nil
	}
	var ids []model.ID
	seen := map[model.ID]bool{}
	for _, word := range strings.Split(text, ",") {
		id, err := agentID(word, s)
		if err != nil {
			return nil, err
		}
		if seen[id] {
			return nil, fmt.Errorf("agent %d is named twice", id)
		}
		seen[id] = true
		ids = append(ids, id)
	}
	return ids, nil
}

func agentID(text string, s *model.System) (model.ID, error) {
	n, err := wholeNumber(text, 0, math.MaxInt32)
	if err == nil {
		err = s.Has(model.ID(n))
	} else {
		err = fmt.Errorf("%q is not an agent: %w", text, s.Has(0)) // nobody is 0: it says who there is
	}
	return model.ID(n), err
}

// keyValue splits KEY=VALUE; neither may be empty.
func keyValue(text string) (key, value string, err error) {
	key, value, found := strings.Cut(text, "=")
	switch {
	case !found:
		return "", "", fmt.Errorf("there is no = in it")
	case key == "":
		return "", "", fmt.Errorf("there is nothing before the =")
	case value == "":
		return "", "", fmt.Errorf("there is nothing after the =")
	}
	return key, value, nil
}

// grouped writes a count as 1,234,567.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && digits[i-1] != '-' && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// plural is "1 state", "2 states".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}
