package paxos

// Mark0 foresees nothing.
var Mark0 = Variant{
	Name:    "mark0",
	Summary: "basic Paxos before anything is written: halts on any message",
	Hole:    "every message halts whoever receives it",
	Doc: `The start of the series: an agent that proposes when it is started, and halts
on any message. Its diagram is what there is to write: the first message that
each agent can be given.

Mark1 takes it from there.

Labels: H halted, I idle, R requesting, P promised, L leading; then the round.`,
}
