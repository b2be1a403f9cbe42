package validate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// life is what the traces tell of one incarnation of an agent.
type life struct {
	agent       model.ID
	incarnation int
	head        tracelog.Head   // of its first file
	later       []tracelog.Head // of the files that go on with it
	place       Place           // of the first head
	steps       []record        // in order; the first is that of seq head.Seq+1
	done        int             // the seq up to which steps are durable, as far as is known
	stopped     bool            // in good order: there are no more steps
	cut         bool            // its last file breaks off in the middle of a line
	followed    bool            // another life of the agent follows
}

// record is one step, or a line that cannot be one.
type record struct {
	tracelog.Step
	place Place
	bad   string // why the line cannot be judged; empty for a step
}

// open says that the life may have had more steps than the traces tell.
func (l *life) open() bool { return !l.stopped && (l.cut || !l.followed) }

// last is the seq of the last step that the traces tell.
func (l *life) last() int { return l.head.Seq + len(l.steps) }

// step is the record of a seq; nil if the traces do not tell it.
func (l *life) step(seq int) *record {
	if i := seq - l.head.Seq - 1; i >= 0 && i < len(l.steps) {
		return &l.steps[i]
	}
	return nil
}

// Setting reads which system traces are of, from their heads, and which files
// there are: those named, and those in the folders named, by agent and age. The
// error is one line: no trace, or traces of two systems.
func Setting(paths []string) (trace.Setting, []string, error) {
	files, err := find(paths)
	if err != nil {
		return trace.Setting{}, nil, err
	}
	var first tracelog.Head
	for i, name := range files {
		head, err := readHead(name)
		if err != nil {
			return trace.Setting{}, nil, err
		}
		if i == 0 {
			first = head
		} else if !cmp.Equal(head.Setting, first.Setting) {
			return trace.Setting{}, nil, fmt.Errorf("%s and %s are of two systems: give the traces of one run", files[0], name)
		}
	}
	return first.Setting, files, nil
}

func find(paths []string) ([]string, error) {
	var names []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", path, wholefile.Bare(err))
		}
		if !info.IsDir() {
			names = append(names, path)
			continue
		}
		files, err := tracelog.List(path)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", path, wholefile.Bare(err))
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s has no traces: they are called agent-1.jsonl and so on", path)
		}
		for _, f := range files {
			names = append(names, f.Path)
		}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("%s is given twice", name)
		}
	}
	return names, nil
}

func readHead(name string) (tracelog.Head, error) {
	f, err := os.Open(name)
	if err != nil {
		return tracelog.Head{}, fmt.Errorf("cannot read %s: %w", name, wholefile.Bare(err))
	}
	defer f.Close()
	line, err := tracelog.NewReader(f).Next()
	switch {
	case errors.Is(err, io.EOF):
		return tracelog.Head{}, fmt.Errorf("%s is no trace: it is empty", name)
	case err != nil:
		return tracelog.Head{}, fmt.Errorf("%s is no trace: %w", name, err)
	}
	return *line.Head, nil
}

// load reads files, which belong to agents as their heads say, in order: each
// agent's from the oldest to the newest.
func load(files []string) (map[model.ID][]*life, error) {
	agents := map[model.ID][]*life{}
	for _, name := range files {
		if err := loadFile(agents, name); err != nil {
			return nil, err
		}
	}
	for _, lives := range agents { //tidy:unordered each agent's lives are settled by themselves
		slices.SortStableFunc(lives, func(a, b *life) int { return a.incarnation - b.incarnation })
		settle(lives)
	}
	return agents, nil
}

func loadFile(agents map[model.ID][]*life, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, wholefile.Bare(err))
	}
	defer f.Close()
	reader := tracelog.NewReader(f)
	first, err := reader.Next()
	if err != nil {
		return fmt.Errorf("%s is no trace: %w", name, err)
	}
	head := *first.Head
	l := continued(agents[head.Agent], head)
	if l == nil {
		l = &life{agent: head.Agent, incarnation: head.Incarnation, head: head, place: Place{name, 1}, done: head.Seq}
		agents[head.Agent] = append(agents[head.Agent], l)
	} else {
		l.later = append(l.later, head)
	}
	for {
		line, err := reader.Next()
		place := Place{name, reader.Number()}
		var format *tracelog.FormatError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, tracelog.ErrCut):
			l.cut = true
			return nil
		case errors.As(err, &format):
			place.Line = format.Line
			l.steps = append(l.steps, record{place: place, bad: format.Why})
			return nil
		case err != nil:
			return fmt.Errorf("cannot read %s: %w", name, wholefile.Bare(err))
		}
		l.take(line, place)
	}
}

// continued is the agent's last life, if a file with that head goes on with it.
func continued(lives []*life, head tracelog.Head) *life {
	if len(lives) == 0 || head.Seq == 0 {
		return nil
	}
	l := lives[len(lives)-1]
	if l.incarnation == head.Incarnation && l.last() == head.Seq && !l.cut && !l.stopped {
		return l
	}
	return nil
}

// take adds a line to a life.
func (l *life) take(line tracelog.Line, place Place) {
	bad := func(format string, args ...any) {
		l.steps = append(l.steps, record{place: place, bad: fmt.Sprintf(format, args...)})
	}
	at := line.At()
	if at.Agent != l.agent || at.Incarnation != l.incarnation {
		bad("it is of agent %d, incarnation %d, in a trace of agent %d, incarnation %d", at.Agent, at.Incarnation, l.agent, l.incarnation)
		return
	}
	switch {
	case line.Step != nil && at.Seq != l.last()+1:
		bad("it is step %d where step %d is due", at.Seq, l.last()+1)
	case line.Step != nil:
		l.steps = append(l.steps, record{Step: *line.Step, place: place})
	case at.Seq > l.last():
		bad("it is about step %d before that was made", at.Seq)
	case line.Commit != nil:
		l.done = max(l.done, at.Seq)
	case line.Stop != nil:
		l.done, l.stopped = max(l.done, at.Seq), true
	}
}

// settle finds out which steps are done, from what each life says of the one
// before.
func settle(lives []*life) {
	for i, l := range lives[:max(len(lives)-1, 0)] {
		l.followed = true
		next := lives[i+1]
		if len(next.steps) == 0 {
			continue
		}
		if d := next.steps[0].Durable; d != nil && d.Incarnation == l.incarnation {
			l.done = max(l.done, d.Seq)
		}
	}
}
