// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzReadStatus reads a hostile /proc/PID/status: the process chooses its name, which is the first line.
func FuzzReadStatus(f *testing.F) {
	f.Add("Name:\tjava\nNSpid:\t77\t1\nUid:\t0\t0\t0\t0\n")
	f.Add("Name:\tNSpid: 5\\nUid: 0\n")
	f.Add("Uid:\nNSpid:\n:\n")
	f.Fuzz(func(t *testing.T, text string) {
		dir := filepath.Join(t.TempDir(), "77")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "status")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if st, err := readStatus(path); err == nil && st.innerPID == "" {
			t.Errorf("no process id: %+v", st)
		}
	})
}
