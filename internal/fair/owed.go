package fair

// owed is what a loop still owes: the classes that are enabled in every state
// of it so far, and that no move of it served. A loop that owes nothing is fair.
type owed struct {
	left    int     // how many
	classes []int32 // those, and some that were served
	owes    []bool  // by class
	enabled []int64 // by class: the last look at a state in which it was enabled
	looks   int64
}

func newOwed(classes int) owed {
	return owed{owes: make([]bool, classes), enabled: make([]int64, classes)}
}

// begin starts a loop in a state with such moves.
func (o *owed) begin(moves []Move) {
	for _, class := range o.classes {
		o.owes[class] = false
	}
	o.classes = o.classes[:0]
	for _, m := range moves {
		if m.Class >= 0 && !o.owes[m.Class] {
			o.owes[m.Class] = true
			o.classes = append(o.classes, m.Class)
		}
	}
	o.left = len(o.classes)
}

// visit goes on to a state with such moves.
func (o *owed) visit(moves []Move) {
	if o.left == 0 {
		return
	}
	o.look(moves)
	kept := o.classes[:0]
	for _, class := range o.classes {
		if o.owes[class] && o.enabled[class] == o.looks {
			kept = append(kept, class)
		}
		o.owes[class] = o.owes[class] && o.enabled[class] == o.looks
	}
	o.classes, o.left = kept, len(kept)
}

// serve makes a move of the class.
func (o *owed) serve(class int32) {
	if o.due(class) {
		o.owes[class] = false
		o.left--
	}
}

func (o *owed) due(class int32) bool { return class >= 0 && o.owes[class] }

// relieves says whether a visit to a state with such moves would leave less
// owed.
func (o *owed) relieves(moves []Move) bool {
	o.look(moves)
	for _, class := range o.classes {
		if o.owes[class] && o.enabled[class] != o.looks {
			return true
		}
	}
	return false
}

func (o *owed) look(moves []Move) {
	o.looks++
	for _, m := range moves {
		if m.Class >= 0 {
			o.enabled[m.Class] = o.looks
		}
	}
}
