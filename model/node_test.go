package model_test

import (
	"testing"

	"github.com/caulk-go/caulk/model"
)

// Who reads a state as what it is not is told both types.
func TestAStateOfAnotherType(t *testing.T) {
	defer func() {
		const want = "model: a value of type int was given where string belongs"
		if got := recover(); got != want {
			t.Errorf("the panic is %v, not %s", got, want)
		}
	}()
	model.Of(parrot{}).Receive(7, model.Message[any]{Body: ""})
}
