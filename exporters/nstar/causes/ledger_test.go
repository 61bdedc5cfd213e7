// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"testing"
	"time"
)

const ms = time.Millisecond

func sum(sums map[Who]float64) (all float64) {
	for _, v := range sums {
		all += v
	}
	return all
}

// A neighbour that takes much gets a name. Small ones do not use up the names.
func TestLedgerNames(t *testing.T) {
	var l Ledger
	for i := range 100 {
		l.Add(Neighbour{Who{Name: fmt.Sprintf("small %d", i)}, 10 * ms}, time.Duration(i)*ms)
	}
	for i := range 10 {
		l.Add(Neighbour{Who{Name: "batch"}, 50 * ms}, time.Duration(200+i)*ms)
	}
	got := l.Sums()
	if len(got) != 2 || math.Abs(got[Who{Name: "batch"}]-0.45) > 1e-9 || math.Abs(sum(got)-1.5) > 1e-9 {
		t.Errorf("sums %v", got)
	}
}

// A small amount over a long time is no reason for a name.
func TestLedgerForgetsCandidates(t *testing.T) {
	var l Ledger
	for i := range 100 {
		l.Add(Neighbour{Who{Name: "cron"}, 10 * ms}, time.Duration(i)*time.Minute)
	}
	if got := l.Sums(); len(got) != 1 || math.Abs(got[Who{Name: Other}]-1) > 1e-9 {
		t.Errorf("sums %v", got)
	}
}

// The number of names is limited. A quiet neighbour makes room for another, and no counter falls.
func TestLedgerIsBounded(t *testing.T) {
	var l Ledger
	now := time.Duration(0)
	other := 0.0
	for i := range 3 * candidates {
		now += 10 * time.Second
		l.Add(Neighbour{Who{Name: fmt.Sprint(i)}, 100 * ms}, now)
		l.Add(Neighbour{Who{Name: fmt.Sprint(i)}, 100 * ms}, now)
		got := l.Sums()
		if len(got) > namesOfTier+1 {
			t.Fatalf("%d names", len(got)-1)
		}
		if got[Who{Name: Other}] < other {
			t.Fatalf("other fell from %v to %v", other, got[Who{Name: Other}])
		}
		other = got[Who{Name: Other}]
	}
	if got := sum(l.Sums()); math.Abs(got-0.2*3*candidates) > 1e-6 {
		t.Errorf("%v s in all", got)
	}
	l.Add(Neighbour{Who{Name: Other}, time.Second}, now)
	if got := l.Sums()[Who{Name: Other}]; math.Abs(got-other-1) > 1e-9 {
		t.Errorf("other %v", got)
	}
}

// If all names are used by neighbours that go on, a new one gets no name.
func TestLedgerKeepsThoseThatGoOn(t *testing.T) {
	var l Ledger
	for round := range 20 {
		for i := range namesOfTier + 2 {
			l.Add(Neighbour{Who{Name: fmt.Sprint(i)}, 100 * ms}, time.Duration(round)*10*time.Second)
		}
	}
	got := l.Sums()
	for i := range namesOfTier {
		if got[Who{Name: fmt.Sprint(i)}] == 0 {
			t.Errorf("%d lost its name: %v", i, got)
		}
	}
}

// Many neighbours that take a little all the time do not prevent a name for one that begins to take much.
func TestLedgerNamesWhoTakesMost(t *testing.T) {
	var l Ledger
	now := time.Duration(0)
	for range 100 {
		now += time.Second
		for i := range 2 * namesOfTier {
			l.Add(Neighbour{Who{Name: fmt.Sprint(i)}, 5 * ms}, now)
		}
	}
	for range 8 {
		now += time.Second
		l.Add(Neighbour{Who{Name: "nightly"}, 500 * ms}, now)
	}
	if got := l.Sums(); got[Who{Name: "nightly"}] < 3 || len(got) != namesOfTier+1 {
		t.Errorf("sums %v", got)
	}
}
