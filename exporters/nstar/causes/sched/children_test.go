// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// shortLived prints its process id, and so does its own child, which computes for some milliseconds.
const shortLived = "echo $$; sh -c 'echo $$; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; :"

// ended is the processor time of a process's children that have ended, and of their children.
func ended(t testing.TB, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(rest)
	user, _ := strconv.Atoi(f[13]) // cutime, field 16 of the line
	system, _ := strconv.Atoi(f[14])
	const tick = 10 * time.Millisecond
	return time.Duration(user+system) * tick
}

// descendants are the processes that a process has started and that live, and theirs.
func descendants(t testing.TB, pid int) (out []int) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range tasks {
		text, _ := os.ReadFile(file) // a task that has ended has no text
		for _, field := range strings.Fields(string(text)) {
			child, _ := strconv.Atoi(field)
			out = append(append(out, child), descendants(t, child)...)
		}
	}
	return out
}

// over waits until processes have ended.
func over(t testing.TB, pids []int) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); len(pids) > 0; {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pids[0])); err != nil {
			pids = pids[1:]
			continue
		}
		if time.Now().After(end) {
			t.Fatalf("processes %v do not end", pids)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// What a tier's processes start, and what these start, belongs to the tier for as long as it lives: its processor time
// is the tier's, and no neighbour's.
func TestChildren(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	t.Setenv(role+"_FILE", file)
	p := open(t)
	server, other, stranger := begin(t, "forks"), begin(t, "bursts"), begin(t, "busy")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(server): 2, uint32(other): 1}, nil); err != nil {
		t.Fatal(err)
	}
	// What the server had started before belongs to no tier for these programs, and neither does what that starts.
	over(t, descendants(t, server))
	time.Sleep(300 * time.Millisecond)
	ran0, _ := schedstat(t, server)
	children0, from := ended(t, server), p.now()
	time.Sleep(3 * time.Second)
	ran1, _ := schedstat(t, server)
	children1, to := ended(t, server), p.now()
	time.Sleep(500 * time.Millisecond)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	children := make(map[owner.Owner]bool)
	for _, line := range strings.Fields(string(text)) {
		pid, _ := strconv.Atoi(line)
		children[owner.Owner(pid)] = true
	}
	of, its := p.sum(2, from, to), p.sum(1, from, to)
	want := ran1 - ran0 + children1 - children0
	t.Logf("%d children; the tier ran %v, by the kernel %v, %v of it children; taken from it %v, from the other %v",
		len(children), of.Ran, want, children1-children0, of.Takers, its.Takers)
	if children1-children0 < 100*time.Millisecond {
		t.Fatalf("children ran for %v only", children1-children0)
	}
	// windows, and a child that has not ended, at each end
	if diff := of.Ran - want; diff.Abs() > 2*width+want/10 {
		t.Errorf("the tier ran %v, by the kernel %v", of.Ran, want)
	}
	by := make(map[owner.Owner]time.Duration)
	for _, taker := range append(of.Takers, its.Takers...) {
		by[taker.Owner] += taker.Time
		if children[taker.Owner] {
			t.Errorf("the tier's child %d took the processor for %v as a stranger", taker.Owner, taker.Time)
		}
	}
	if by[owner.Owner(stranger)] == 0 {
		t.Error("the stranger took nothing")
	}
}

// What a server that is no tier starts counts under the server's name, if the server is an ally of the tier: it ends
// before its name can be read.
func TestChildrenOfAnAlly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	t.Setenv(role+"_FILE", file)
	p := open(t)
	server, tier := begin(t, "forks"), begin(t, "bursts")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(tier): 1}, []uint32{uint32(server)}); err != nil {
		t.Fatal(err)
	}
	over(t, descendants(t, server)) // of no tier for these programs
	time.Sleep(300 * time.Millisecond)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, from := len(text), p.now()
	time.Sleep(2 * time.Second)
	to := p.now()
	time.Sleep(500 * time.Millisecond)
	if text, err = os.ReadFile(file); err != nil {
		t.Fatal(err)
	}
	children := strings.Fields(string(text[before:]))
	its := p.sum(1, from, to)
	by := make(map[owner.Owner]time.Duration)
	for _, taker := range its.Takers {
		by[taker.Owner] += taker.Time
	}
	t.Logf("%d children; taken from the tier %v", len(children), its.Takers)
	for _, line := range children {
		pid, _ := strconv.Atoi(line)
		if took := by[owner.Owner(pid)]; took > 0 {
			t.Errorf("the ally's child %d took the processor for %v as a stranger", pid, took)
		}
	}
	if len(children) == 0 || by[owner.Owner(server)] == 0 {
		t.Error("the ally took nothing")
	}
}
