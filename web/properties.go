package web

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// properties says of each property what it says here.
func (p *place) properties() []propertyAnswer {
	var list []propertyAnswer
	for _, q := range p.sys.Properties {
		list = append(list, propertyAnswer{q.Name, q.Kind.String(), q.Doc, here(q, p.step.View(p.at))})
	}
	return list
}

// here is what a property says in one state.
func here(q model.Property, v model.View) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("panics: %v", r)
		}
	}()
	switch {
	case q.Check == nil:
		return "of moves"
	case q.Applies != nil && !q.Applies(v) && q.Kind != model.KindLeadsTo:
		return "does not apply here"
	}
	err := q.Check(v)
	switch q.Kind {
	case model.KindAlways, model.KindAtEnd:
		if err != nil {
			return "fails here: " + err.Error()
		}
		return "holds here"
	case model.KindLeadsTo:
		if err != nil && q.Applies(v) {
			return "is due here"
		}
	}
	if err != nil {
		return "is not here"
	}
	return "is here"
}
