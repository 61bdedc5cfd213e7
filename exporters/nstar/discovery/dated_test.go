// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// A tier began when the last of its servers did, and a server when its first process did: workers come and go.
func TestWhenTiersBegan(t *testing.T) {
	f := newFakeProc(t)
	f.add(10, fakeProcess{comm: "web", exe: "web", start: 1000, sockets: []uint64{80}})
	f.add(11, fakeProcess{comm: "web", exe: "web", start: 9000, parent: 10, sockets: []uint64{80}})
	f.add(20, fakeProcess{comm: "app", exe: "app", start: 2000, sockets: []uint64{8080}})
	f.add(21, fakeProcess{comm: "app", exe: "app", start: 3000, sockets: []uint64{8081}})
	f.add(30, fakeProcess{comm: "consumer", exe: "consumer", start: 4000})
	f.table([]socket{listen(80, "0.0.0.0:80"), listen(8080, "0.0.0.0:8080"), listen(8081, "0.0.0.0:8081")},
		10, 11, 20, 21, 30)
	cfg, err := config.Parse("f", []byte(`tiers:
- {name: web, match: {port: 80}}
- {name: app, match: {command: app}}
- {name: consumer, match: {command: consumer}}
`))
	if err != nil {
		t.Fatal(err)
	}
	s := NewScanner(f.root, 0)
	check := func(web, app, consumer time.Duration) {
		t.Helper()
		snap, err := s.Scan(cfg)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]time.Duration{"web": web, "app": app, "consumer": consumer}
		for _, tier := range snap.Tiers {
			if tier.Start != want[tier.Name] {
				t.Errorf("%s began at %v, want %v", tier.Name, tier.Start, want[tier.Name])
			}
		}
		if len(snap.Tiers) != len(want) {
			t.Errorf("the tiers are %v", snap.Tiers)
		}
	}
	check(0, 0, 0) // the machine's own start is unknown
	const boot = 1700000000 * time.Second
	f.write("cpu  1 2 3\nctxt 5\nbtime 1700000000\nprocesses 9\n", "stat")
	check(boot+10*time.Second, boot+30*time.Second, boot+40*time.Second)
	f.remove(20)
	f.add(22, fakeProcess{comm: "app", exe: "app", start: 5025, sockets: []uint64{8080}}) // restarted
	check(boot+10*time.Second, boot+50250*time.Millisecond, boot+40*time.Second)
}

// After three years the ticks, each as a second in nanoseconds, would not fit.
func TestStartAfterYears(t *testing.T) {
	p := process{identity: identity{start: 10_000_000_000}}
	if got, want := p.sinceBoot(), 100_000_000*time.Second; got != want {
		t.Errorf("%v since boot, want %v", got, want)
	}
}
