// Command caulk is the command line with all of caulk's algorithms.
package main

import (
	"os"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/cli"
)

func main() { os.Exit(cli.Main(algos.All())) }
