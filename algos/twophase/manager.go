package twophase

import "github.com/caulk-go/caulk/model"

// Manager is the state of a resource manager.
type Manager int

// The states of a resource manager.
const (
	Working Manager = iota
	ReadyToCommit
	Committed
	Aborted
)

// manager is a resource manager: it prepares or aborts on its own, and obeys
// the transaction manager.
type manager struct{ tm model.ID }

func (manager) Fresh(model.ID, []model.ID, int) (Manager, []Message) { return Working, nil }

func (r manager) Actions() []model.Action[Manager, Body] {
	return []model.Action[Manager, Body]{
		{Name: "prepare", Kind: model.Step, Do: r.prepare},
		{Name: "abort", Kind: model.Input, Do: r.abort},
	}
}

// prepare ends the work: from here on the manager only obeys.
func (r manager) prepare(s Manager) (Manager, []Message, bool) {
	return ReadyToCommit, []Message{{To: r.tm, Body: Prepared{}}}, s == Working
}

// abort gives up the work, and tells nobody.
func (r manager) abort(s Manager) (Manager, []Message, bool) {
	return Aborted, nil, s == Working
}

// Receive obeys, whatever the manager's state. That no Commit comes to a
// manager that aborted is the algorithm's promise, not its check.
func (r manager) Receive(s Manager, m Message) (Manager, []Message) {
	switch m.Body.(type) {
	case Commit:
		return Committed, nil
	case Abort:
		return Aborted, nil
	}
	return s, nil
}

// Label is the letter of the state: W P C A.
func (manager) Label(s Manager) string { return "WPCA"[s : s+1] }
