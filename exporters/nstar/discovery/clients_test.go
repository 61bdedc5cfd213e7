// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Two workers and a shell ask the database; Tomcat does so, too, and is a tier.
func TestClients(t *testing.T) {
	f, sockets := chain(t)
	f.add(75, fakeProcess{comm: "python3", exe: "python3.11", sockets: []uint64{700}})
	f.add(76, fakeProcess{comm: "python3", exe: "python3.11", sockets: []uint64{701}})
	f.add(77, fakeProcess{comm: "mariadb", exe: "mariadb", sockets: []uint64{702}})
	sockets = append(sockets, established(700, "127.0.0.1:34000", "127.0.0.1:3306"),
		established(701, "127.0.0.1:34001", "127.0.0.1:3306"), established(702, "127.0.0.1:34002", "127.0.0.1:3306"))
	f.table(sockets, 1, 40, 41, 50, 60, 70, 75, 76, 77, 99)
	want := map[string][]string{"mariadbd": {"mariadb", "python3"}}
	if diff := cmp.Diff(want, clientsOf(t, f)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Any user may start as many clients as there are names.
func TestClientsAreBounded(t *testing.T) {
	f, sockets := chain(t)
	pids := []int{1, 40, 41, 50, 60, 70, 99}
	for i := range 2 * clientsNamed {
		pid := 200 + i
		f.add(pid, fakeProcess{comm: fmt.Sprintf("client%d", i), exe: "client", sockets: []uint64{uint64(700 + i)}})
		sockets = append(sockets, established(uint64(700+i), fmt.Sprintf("127.0.0.1:%d", 34000+i), "127.0.0.1:3306"))
		pids = append(pids, pid)
	}
	f.table(sockets, pids...)
	if got := clientsOf(t, f)["mariadbd"]; len(got) != clientsNamed {
		t.Errorf("%q", got)
	}
}

// A client of Apache has an address of another host, and one of the database this host's.
func TestAbroad(t *testing.T) {
	f, sockets := chain(t)
	sockets = append(sockets, established(700, "192.0.2.1:80", "198.51.100.7:40000"),
		established(701, "127.0.0.1:3306", "127.0.0.1:34001"))
	f.table(sockets, 1, 40, 41, 50, 60, 70, 99)
	snap, err := NewScanner(f.root, 0).Scan(nil)
	if err != nil {
		t.Fatal(err)
	}
	var abroad []string
	for _, tier := range snap.Tiers {
		if tier.Abroad {
			abroad = append(abroad, tier.Name)
		}
	}
	if diff := cmp.Diff([]string{"apache2"}, abroad); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// clientsOf are the clients of the tiers that have any.
func clientsOf(t *testing.T, f fakeProc) map[string][]string {
	t.Helper()
	snap, err := NewScanner(f.root, 0).Scan(nil)
	if err != nil {
		t.Fatal(err)
	}
	clients := make(map[string][]string)
	for _, tier := range snap.Tiers {
		if len(tier.Clients) > 0 {
			clients[tier.Name] = tier.Clients
		}
	}
	return clients
}
