// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// The file names only the database of a host. Tomcat, which asks it, and Apache, which asks Tomcat, work for the
// same requests, whether they are ignored or not; a server that none of them asks does not.
func TestAllies(t *testing.T) {
	database := config.TierRule{Name: "db", App: "shop", Match: []config.Match{{Port: 3306}}}
	for name, cfg := range map[string]config.Config{
		"the others ignored":  {Ignore: []config.Match{{Port: 80}, {Port: 8009}, {Port: 11211}}},
		"nobody told of them": {},
	} {
		t.Run(name, func(t *testing.T) {
			f, sockets := chain(t)
			f.add(75, fakeProcess{comm: "memcached", exe: "memcached", sockets: []uint64{11211}})
			f.table(append(sockets, listen(11211, "0.0.0.0:11211")), 1, 40, 41, 50, 60, 70, 75, 99)
			cfg.Tiers = []config.TierRule{database}
			s := NewScanner(f.root, 0)
			want := []int32{40, 41, 50}
			if diff := cmp.Diff(want, alliesOf(t, s, &cfg)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			// the connections end, and were there; Tomcat ends, and there is no way from Apache any more
			f.table(append(sockets[:4:4], listen(11211, "0.0.0.0:11211")), 1, 40, 41, 50, 60, 70, 75, 99)
			if diff := cmp.Diff(want, alliesOf(t, s, &cfg)); diff != "" {
				t.Errorf("without connections: -want +got:\n%s", diff)
			}
			f.remove(50)
			if got := alliesOf(t, s, &cfg); len(got) > 0 {
				t.Errorf("%v after Tomcat has ended", got)
			}
		})
	}
}

// Another application's server is a neighbour, though it asks the same database.
func TestAlliesOfAnotherApplication(t *testing.T) {
	f, _ := chain(t)
	cfg := config.Config{Tiers: []config.TierRule{
		{Name: "db", App: "shop", Match: []config.Match{{Port: 3306}}},
		{Name: "tomcat", App: "wiki", Match: []config.Match{{Port: 8009}}},
	}}
	if got := alliesOf(t, NewScanner(f.root, 0), &cfg); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// alliesOf are the allies of the tier db.
func alliesOf(t *testing.T, s *Scanner, cfg *config.Config) []int32 {
	t.Helper()
	snap, err := s.Scan(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range snap.Tiers {
		if tier.Name == "db" {
			return tier.Allies
		}
	}
	t.Fatal("no tier db")
	return nil
}
