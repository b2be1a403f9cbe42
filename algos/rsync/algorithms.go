package rsync

import "github.com/caulk-go/caulk/model"

const doc = `rsync copies a file to where an older one lies, and sends little more than what
is new. Agent 1 has the old file and receives, agent 2 has the new one. All
pairs of files up to a length, over the letters a and b, are starts; --start
1=abb --start 2=ab takes one pair. The weak checksum is so weak that ab and ba
have the same.

A block counts as found only if its strong checksum is right, too; and the
receiver compares a checksum of the whole file, and begins again if it differs.
The first is needed since weak sums collide (rsync-weak); the second, since the
old file may be edited while the exchange is under way (rsync-edited).

Labels: the two files, with . behind the first once the receiver is done.`

func entry(name, summary, hole string, v Variant, edits bool) model.Algorithm {
	a := model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     doc,
		Source:  `Tridgell and Mackerras, "The rsync algorithm" (1996)`,
		Twins:   []string{"rsync"},
		Hole:    hole,
		Starts:  map[model.ID]string{receiver: "", sender: ""},
		Params: []model.Param{
			{Name: "length", Doc: "letters of a file, at most", Default: 3, Min: 1, Max: 5},
			{Name: "block", Doc: "letters of a block", Default: 2, Min: 1, Max: 4},
		},
		Make: func(c model.Config) model.System { return system(c, v, edits) },
	}
	if hole == "" {
		a.Twins = []string{"rsync-weak", "rsync-edited"}
	}
	return a
}

// Algorithms are the entries in the list of algorithms: the one that holds,
// then its twins.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		entry("rsync", "a file is copied by what is new in it", "", Variant{StrongSums: true, WholeSum: true}, true),
		entry("rsync-weak", "rsync with the rolling checksum alone",
			"two blocks have the same weak checksum, and the wrong one is copied",
			Variant{}, false),
		entry("rsync-edited", "rsync without a checksum of the whole file",
			"the old file is edited between its checksums and the copying of its blocks",
			Variant{StrongSums: true}, true),
	}
}

func system(c model.Config, v Variant, edits bool) model.System {
	block := c.Params["block"]
	s := model.System{
		Agents: []model.Node{model.Of(getter{v, block, edits}), model.Of(giver{v, block})},
		Properties: []model.Property{
			equal(),
			model.Sometimes("a block is copied", copied),
			model.Eventually("the copying ends", allDone),
		},
	}
	if v.WholeSum {
		s.Properties = append(s.Properties, model.Sometimes("it is done after a second try", triedAgain))
	}
	all := files(c.Params["length"])
	for _, old := range all {
		for _, new := range all {
			s.OtherStarts = append(s.OtherStarts, map[model.ID]string{receiver: old, sender: new})
		}
	}
	s.OtherStarts = s.OtherStarts[1:] // two empty files are the algorithm's own start
	return s
}

// files are all of up to a length, the short ones first.
func files(length int) []string {
	all := []string{""}
	for begin := 0; length > 0; length-- {
		end := len(all)
		for _, shorter := range all[begin:end] {
			all = append(all, shorter+"a", shorter+"b")
		}
		begin = end
	}
	return all
}
