// SPDX-License-Identifier: Apache-2.0

package programs

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// interpreters are programs that run code of somebody else, by the name of their file without a version, each with the
// options that take the next argument as their value.
var interpreters = map[string]struct {
	valued []string // their value is the next argument
	module []string // their value is what runs
	inline []string // their value is the code itself
	verbs  []string // words in front of the file
}{
	"java": {
		valued: []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
			"--add-modules", "--add-opens", "--add-exports", "--add-reads", "--enable-native-access",
			"--limit-modules", "--source", "--finalization"},
		module: []string{"-jar", "-m", "--module"},
	},
	"python": {valued: []string{"-W", "-X"}, module: []string{"-m"}, inline: []string{"-c"}},
	"pypy":   {valued: []string{"-W", "-X"}, module: []string{"-m"}, inline: []string{"-c"}},
	"node": {
		valued: []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions"},
		inline: []string{"-e", "--eval", "-p", "--print"},
	},
	"bun":  {valued: []string{"-r", "--preload", "--cwd"}, inline: []string{"-e", "--eval"}, verbs: []string{"run"}},
	"deno": {valued: []string{"-c", "--config"}, verbs: []string{"run", "serve"}},
	"ruby": {valued: []string{"-I", "-r", "-C"}, inline: []string{"-e"}},
	"perl": {valued: []string{"-I"}, inline: []string{"-e", "-E"}},
	"php":  {valued: []string{"-c", "-d", "-t", "-S"}, module: []string{"-f"}, inline: []string{"-r"}},
	"lua":  {valued: []string{"-l"}, inline: []string{"-e"}},
	beam:   {}, // whose options stand in any order: erlang reads them
}

// beam is the file of Erlang's virtual machine.
const beam = "beam.smp"

// Interprets reports whether a program, by the name of its file, runs code of somebody else.
func Interprets(file string) bool {
	_, ok := interpreters[interpreter(file)]
	return ok
}

// interpreter is the name of a file without a version; npm's package of Bun calls its file bun.exe on all systems.
func interpreter(file string) string {
	return strings.TrimSuffix(strings.TrimRight(file, digits), ".exe")
}

// longestCode bounds the names of code, in bytes.
const longestCode = 80

// launchers are scripts and modules that run an application of somebody else, which they are given as MODULE:OBJECT.
var launchers = map[string]bool{"gunicorn": true, "uvicorn": true, "hypercorn": true, "daphne": true,
	"waitress-serve": true, "granian": true}

// launched is such an argument; the name of a host and its port look different.
var launched = regexp.MustCompile(`^[A-Za-z_][\w.]*:[A-Za-z_]\w*(\(\))?$`)

// Code is what an interpreter or a Java virtual machine runs: the file of a script with its directory, a jar, a class,
// a module, the application that a server is given; empty if it is another program or can't be told. Nothing else of
// the command line, which may contain secrets, is in it.
func Code(file string, arguments []string) string {
	name := interpreter(file)
	i, ok := interpreters[name]
	if !ok || len(arguments) == 0 {
		return ""
	}
	if name == beam {
		return erlang(arguments)
	}
	for n := 1; n < len(arguments); n++ {
		option := arguments[n]
		switch {
		case slices.Contains(i.inline, option):
			return ""
		case slices.Contains(i.module, option):
			if n+1 == len(arguments) {
				return ""
			}
			return code(arguments[n+1:])
		case slices.Contains(i.valued, option):
			n++
		case strings.HasPrefix(option, "-"), slices.Contains(i.verbs, option):
		case name == "java" && strings.HasPrefix(option, "@"): // a file of more arguments
		default:
			return code(arguments[n:])
		}
	}
	return ""
}

// erlang is the module that Erlang starts, or the name of the node if Elixir starts it.
func erlang(arguments []string) string {
	node := ""
	for n, value := range arguments[1:] {
		switch arguments[n] {
		case "-s", "-run":
			if value != "elixir" {
				return short(value)
			}
		case "-name", "-sname":
			node, _, _ = strings.Cut(value, "@")
		}
	}
	if node == "" {
		return ""
	}
	return short(node)
}

// code names what runs, from the argument that names it, and those behind it. What follows an option may be its value,
// such as a header.
func code(arguments []string) string {
	if launchers[path.Base(arguments[0])] {
		for n, a := range arguments[1:] {
			before := arguments[n]
			value := strings.HasPrefix(before, "-") && !strings.Contains(before, "=")
			if launched.MatchString(a) && len(a) <= longestCode && !value {
				return a
			}
		}
	}
	return short(arguments[0])
}

// short is the last two parts of a path, and of a jar only its name: what stands in front says where it was installed.
func short(file string) string {
	word, _, _ := strings.Cut(file, " ") // a process may write a title over its arguments
	parts := strings.Split(path.Clean(word), "/")
	keep := 2
	if strings.HasSuffix(word, ".jar") {
		keep = 1
	}
	out := strings.TrimPrefix(strings.Join(parts[max(len(parts)-keep, 0):], "/"), "/")
	if out == "." || len(out) > longestCode {
		return ""
	}
	return out
}
