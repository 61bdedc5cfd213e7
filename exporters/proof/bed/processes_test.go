// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestThisProcess(t *testing.T) {
	before, err := CPUSeconds(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	used := func() bool {
		after, err := CPUSeconds(os.Getpid())
		return err == nil && after > before
	}
	for deadline := time.Now().Add(time.Minute); !used(); {
		if time.Now().After(deadline) {
			t.Fatal("a loop used no processor time")
		}
	}
	if megabytes, err := ResidentMegabytes(os.Getpid()); err != nil || megabytes < 1 || megabytes > 1e5 {
		t.Errorf("%v MB, %v", megabytes, err)
	}
	if seconds, err := DelaySeconds(os.Getpid()); err != nil || seconds < 0 {
		t.Errorf("waited %v s, %v", seconds, err)
	}
	if seconds, err := IdleSeconds(); err != nil || seconds <= 0 {
		t.Errorf("idle for %v s, %v", seconds, err)
	}
}

func TestEndedChildren(t *testing.T) {
	before, err := EndedChildrenSeconds(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done").Run(); err != nil {
		t.Fatal(err)
	}
	if after, err := EndedChildrenSeconds(os.Getpid()); err != nil || after <= before {
		t.Errorf("%v s after a child's loop, %v s before: %v", after, before, err)
	}
}

func TestNoProcess(t *testing.T) {
	const none = 1 << 30 // beyond what the kernel gives
	if _, err := CPUSeconds(none); err == nil {
		t.Error("processor time of no process")
	}
	if _, err := EndedChildrenSeconds(none); err == nil {
		t.Error("processor time of the children of no process")
	}
	if _, err := DelaySeconds(none); err == nil {
		t.Error("delays of no process")
	}
	if _, err := ResidentMegabytes(none); err == nil {
		t.Error("memory of no process")
	}
}
