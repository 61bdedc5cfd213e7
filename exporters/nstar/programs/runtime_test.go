// SPDX-License-Identifier: Apache-2.0

package programs

import (
	"io"
	"os"
	"testing"
)

func TestRuntime(t *testing.T) {
	for _, tt := range []struct {
		file, from, want string
	}{
		{"shop", "/proc/self/exe", "go"},
		{"sh", "/bin/sh", ""},
		{"notes", "runtime.go", ""}, // it names the note, but is no program
		{"java", "", "java"},
		{"beam.smp", "", "erlang"},
		{"python3.11", "", "python"},
		{"perl", "", ""}, // nothing to be told
	} {
		p, ok := Runtime(tt.file, func() []byte {
			file, err := os.Open(tt.from)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			beginning, err := io.ReadAll(io.LimitReader(file, Beginning))
			if err != nil {
				t.Fatal(err)
			}
			return beginning
		})
		if p.Name != tt.want || ok != (tt.want != "") {
			t.Errorf("%s is %q, want %q", tt.file, p.Name, tt.want)
		}
	}
}
