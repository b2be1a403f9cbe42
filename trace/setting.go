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
	Lossy   bool                `json:"lossy"`
	Wipe    []model.ID          `json:"wipe"`
	Restart []model.ID          `json:"restart"`
	Crash   []model.ID          `json:"crash"`
	Budgets map[string]int      `json:"budgets"` // by model.Budget.String; what is missing is not limited

	// From names the state to begin in, where that is not the agents' own
	// beginning. Apply leaves it to the caller to find that state.
	From string `json:"from,omitempty"`

	// OtherStarts are the further start states; no flag says them.
	OtherStarts []map[model.ID]string `json:"other_starts,omitempty"`
}

// SettingOf names a system. No field is nil but OtherStarts.
func SettingOf(s *model.System) Setting {
	from := ""
	if s.Snapshot != nil {
		from = s.Snapshot.From
	}
	return Setting{
		Algo:    s.Name,
		Agents:  len(s.Agents),
		Params:  s.Params,
		Starts:  s.Starts,
		Network: s.Network.String(),
		Lossy:   s.Lossy,
		Wipe:    s.Wipe,
		Restart: s.Restart,
		Crash:   s.Crash,
		Budgets: budgetNames(s.Budgets),

		From:        from,
		OtherStarts: s.OtherStarts,
	}.complete()
}

// complete gives the setting the form in which settings can be compared and
// written: no field nil but OtherStarts, and agents in order and once. The
// result shares nothing with the receiver.
func (s Setting) complete() Setting {
	params, starts, budgets := map[string]int{}, map[model.ID]string{}, map[string]int{}
	maps.Copy(params, s.Params)
	maps.Copy(starts, s.Starts)
	maps.Copy(budgets, s.Budgets)
	s.Params, s.Starts, s.Budgets = params, starts, budgets
	for _, ids := range []*[]model.ID{&s.Wipe, &s.Restart, &s.Crash} {
		sorted := append([]model.ID{}, *ids...)
		slices.Sort(sorted)
		*ids = slices.Compact(sorted)
	}
	s.OtherStarts = slices.Clone(s.OtherStarts)
	for i, other := range s.OtherStarts {
		s.OtherStarts[i] = map[model.ID]string{}
		maps.Copy(s.OtherStarts[i], other)
	}
	return s
}

func budgetNames(budgets map[model.Budget]int) map[string]int {
	names := map[string]int{}
	for _, b := range model.AllBudgets() {
		if n, limited := budgets[b]; limited {
			names[b.String()] = n
		}
	}
	return names
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

// Apply puts the setting's network, starts, faults and budgets onto a system,
// in place of what is there: what the setting lacks, the system then has not. But
// an empty network leaves the system its own. An error is one line.
func (s Setting) Apply(sys *model.System) error {
	s = s.complete()
	if s.Network != "" {
		network, err := model.ParseNetwork(s.Network)
		if err != nil {
			return err
		}
		sys.Network = network
	}
	sys.Starts, sys.OtherStarts = s.Starts, s.OtherStarts
	sys.Lossy, sys.Wipe, sys.Restart, sys.Crash = s.Lossy, s.Wipe, s.Restart, s.Crash
	sys.Budgets = nil
	for _, name := range slices.Sorted(maps.Keys(s.Budgets)) {
		b, err := model.ParseBudget(name)
		if err != nil {
			return err
		}
		if sys.Budgets == nil {
			sys.Budgets = map[model.Budget]int{}
		}
		sys.Budgets[b] = s.Budgets[name]
	}
	for _, starts := range sys.AllStarts() {
		for _, id := range slices.Sorted(maps.Keys(starts)) {
			if !utf8.ValidString(starts[id]) {
				return fmt.Errorf("cannot start agent %d with %q: the value must be UTF-8", id, starts[id])
			}
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
	if s.Lossy {
		flags = append(flags, "--lossy")
	}
	for _, fault := range []struct {
		flag string
		ids  []model.ID
	}{{"--wipe", s.Wipe}, {"--restart", s.Restart}, {"--crash", s.Crash}} {
		if len(fault.ids) > 0 {
			flags = append(flags, fault.flag, joinIDs(fault.ids))
		}
	}
	for _, b := range model.AllBudgets() {
		if n, limited := s.Budgets[b.String()]; limited {
			flags = append(flags, "--max-"+b.String(), strconv.Itoa(n))
		}
	}
	if s.From != "" {
		flags = append(flags, "--from", s.From)
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
