package call_test

import (
	"errors"
	"testing"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

func TestWatchedGivesWhatItRuns(t *testing.T) {
	c := alone(t, clerk(nil))
	o := begin(t, c)
	own := errors.New("its own")
	answered := 0
	err := c.Watched(func() error {
		for range 100 {
			outcomes, err := c.Outcomes(model.Deliver, 1, o.Next, &o.Sent[0])
			if err != nil {
				return err
			}
			answered += len(outcomes)
		}
		return own
	})
	if err != own || answered != 100 {
		t.Errorf("%d answers, and the error %v", answered, err)
	}
}

// A handler that does not return is given up on; what runs it does nothing
// more, even when the handler comes back, by whatever way.
func TestWatchedGivesUp(t *testing.T) {
	for _, c := range []struct {
		name string
		back func()
	}{
		{"it returns at last", func() {}},
		{"it panics at last", func() { panic("late") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			block, gone := make(chan struct{}), make(chan struct{})
			node := model.Of(clerk(func(s desk, _ model.Message[note]) (desk, sent) {
				defer close(gone)
				<-block
				c.back()
				return s, nil
			}))
			caller := caller(t, model.System{Agents: []model.Node{node}}, 50*time.Millisecond)
			o := begin(t, caller)
			more, ended := false, make(chan struct{})
			err := caller.Watched(func() error {
				defer close(ended)
				_, err := caller.Outcomes(model.Deliver, 1, o.Next, &o.Sent[0])
				more = true
				return err
			})
			var late *call.TimeoutError
			if !errors.As(err, &late) || late.Agent != 1 || late.What != "Receive" || late.State == "" || late.Limit != 50*time.Millisecond {
				t.Fatalf("the error is %v", err)
			}
			close(block)
			<-gone
			<-ended
			if more {
				t.Error("what was abandoned went on")
			}
		})
	}
}
