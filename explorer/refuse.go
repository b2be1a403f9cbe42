package explorer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/trace"
)

// refuse says why a checkpoint is not of this search.
func (s *search) refuse(h *checkpointHeader) error {
	if h.Engine != engine {
		return errEngine
	}
	if err := differentFlags(h.Setting.Flags(), trace.SettingOf(s.sys).Flags()); err != nil {
		return err
	}
	var then, now []string
	same := len(h.Properties) == len(s.properties)
	for i, p := range h.Properties {
		then = append(then, p.Name)
		same = same && p.Name == s.properties[i].Name && p.Kind == s.properties[i].Kind.String()
	}
	for i := range s.properties {
		now = append(now, s.properties[i].Name)
	}
	if !same {
		return fmt.Errorf("it was written for the properties %s, not %s", quotedList(then), quotedList(now))
	}
	if h.KeepGoing != s.opts.KeepGoing {
		if h.KeepGoing {
			return errors.New("it was written for --keep-going, not for a search without")
		}
		return errors.New("it was written without --keep-going")
	}
	return nil
}

// differentFlags tells the first flag that names the system and is not the
// same.
func differentFlags(then, now []string) error {
	a, b := byFlag(then), byFlag(now)
	for _, flags := range [][]string{then, now} {
		for i := 0; i < len(flags); i += 2 {
			if name := flags[i]; !slices.Equal(a[name], b[name]) {
				return different(name, a[name], b[name])
			}
		}
	}
	return nil
}

func byFlag(flags []string) map[string][]string {
	values := map[string][]string{}
	for i := 0; i < len(flags); i += 2 {
		values[flags[i]] = append(values[flags[i]], flags[i+1])
	}
	return values
}

func different(flag string, then, now []string) error {
	words := func(values []string) string {
		var words []string
		for _, v := range values {
			words = append(words, flag, v)
		}
		return trace.CommandLine(words...)
	}
	switch {
	case len(then) == 0:
		return fmt.Errorf("it was written without %s", words(now))
	case len(now) == 0:
		return fmt.Errorf("it was written for %s, not for a search without", words(then))
	}
	return fmt.Errorf("it was written for %s, not %s", words(then), words(now))
}

func quotedList(names []string) string {
	if len(names) == 0 {
		return "(none)"
	}
	return fmt.Sprintf("%q", names)
}
