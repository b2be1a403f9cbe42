package cli

import (
	"context"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

// ciFlags ask for what continuous integration shows, and for coverage.
func ciFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "junit", Category: outputCategory, Usage: "`FILE` the properties as the test cases of a JUnit report"},
		&urfave.StringFlag{Name: "sarif", Category: outputCategory, Usage: "`FILE` what is wrong as SARIF, at the file and line of the handler that the path ends in"},
		&urfave.StringFlag{Name: "markdown", Category: outputCategory, Usage: "`FILE` a summary for a pull request, with the diagram as Mermaid"},
		&urfave.BoolFlag{Name: "cover", Category: outputCategory, Usage: "tell which kinds of states never met which kinds of messages, and what was never sent, taken or put to the test; the kind of a state is its label without digits"},
	}
}

// ciOutputs render what ciFlags ask for.
func (p *program) ciOutputs(sys *model.System) ([]output, error) {
	algorithm, err := p.algorithm(sys.Name)
	if err != nil {
		return nil, err
	}
	return []output{
		{flag: "junit", render: func(_ context.Context, r *explorer.Report) ([]byte, error) { return junit(r, sys) }},
		{flag: "sarif", render: func(_ context.Context, r *explorer.Report) ([]byte, error) {
			return sarif(r, sys, newPlaces(sys, algorithm))
		}},
		{flag: "markdown", render: func(_ context.Context, r *explorer.Report) ([]byte, error) { return markdown(r, sys), nil }},
	}, nil
}

// coverOption says whether coverage is asked for, and refuses it where nothing
// would show it.
func coverOption(c *urfave.Context) (bool, error) {
	if c.Bool("cover") && c.Bool("quiet") && !c.IsSet("json") && !c.IsSet("markdown") {
		return false, usagef("--cover: nothing shows it; leave out --quiet, or add --json or --markdown FILE")
	}
	return c.Bool("cover"), nil
}
