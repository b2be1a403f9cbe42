package validate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
)

// ParseStep splits a step of a trace, FILE@SEQ. The error is one line.
func ParseStep(text string) (file string, seq int, err error) {
	at := strings.LastIndexByte(text, '@')
	if at > 0 {
		seq, err = strconv.Atoi(text[at+1:])
	}
	if at <= 0 || err != nil || seq < 1 {
		return "", 0, fmt.Errorf("%q names no step: write the file of a trace, @, and the number of a step in it, such as traces/agent-2.jsonl@57", text)
	}
	return text[:at], seq, nil
}

// Snapshot is the system state that nodes were in after a step that is in one of
// the files: that of the one order in which properties are judged. The
// error is one line: there is no such durable step, the traces are no behaviour
// of the model up to there, or they do not tell the whole state.
func Snapshot(sys *model.System, files []string, file string, seq int) (*model.Snapshot, error) {
	m, err := machine.New(sys)
	if err != nil {
		return nil, err
	}
	j, err := newJudge(sys, m, files)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s@%d", file, seq)
	r, l := j.find(file, seq)
	switch {
	case r == nil:
		return nil, fmt.Errorf("%s: there is no such step in that file", name)
	case seq > l.done:
		return nil, fmt.Errorf("%s: that step is not durable, so for the others it did not happen", name)
	}
	j.until = r
	j.run()
	switch f := j.result.FirstInvalid; {
	case f != nil:
		return nil, fmt.Errorf("%s: the traces are no behaviour of the model up to there: %s: %s", name, f.Place, f.Reason)
	case j.global.stopped != "":
		return nil, fmt.Errorf("%s: the traces do not tell the whole state there: %s", name, j.global.stopped)
	}
	return j.snapshot(name), nil
}

// find is a step of a file.
func (j *judge) find(file string, seq int) (*record, *life) {
	for _, id := range j.ids {
		for _, l := range j.cursors[id].lives {
			if r := l.step(seq); r != nil && r.bad == "" && r.place.File == file {
				return r, l
			}
		}
	}
	return nil, nil
}

// snapshot is the state that the walk is in. Agents that did nothing since they
// begun are as they begun.
func (j *judge) snapshot(name string) *model.Snapshot {
	s := &model.Snapshot{From: name, Memory: j.global.memory, InFlight: j.global.view(j.network, j.network.clock).InFlight()}
	for _, id := range j.ids {
		l := model.Local{State: j.global.states[id-1]}
		if c := j.cursors[id]; j.sys.Node(id).Incarnated() {
			l.Incarnation = c.lives[c.life].incarnation
		}
		s.Locals = append(s.Locals, l)
	}
	return s
}
