// SPDX-License-Identifier: Apache-2.0

// Command nstartool is the operator's tool, as promtool is for Prometheus: it reads what Nstar has recorded
// and reports it in plain sentences, or shows it on a page.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/common/version"
)

// Exit codes. A diagnosis is a success whatever it says, unless --exit-code
// asks for the verdict in the code.
const (
	exitOK            = 0
	exitError         = 1
	exitBottleneck    = 3
	exitNotEnoughData = 4
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	app := kingpin.New("nstartool", "The companion of nstar_exporter for operators.")
	app.Version(version.Print("nstartool"))
	app.HelpFlag.Short('h')
	terminated := -1
	app.Terminate(func(status int) { terminated = status }).UsageWriter(stdout).ErrorWriter(stderr)

	var d diagnosis
	diagnoseCmd := app.Command("diagnose", diagnoseHelp)
	d.addFlags(diagnoseCmd)
	var s serving
	serveCmd := app.Command("serve", serveHelp)
	s.addFlags(serveCmd)

	var p prediction
	whatifCmd := app.Command("whatif", whatifHelp)
	p.addFlags(whatifCmd)

	var t studying
	studyCmd := app.Command("study", studyHelp)
	t.addFlags(studyCmd)

	selected, err := app.Parse(args)
	if terminated >= 0 { // --help or --version
		return terminated
	}
	if err != nil {
		fmt.Fprintf(stderr, "nstartool: %v; try nstartool --help\n", err)
		return exitError
	}
	code := exitOK
	switch selected {
	case diagnoseCmd.FullCommand():
		code, err = d.run(stdout)
	case whatifCmd.FullCommand():
		err = p.run(stdout)
	case studyCmd.FullCommand():
		err = t.run(stdout)
	case serveCmd.FullCommand():
		err = s.run(stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "nstartool: %v\n", err)
		return exitError
	}
	return code
}
