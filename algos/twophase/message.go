package twophase

import "github.com/caulk-go/caulk/model"

// Message is a message between a manager and the transaction manager.
type Message = model.Message[Body]

// Body is what a message says: Prepared, Commit or Abort. Who sent it stands
// on the envelope.
type Body interface{ body() }

// The messages.
type (
	Prepared struct{} // from a manager: it is prepared to commit
	Commit   struct{} // from the transaction manager: all are prepared
	Abort    struct{} // from the transaction manager: it gave up
)

func (Prepared) body() {}
func (Commit) body()   {}
func (Abort) body()    {}
