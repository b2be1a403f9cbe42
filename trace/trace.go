// Package trace holds paths as files: it writes, reads and replays them.
package trace

import (
	"maps"
	"slices"

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
	t := Setting{
		Algo:    s.Name,
		Agents:  len(s.Agents),
		Params:  map[string]int{},
		Starts:  map[model.ID]string{},
		Network: s.Network.String(),
		Wipe:    []model.ID{},
	}
	maps.Copy(t.Params, s.Params)
	maps.Copy(t.Starts, s.Starts)
	t.Wipe = slices.Compact(slices.Sorted(slices.Values(append(t.Wipe, s.Wipe...))))
	return t
}

// Step is one move of a path, as reports and path files hold it.
type Step struct {
	Move  string   `json:"move"`  // deliver, wipe, ... or the name of an own action
	Label string   `json:"label"` // what the arrow of a diagram says
	From  model.ID `json:"from"`
	To    model.ID `json:"to"`             // equal to From for what one agent does or suffers
	Body  string   `json:"body,omitempty"` // the message in full; it tells moves of the same label apart
	State string   `json:"state"`          // the label of the system state after the move
}
