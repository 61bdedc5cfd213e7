// SPDX-License-Identifier: Apache-2.0

package group

import "testing"

func TestReadsOf(t *testing.T) {
	const first = "8:0 Read 7\n254:0 Read 12\n254:0 Write 99\nTotal 118\n"
	const second = "8:0 rbytes=4096 wbytes=0 rios=7 wios=0\n254:0 rbytes=8192 wbytes=0 rios=12 wios=99 dbytes=0 " +
		"dios=0\n"
	for name, text := range map[string]string{"first": first, "second": second} {
		if got := readsOf(text, "254:0"); got != 12 {
			t.Errorf("version %s: %v reads, want 12", name, got)
		}
		if got := readsOf(text, "9:0"); got != 0 {
			t.Errorf("version %s: %v reads of a device that is not there", name, got)
		}
	}
}
