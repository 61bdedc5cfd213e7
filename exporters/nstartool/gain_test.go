// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstartool/diagnose"
	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
)

// The expected gain is that of a change that the cause asks for.
func TestApt(t *testing.T) {
	freezes, speed, pool := whatif.NoFreezes{Tier: "app"}, whatif.Speed{Tier: "app", Factor: 2},
		whatif.Pool{From: "app"}
	for cause, want := range map[string][3]bool{
		"garbage_collection": {true, false, false},
		"stopped":            {true, false, false},
		"soft_resource":      {false, false, true},
		"demand":             {false, true, true},
		"burst":              {false, true, true},
		"throttled":          {false, true, true},
		"disk":               {false, true, false},
		"slow":               {false, false, false},
	} {
		to := diagnose.Bottleneck{App: "shop", Tier: "app", Cause: cause}
		if got := [3]bool{apt(freezes, to), apt(speed, to), apt(pool, to)}; got != want {
			t.Errorf("%s: no freezes, twice as fast, more places: %v, want %v", cause, got, want)
		}
	}
}

// Where requests wait for calls to one tier, more calls to another one are no advice.
func TestAptPool(t *testing.T) {
	for _, tt := range []struct {
		callsTo, changed string
		want             bool
	}{{"", "db", true}, {"db", "db", true}, {"db", "cache", false}} {
		to := diagnose.Bottleneck{App: "shop", Tier: "app", Cause: "soft_resource", CallsTo: tt.callsTo}
		if got := apt(whatif.Pool{From: "app", To: tt.changed, Places: 8}, to); got != tt.want {
			t.Errorf("%q, more calls to %s: %v", tt.callsTo, tt.changed, got)
		}
	}
}

// Where connections to a database are kept during calls, more calls need more of these.
func TestSaid(t *testing.T) {
	to := diagnose.Bottleneck{App: "shop", Tier: "app", Cause: "soft_resource", CallsTo: "prices", Keeps: "db"}
	want := "8 calls at once from app to prices, for which app needs as many connections to db"
	if got := said(whatif.Pool{From: "app", To: "prices", Places: 8}, to); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := said(whatif.Speed{Tier: "app", Factor: 2}, to); strings.Contains(got, "connections") {
		t.Errorf("a faster tier: %q", got)
	}
}
