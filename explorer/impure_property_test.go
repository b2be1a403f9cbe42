package explorer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// A property that fails once and never again cannot be shown to fail.
func TestPropertyThatChangesItsMind(t *testing.T) {
	asked := 0
	sys := hoppers(2, 1, 3, model.Bag)
	sys.Properties = []model.Property{model.Always("fickle", func(model.View) error {
		if asked++; asked == 1 {
			return errors.New("once")
		}
		return nil
	})}
	_, err := explorer.Explore(context.Background(), sys, explorer.Options{})
	var impure *call.ImpureError
	if !errors.As(err, &impure) || !strings.HasPrefix(err.Error(), `the property "fickle" in state 00 is not pure: it failed when it was first asked`) {
		t.Errorf("the error is %v", err)
	}
}
