// SPDX-License-Identifier: Apache-2.0

package programs

import "bytes"

// goRuntime is the name of the program that a server written in Go is.
const goRuntime = "go"

// Beginning is how many bytes of the beginning of a program's file tell whether it was built by Go.
const Beginning = 32 << 10

// goNote is the type and the owner of the note in which Go's linker leaves the identity of a build. It stands behind
// the headers of the file, which has it even if its symbols were removed.
var goNote = []byte("\x04\x00\x00\x00Go\x00\x00")

// Runtime is what a server that is not known runs on, by the name of its file and by the bytes at the beginning of it,
// which are read only if the name does not tell; false if that is unknown, too.
func Runtime(file string, beginning func() []byte) (Program, bool) {
	name := interpreter(file)
	if _, ok := interpreters[name]; !ok {
		if b := beginning(); !bytes.HasPrefix(b, []byte("\x7fELF")) || !bytes.Contains(b, goNote) {
			return Program{}, false
		}
		name = goRuntime
	}
	if name == beam {
		name = "erlang"
	}
	p, ok := known[name]
	return p, ok
}
