// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReadFaults(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"nstar_tier_major_faults_total": {
			`{"app":"shop","tier":"db"}`: 120, `{"app":"shop","tier":"app"}`: 30, `{"app":"gone","tier":"db"}`: 50},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Faulted{{"app", 30}, {"db", 120}}, o.Apps[0].Faulted,
		cmpopts.EquateApprox(1e-6, 0)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Faults are told of beside waiting for a disk or for memory, and of the tier that waits alone.
func TestFaultsAreEvidence(t *testing.T) {
	const words = "120 pages a second of its programs, mapped files or swapped memory had to be read from the disk"
	for _, tt := range []struct {
		name  string
		tier  string
		pause string
		said  bool
	}{
		{"a disk", "db", "disk", true},
		{"memory", "db", "memory", true},
		{"a signal", "db", "stopped", false},
		{"another tier's", "web", "disk", false},
	} {
		d := diagnosis{Application: Application{Faulted: []Faulted{{tt.tier, 120}},
			Standstills: []Standstill{{"db", map[string]float64{tt.pause: 0.9}}}}, finding: single("db", causeStopped)}
		if got := d.meanwhile(); strings.Contains(got, words) != tt.said {
			t.Errorf("%s: %q", tt.name, got)
		}
		if got := d.atDisk(); strings.Contains(got, words) != (tt.tier == "db") {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// Requests of a server whose memory is too small look stopped, slow, or as if they waited for a thread. More threads
// would make it worse.
func TestShortOfMemory(t *testing.T) {
	for _, tt := range []struct {
		name, cause    string
		faults, memory float64
		first          bool
	}{
		{"its only thread waits", causePlace, 310, 0.16, true},
		{"it seems slow", causeSlow, 310, 0.16, true},
		{"some faults, as after a start", causePlace, 30, 0.16, false},
		{"the memory of others is short", causePlace, 0, 0.34, false},
		{"files are read", causePlace, 310, 0, false},
		{"it computes", causeDemand, 310, 0.16, false},
	} {
		d := diagnosis{Application: Application{Faulted: []Faulted{{"node", tt.faults}},
			Evidence: []Held{{"node", "memory", tt.memory}}}, finding: single("node", tt.cause)}
		first, _ := d.cure("node", "")
		if got := strings.HasPrefix(first, "First give node more memory"); got != tt.first {
			t.Errorf("%s: %q", tt.name, first)
		}
		if got := strings.Contains(d.load(), "310 pages a second"); got != (tt.faults >= 50 && tt.memory > 0) {
			t.Errorf("%s: %q", tt.name, d.load())
		}
	}
}
