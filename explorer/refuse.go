package explorer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	if !slices.Equal(h.Reduce, s.reduceNames()) {
		return fmt.Errorf("it was written for the reductions %s, not %s", quotedList(h.Reduce), quotedList(s.reduceNames()))
	}
	if !slices.EqualFunc(h.Setting.OtherStarts, s.sys.OtherStarts, maps.Equal) {
		return errors.New("it was written for other start states")
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
	names, a := byFlag(then)
	more, b := byFlag(now)
	for _, name := range append(names, more...) {
		if !slices.Equal(a[name], b[name]) {
			return different(name, a[name], b[name])
		}
	}
	return nil
}

// byFlag gives the values of each flag, and the flags in order; a flag without
// a value has the empty one.
func byFlag(flags []string) (names []string, values map[string][]string) {
	values = map[string][]string{}
	for i := 0; i < len(flags); i++ {
		name, value := flags[i], ""
		if i+1 < len(flags) && !strings.HasPrefix(flags[i+1], "--") {
			i++
			value = flags[i]
		}
		names, values[name] = append(names, name), append(values[name], value)
	}
	return names, values
}

func different(flag string, then, now []string) error {
	words := func(values []string) string {
		var words []string
		for _, v := range values {
			words = append(words, flag)
			if v != "" {
				words = append(words, v)
			}
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
