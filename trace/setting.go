package trace

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/caulk-go/caulk/model"
)

// Setting names a system, so that whoever reads a report or a path file can
// build the same one again. Its JSON names are a contract: add, never rename.
type Setting struct {
	Algo    string              `json:"algo"`
	Agents  int                 `json:"agents"`
	Params  map[string]int      `json:"params"`
	Starts  map[model.ID]string `json:"starts"`
	Network string              `json:"network"`
	Wipe    []model.ID          `json:"wipe"`
}

// SettingOf names a system. No field is nil.
func SettingOf(s *model.System) Setting {
	return Setting{
		Algo:    s.Name,
		Agents:  len(s.Agents),
		Params:  s.Params,
		Starts:  s.Starts,
		Network: s.Network.String(),
		Wipe:    s.Wipe,
	}.complete()
}

// complete gives the setting the form in which settings can be compared and
// written: no field nil, and agents in order and once. The result shares
// nothing with the receiver.
func (s Setting) complete() Setting {
	params, starts := map[string]int{}, map[model.ID]string{}
	maps.Copy(params, s.Params)
	maps.Copy(starts, s.Starts)
	s.Params, s.Starts = params, starts
	wipe := append([]model.ID{}, s.Wipe...)
	slices.Sort(wipe)
	s.Wipe = slices.Compact(wipe)
	return s
}

// System makes the system that the setting names, by an algorithm that may be
// another than the one it names. An error is one line.
func (s Setting) System(a *model.Algorithm) (model.System, error) {
	sys, err := a.System(model.Config{Agents: s.Agents, Params: s.Params})
	if err != nil {
		return model.System{}, err
	}
	if err := s.Apply(&sys); err != nil {
		return model.System{}, err
	}
	return sys, nil
}

// Apply puts the setting's network, starts and wipes onto a system, in place
// of what is there; an empty network leaves the system its own. An error is
// one line.
func (s Setting) Apply(sys *model.System) error {
	s = s.complete()
	if s.Network != "" {
		network, err := model.ParseNetwork(s.Network)
		if err != nil {
			return err
		}
		sys.Network = network
	}
	sys.Starts, sys.Wipe = s.Starts, s.Wipe
	for _, id := range sys.StartOrder() {
		if !utf8.ValidString(sys.Starts[id]) {
			return fmt.Errorf("cannot start agent %d with %q: the value must be UTF-8", id, sys.Starts[id])
		}
	}
	return sys.Check()
}

// Flags are the flags of the command line that name the system. They spell out
// everything, whatever the algorithm's defaults are, except that no flag says
// that no agent is started: where the setting starts none, an algorithm that
// starts some by default still does.
func (s Setting) Flags() []string {
	s = s.complete()
	flags := []string{"--algo", s.Algo, "--agents", strconv.Itoa(s.Agents)}
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		flags = append(flags, "--param", fmt.Sprintf("%s=%d", name, s.Params[name]))
	}
	for _, id := range slices.Sorted(maps.Keys(s.Starts)) {
		flags = append(flags, "--start", fmt.Sprintf("%d=%s", id, s.Starts[id]))
	}
	if s.Network != "" {
		flags = append(flags, "--network", s.Network)
	}
	if len(s.Wipe) > 0 {
		flags = append(flags, "--wipe", joinIDs(s.Wipe))
	}
	return flags
}

func joinIDs(ids []model.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.Itoa(int(id))
	}
	return strings.Join(texts, ",")
}
