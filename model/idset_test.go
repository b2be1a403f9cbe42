package model_test

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

func ExampleIDSet_With() {
	var none model.IDSet
	voters := none.With(3).With(1).With(3)
	fmt.Println(len(none), len(voters), voters[1], voters[2])
	// Output: 0 2 true false
}
