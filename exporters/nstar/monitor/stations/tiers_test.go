// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// holders lists the tier of each number; "" is free, "-" held back.
func (s *tiers) holders() (out []string) {
	for _, p := range s.places {
		out = append(out, map[use]string{free: "", taken: p.last.Name, heldBack: "-"}[p.use])
	}
	return out
}

// list makes tiers of the app "a". If a name begins with *, the tier is ruled; what follows an @ is its owner.
func list(names ...string) (out []discovery.Tier) {
	for _, name := range names {
		name, owner, _ := strings.Cut(name, "@")
		plain := strings.TrimPrefix(name, "*")
		out = append(out, discovery.Tier{App: "a", Name: plain, Ruled: plain != name, Owner: owner})
	}
	return out
}

// A number goes from tier to tier. It is kept while a tier is away, held back when it is given up, then given to the
// next.
func TestNumbersGoRound(t *testing.T) {
	s := newTiers(3)
	at := time.Hour
	step := func(wait time.Duration, found []discovery.Tier, release bool, want ...string) {
		t.Helper()
		at += wait
		s.see(found, at)
		for _, n := range s.leaving(at) {
			s.holdBack(n, at)
		}
		if release {
			for _, n := range s.waiting() {
				s.release(n)
			}
		}
		s.admit(found, 0, at)
		if diff := cmp.Diff(want, s.holders()); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
	step(0, list("web", "db"), true, "web", "db")
	step(time.Second, list("db"), true, "web", "db")                      // away
	step(retireAfter-2*time.Second, list("db", "web"), true, "web", "db") // came back
	step(time.Second, list("db", "new"), true, "web", "db", "new")        // came between
	step(retireAfter-2*time.Second, list("db", "new"), false, "web", "db", "new")
	step(time.Second, list("db", "new"), false, "-", "db", "new")             // gone
	step(time.Second, list("db", "new", "next"), false, "-", "db", "new")     // a connection still carries it
	step(time.Second, list("db", "new", "next"), true, "next", "db", "new")   // no connection carries it
	step(time.Second, list("db", "next", "more"), true, "next", "db", "new")  // away for a moment
	step(vacateAfter, list("db", "next", "more"), true, "next", "db", "more") // others wait
	if s.refusals != 2 {
		t.Errorf("%d refused, want next and more", s.refusals)
	}
}

// However many listeners one user or one container starts, and under whatever names, they take at most half of the
// table, and none of the places of tiers that the configuration names.
func TestNoOneTakesAllNumbers(t *testing.T) {
	s := newTiers(8)
	var many []discovery.Tier
	for i := range 100 {
		many = append(many, list(fmt.Sprintf("m%d@user 1000", i))...)
	}
	count := func(owner string) (n int) {
		for _, p := range s.places {
			if p.use != free && p.last.Owner == owner {
				n++
			}
		}
		return n
	}
	s.admit(many, 2, 0)
	if n := count("user 1000"); n != 4 {
		t.Errorf("one user has %d of 8 numbers", n)
	}
	s.admit(append(many, list("c1@container x", "c2@container x", "c3@container x", "c4@container x")...), 2, 0)
	if n := count("container x"); n != 2 {
		t.Errorf("the container has %d numbers, want those that no rule may need", n)
	}
	s.admit(append(many, list("*first", "*second")...), 2, 0)
	for _, name := range []string{"first", "second"} {
		if _, ok := s.numbers[discovery.TierName{App: "a", Tier: name}]; !ok {
			t.Errorf("%s, which the configuration names, has no number", name)
		}
	}
	if s.refusals != 96+2 {
		t.Errorf("%d refused, want 98", s.refusals)
	}
}
