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

// Shares are those of one tier's waiting, its own part among them.
func TestReadDiskNeighbours(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"single_bottleneck","tier":"db","cause":"stopped"}`: 0.5},
		"nstar_tier_disk_neighbour_seconds_total": {
			`{"app":"shop","tier":"db","neighbour":"backup","operation":"write","own_application":"false"}`: 6,
			`{"app":"shop","tier":"db","neighbour":"db","operation":"read","own_application":"true"}`:       2,
			`{"app":"gone","tier":"db","neighbour":"backup","operation":"read","own_application":"false"}`:  1,
		},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []DiskNeighbour{{"db", "backup", "write", false, 0.75}, {"db", "db", "read", true, 0.25}}
	if diff := cmp.Diff(want, o.Apps[0].DiskNeighbours, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Only programs of other applications are to be moved away, and only if the tier waits for their work.
func TestCureDisk(t *testing.T) {
	disk := []Held{{"db", "disk", 0.5}}
	for _, tt := range []struct {
		name string
		used []DiskNeighbour
		held []Held
		cure string
		said string
	}{
		{"a stranger", []DiskNeighbour{{"db", "backup", "write", false, 0.6}, {"db", "backup", "read", false, 0.4}},
			disk,
			"Move what backup writes", "60 % for what backup wrote and 40 % for what backup read"},
		{"itself", []DiskNeighbour{{"db", "db", "write", true, 0.8}, {"db", "backup", "write", false, 0.2}}, disk,
			"", "80 % for what it wrote itself"},
		{"another tier, and the kernel", []DiskNeighbour{{"db", "queue", "write", true, 0.5},
			{"db", "kernel", "write", false, 0.5}},
			disk, "", "50 % for what the kernel itself wrote"},
		{"nobody by name", []DiskNeighbour{{"db", otherNeighbours, "write", false, 1}}, disk, "", ""},
		{"it hardly waits", []DiskNeighbour{{"db", "backup", "write", false, 1}}, nil, "", ""},
		{"another tier waits", []DiskNeighbour{{"web", "backup", "write", false, 1}}, disk, "", ""},
	} {
		d := diagnosis{Application: Application{DiskNeighbours: tt.used, Evidence: tt.held},
			finding: single("db", causeDemand)}
		if got := d.cureDisk("db"); (got == "") != (tt.cure == "") || !strings.HasPrefix(got, tt.cure) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.cure)
		}
		if got := d.andDisk("db"); (got == "") != (tt.cure == "") {
			t.Errorf("%s: at its limit %q", tt.name, got)
		}
		if got := d.forWhom(); (got == "") != (tt.said == "") || !strings.Contains(got, tt.said) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.said)
		}
		if d.onDisk() == nil {
			t.Errorf("%s: JSON has no list", tt.name)
		}
	}
}
