// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"
	"time"
)

// The storm ends, sends messages, and leaves no file open behind.
func TestStorm(t *testing.T) {
	files := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	if _, err := storm(50 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	before := files()
	s, err := storm(50 * time.Millisecond)
	if err != nil || s.rate <= 0 || s.work <= 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if after := files(); after != before {
		t.Errorf("%d files are open, %d before", after, before)
	}
}
