// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"testing"
	"time"
)

// Workers that sleep because they have no work are no lock, and neither are requests that wait elsewhere.
func TestInLocks(t *testing.T) {
	for _, c := range []struct {
		name                         string
		asleep, sleepers, work, idle float64
		want                         float64
	}{
		{"nothing waits; the workers have no work", 0, 20, 0, 20, 0},
		{"a database's threads wait for a table; those behind the scenes always sleep", 12, 15, 0, 3, 12},
		{"the first lock that was ever seen", 12, 12, 0.5, 0, 12},
		{"five of twenty workers wait for something outside", 5, 15, 0, 20, 0},
		{"five work, three wait for a lock", 3, 15, 5, 20, 3},
		{"all workers are held elsewhere, and more requests wait for one", 30, 0, 0, 20, 0},
		{"no thread sleeps for another", 4, 0, 0, 0, 0},
		{"more requests wait than threads sleep: the others wait for a worker", 50, 20, 0, 20, 20},
	} {
		if got := inLocks(c.asleep, c.sleepers, c.work, c.idle); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The largest value is known for ten minutes, to the minute.
func TestSummit(t *testing.T) {
	var s summit
	const began = 100 * time.Hour
	for _, c := range []struct {
		at        time.Duration
		add, want float64
	}{
		{0, 20, 20}, {time.Second, -3, 20}, {5 * time.Minute, 12, 20}, {9 * time.Minute, 14, 20},
		{10 * time.Minute, 1, 14},
		{18 * time.Minute, 2, 14}, {19 * time.Minute, 1, 2}, {time.Hour, 1, 1}, {2 * time.Hour, -1, 0},
	} {
		s.add(began+c.at, c.add)
		if got := s.most(began + c.at); got != c.want {
			t.Errorf("after %v: %v, want %v", c.at, got, c.want)
		}
	}
}
