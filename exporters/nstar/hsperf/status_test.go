// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// FuzzReadStatus reads a /proc/PID/status of a process that chooses its name, which is the first line: the kernel
// escapes line breaks and backslashes in it, and nothing else.
func FuzzReadStatus(f *testing.F) {
	f.Add("java")
	f.Add("NSpid: 5\nUid: 0\n")
	f.Add(":\tUid:\t0 kB")
	f.Fuzz(func(t *testing.T, name string) {
		root := t.TempDir()
		dir := filepath.Join(root, "77")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		escaped := strings.NewReplacer("\n", `\n`, `\`, `\\`).Replace(name)
		text := "Name:\t" + escaped + "\nUid:\t5\t6\t7\t8\nNSpid:\t77\t1\n"
		if err := os.WriteFile(filepath.Join(dir, "status"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		st, err := readStatus(root, 77)
		if err != nil || st.innerPID != "1" || !slices.Equal(st.uids, []uint32{5, 6, 7, 8}) {
			t.Errorf("%q: %+v, %v", name, st, err)
		}
	})
}
