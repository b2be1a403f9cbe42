// Package codec turns the states and messages of a system into bytes and back,
// for whoever keeps them in files or sends them to other processes.
//
// A value in an interface can be decoded only by who knows its type. Nobody can
// list the types that an interface may hold, so the system is tried out first:
// what turns up in some thousand moves at random is known, always the same, whatever
// faults are permitted. What is rarer has to stand in the system's Values or, for
// messages, in its Bodies.
package codec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"

	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/model"
)

// Codecs are the codecs of one system. They may be used by several goroutines
// at once.
type Codecs struct {
	Body   *canonical.Codec   // of messages
	States []*canonical.Codec // by agent: that of ID i is at index i-1

	// Messages and StateTypes are fingerprints of the types, StateTypes as
	// States: two processes with equal ones understand each other's bytes.
	Messages   string
	StateTypes []string
}

// New makes the codecs of a system that passes its Check. It calls the agents'
// handlers, and is deterministic if they are. The error is one line: a type
// that shows that its values are not plain.
func New(sys *model.System) (*Codecs, error) {
	c := &Codecs{}
	bodies, states := canonical.NewTypes(), canonical.NewTypes()
	var err error
	if c.Body, err = bodies.Codec(sys.Agents[0].BodyType()); err != nil {
		return nil, fmt.Errorf("the messages: %w", err)
	}
	for i, n := range sys.Agents {
		codec, err := states.Codec(n.StateType())
		if err != nil {
			return nil, fmt.Errorf("the state of agent %d: %w", i+1, err)
		}
		c.States = append(c.States, codec)
	}
	for i, v := range sys.Values {
		for _, ts := range []*canonical.Types{bodies, states} {
			if err := ts.Register(reflect.TypeOf(v)); err != nil {
				return nil, fmt.Errorf("value %d of the system's Values: %w", i+1, err)
			}
		}
	}
	if c.Body.Type().Kind() == reflect.Interface {
		for i, v := range sys.Bodies {
			if err := bodies.Register(reflect.TypeOf(v)); err != nil {
				return nil, fmt.Errorf("body %d of the system's Bodies: %w", i+1, err)
			}
		}
	}
	meetTypes(sys, c)
	if c.Messages, err = fingerprint(bodies, c.Body.Type()); err != nil {
		return nil, err
	}
	for _, s := range c.States {
		print, err := fingerprint(states, s.Type())
		if err != nil {
			return nil, err
		}
		c.StateTypes = append(c.StateTypes, print)
	}
	return c, nil
}

// fingerprint covers a type and all that is known to be held by interfaces.
func fingerprint(ts *canonical.Types, t reflect.Type) (string, error) {
	h := sha256.New()
	for _, t := range append([]reflect.Type{t}, ts.Dynamic()...) {
		print, err := ts.Fingerprint(t)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(h, print)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
