// Package mealy merges the equivalent states of an agent and finds the messages
// that it ignores for ever. The agent is a Mealy machine, written down as a
// table of numbers. This is what the reductions dead and minimal rest on.
//
// # Words
//
// A transition is silent if nothing can be seen of it and it leads to a state of
// the same class. Two states of a class agree on each input: either both are
// silent, or both show the same and lead to the same class. They agree on own
// moves as sets, silent ones left out. An input is dead to a class if it is
// silent in all states of the class, and of all classes that any transitions
// lead to from there. So what is dead stays dead, whatever the agent does.
//
// There is a coarsest such partition. For of any two, the finest partition that
// is coarser than both is one, too: what is silent in either is silent there, and
// what the one end of a chain of states does, each of them does in turn, up to
// the other end.
//
// Merging again gives nothing: a partition of the classes that satisfies all
// this is one of the states that does, and there is none coarser. Nor does it
// help to leave dead inputs out of the comparison. Where an input is dead to
// both of two states, both are silent and do not differ by it; where it is dead
// to one only, the other leads to a state that takes notice, and the first leads
// to no equivalent one. But merging makes inputs dead: one that leads to and
// fro between equivalent states, and is never seen, is not ignored before. So the
// order is: merge, then look for what is dead, once.
//
// # Why it is right
//
// The network is a bag or a set. A full state is the agents' states, the network,
// the observer's state and what is left of the budgets; a reduced one has classes in the
// place of states, no messages that are dead to their receivers, and no silent
// moves. Each system can do what the other can.
//
// The reduced system keeps up with the full one in this sense: the classes are
// those of the full system's states, the observers are equal, the reduced
// network has all messages of the full one that are not dead, perhaps more, and
// of no budget is less left. A silent move of the full system needs no answer:
// it sends nothing, and may only take off the network what the reduced one
// then has too much, or spend a budget. Any other delivery is of a message that
// is not dead, and so can be made in the reduced system; any other own move is
// one of its class. Both send the same, show the observer the same, and lead to
// the same class; and what was dead is dead after it.
//
// The full system keeps up with the reduced one in this sense: classes and
// observers as before, the full network has all messages of the reduced one, and
// of no budget is less left. Every reduced move is answered by one full move,
// since the states of a class agree and what may be delivered is there.
//
// So the same combinations of classes and observers are reached, and by equally
// many moves at the least. A reduced path is made again in the full system
// move by move: by the same message, or by an own move of the same label that
// shows the same and leads to the same class. Numbers of states and transitions
// are the reduced system's own.
//
// # What must stand in Out
//
// Whatever anybody else can notice: the messages sent, as a multiset, and the
// observer's change in each of its states known. A new state of the observer
// is treated as a new message is, below. The observer is told the states before
// and after and the message: so equal messages sent do not mean equal Out.
// Where the network loses or doubles messages and there is an observer, it also
// sees that: then the Out of an input tells apart what the observer makes of
// these moves, too, and is 0 only if it makes nothing of them. A handler that
// panics shows a number that nothing else shows. Of own moves the budget that
// they spend is part of the label.
//
// # What must stand in Class
//
// Halted, crashed, and every answer of a property asked for or of the boundary,
// in whatever states the other agents are. The last cannot be found out agent
// by agent, since a property may read several; but a function that is
// deterministic, and reads its argument only through a View, goes the same way
// wherever it reads the same. So: begin with a Class that tells nothing apart
// for the properties' sake, and record which agents each property reads. When
// one reads an agent for the first time, keep all states of that agent apart
// from then on, and begin the search again. In the end every agent that was
// ever read has single states for classes, so that a property reads the same
// in each full state as in the reduced state that stands for it, and answers
// the same. A property of the observer alone leaves every agent free: so it is
// with linearizability. An agent kept apart still has dead messages.
//
// Refused: liveness (silent moves count there), properties over the network and
// fifo, as for the reduction ignored. Removing dead messages is right for step
// properties, since their deliveries change nothing that those see, and at the
// end, since what is dead can be delivered until it is used up. Merging is
// wrong for both: a silent move between two states of a class is a move to a
// step property, and an own action that goes to and fro between two equivalent
// states keeps the full system from its end.
//
// # Faults are own moves
//
// A wiped agent takes notice of what the agent before it ignored; two agents
// that behave alike until they are restarted differ if they persisted different
// things. So wipes, restarts and crashes must stand among the own moves of every
// state that can suffer them; else what they lead to is not looked at, and
// messages are dead that will be wanted. Budgets are not in the tables: a wipe
// that can no longer happen still counts, which finds less and is right.
//
// # How the tables are filled: by meeting
//
// The tables hold what the search has met: for each agent its states, the
// messages addressed to it, and in Met the pairs of the two that can come
// together. A message that is met where it is ignored may be dead there: then it is
// asked what would come of it in the states that can follow, until it is noticed
// in one or there is none left. A pair that is not asked counts as noticed.
// What a pair leads to is only followed when it is met. The search goes like
// this.
//
//  1. Fill the tables with what is known: at first the start states, and what
//     was sent there. Add what own moves and met pairs lead to, until nothing is
//     added. Reduce each agent.
//  2. Search. In each state found remove what is dead. What then remains for an
//     agent is met by all states of the agent's class, not only by the least.
//  3. Did a message, a state of the observer, an agent read by a property, or a
//     pair that changes its state or shows something turn up that was not
//     known? Then go back to 1.
//
// When nothing new turns up, the search is right: by induction over the moves
// of the full system, each that is not silent is one of a pair met, or an own
// move, so that the tables hold all that can happen.
//
// The alternative is to let every message known come to every state, Met being
// nil, and add all that this leads to. It merges more, since nothing is left
// open, but makes up states that no run leads to. The register of Paxos, where
// ignored deliveries are no moves and the history is all that properties read, has
//
//	clients   states  dead removed    and merged, by meeting    every message everywhere
//	2         16,668         6,038     994 (3,095 pairs)          1,145 (44,790 pairs)
//	3      1,194,428       280,499    28,744 (210,585 pairs)   21,385 (38,505,664 pairs)
//
// where pairs are how often handlers are asked; removing alone asks 1,098 and
// 24,482 times.
//
// When to go back: if nothing is merged, the search may go on with what it has,
// since what it finds is real, whatever was removed: a message removed is one
// delayed for ever. (To a state not in the tables nothing is dead, and no message
// that is not there is.) A violation is real, too, but perhaps not the nearest. It goes back at the end, or when it has twice as many states as when
// it went back last: then all the searches together cost a few times the last.
// If states are merged it goes back at the end of the level: what it finds after
// that may not be real, and would stay in the tables. So nothing is merged before
// a good many states are known; the figures above are of a search that does so
// up to 65,536 states.
//
// # When it does not pay
//
// An agent need not be reduced for the others to be: one with a class for each
// state, and nothing dead, is right. So an agent is given up, and the report says
// so, when its table has many more states than the search has met; or when more
// pairs were asked than a minute takes. An agent with a counter that never
// ends is given up in this way. In the end it was
// for nothing if no class of any agent has two states and nothing was removed.
package mealy
