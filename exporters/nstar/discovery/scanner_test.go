// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

func scan(t *testing.T, s *Scanner) Snapshot {
	t.Helper()
	snap, err := s.Scan(nil)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// filesRead are the processes whose open files the last scan read.
func (s *Scanner) filesRead() []int32 {
	var pids []int32
	for pid, p := range s.procs {
		if p.read == s.scan {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// chain is a host with Apache, Tomcat, MariaDB and a shell.
func chain(t *testing.T) (fakeProc, []socket) {
	f := newFakeProc(t)
	f.add(1, fakeProcess{comm: "systemd", exe: "systemd", sockets: []uint64{80}})
	f.add(40, fakeProcess{comm: "apache2", exe: "apache2", cgroup: "0::/system.slice/apache2.service\n",
		sockets: []uint64{80}})
	f.add(41, fakeProcess{comm: "apache2", exe: "apache2", cgroup: "0::/system.slice/apache2.service\n",
		sockets: []uint64{80, 500, 501}})
	f.add(50, fakeProcess{comm: "jsvc", exe: "jsvc", cmdline: "jsvc.exec|org.apache.catalina.startup.Bootstrap",
		maps:    "7f00 r-xp /usr/lib/jvm/lib/server/libjvm.so\n",
		sockets: []uint64{8009, 502, 503}})
	f.add(60, fakeProcess{comm: "mariadbd", exe: "mariadbd", sockets: []uint64{3306, 504}})
	f.add(70, fakeProcess{comm: "bash", exe: "bash", sockets: []uint64{600}})
	f.add(99, fakeProcess{comm: "nstar_exporter", exe: "nstar_exporter", sockets: []uint64{9965}})
	f.link("99", "self")
	sockets := []socket{
		listen(80, "[::]:80"), listen(8009, "[::ffff:127.0.0.1]:8009"), listen(3306, "0.0.0.0:3306"),
		listen(9965, "[::]:9965"),
		established(500, "192.0.2.1:80", "192.0.2.9:4000"),
		established(501, "127.0.0.1:33000", "127.0.0.1:8009"), established(502, "127.0.0.1:8009", "127.0.0.1:33000"),
		established(503, "[::ffff:127.0.0.1]:33001", "[::ffff:127.0.0.1]:3306"),
		established(504, "127.0.0.1:3306", "127.0.0.1:33001"),
		established(600, "192.0.2.1:33002", "192.0.2.7:443"),
	}
	f.table(sockets, 1, 40, 41, 50, 60, 70, 99)
	return f, sockets
}

func TestScan(t *testing.T) {
	f, _ := chain(t)
	want := Snapshot{
		Tiers: []Tier{
			{App: "default", Name: "apache2", Protocol: config.Auto, Listeners: []Listener{at("[::]:80")},
				PIDs: []int32{40, 41}, Program: "httpd", Abroad: true},
			{App: "default", Name: "jsvc", Protocol: config.Auto, Listeners: []Listener{at("127.0.0.1:8009")},
				PIDs: []int32{50}, Program: "tomcat", JVM: true},
			{App: "default", Name: "mariadbd", Protocol: config.MySQL, Listeners: []Listener{at("0.0.0.0:3306")},
				PIDs: []int32{60}, Program: "mariadb"},
		},
		NetNS: 1,
		Outgoing: []Connection{
			{NetNS: 1, Local: netip.MustParseAddrPort("127.0.0.1:33000"),
				Remote: netip.MustParseAddrPort("127.0.0.1:8009"),
				PID:    41},
			{NetNS: 1, Local: netip.MustParseAddrPort("127.0.0.1:33001"),
				Remote: netip.MustParseAddrPort("127.0.0.1:3306"),
				PID:    50},
		},
	}
	s := NewScanner(f.root, 0)
	for range 2 * refreshScans {
		if diff := cmp.Diff(want, scan(t, s), compare, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Two Java virtual machines have names that say nothing; what they run tells which is which. Nothing else of their
// command lines leaves the scan.
func TestScanFindsCode(t *testing.T) {
	f := newFakeProc(t)
	f.add(40, fakeProcess{comm: "java", exe: "java", cmdline: "java|-jar|/srv/orders.jar|--token=x",
		sockets: []uint64{81}})
	f.add(50, fakeProcess{comm: "java", exe: "java", cmdline: "java|-cp|a:b|com.example.Stock", sockets: []uint64{82}})
	f.add(60, fakeProcess{comm: "redis-server", exe: "redis-server", cmdline: "redis-server|*:83",
		sockets: []uint64{83}})
	f.table([]socket{listen(81, "0.0.0.0:81"), listen(82, "0.0.0.0:82"), listen(83, "0.0.0.0:83")}, 40, 50, 60)
	got := map[string]string{}
	for _, tier := range scan(t, NewScanner(f.root, 0)).Tiers {
		got[tier.Name] = tier.Code
	}
	want := map[string]string{"java": "orders.jar", "java:82": "com.example.Stock", "redis-server": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestScanReadsOnlyWhatMayHaveChanged(t *testing.T) {
	f, sockets := chain(t)
	s := NewScanner(f.root, 99)
	all := []int32{1, 40, 41, 50, 60, 70, 99}
	step := func(what string, want []int32) Snapshot {
		t.Helper()
		// Keep the regular refresh out of the count.
		for pids := []int32{1, 40, 41, 42, 50, 60, 70, 99}; slices.ContainsFunc(pids, func(pid int32) bool {
			return (s.scan+1+uint64(pid))%refreshScans == 0
		}); {
			s.scan++
		}
		snap := scan(t, s)
		if got := s.filesRead(); !slices.Equal(got, want) {
			t.Errorf("%s: read the files of %v, want %v", what, got, want)
		}
		return snap
	}
	step("first scan", all)
	step("nothing changed", nil)

	f.add(42, fakeProcess{comm: "apache2", exe: "apache2", sockets: []uint64{80}})
	if snap := step("new worker", []int32{42}); !slices.Equal(snap.Tiers[0].PIDs, []int32{40, 41, 42}) {
		t.Errorf("tier's processes %v", snap.Tiers[0].PIDs)
	}
	f.add(42, fakeProcess{comm: "rotatelogs", exe: "rotatelogs"})
	if snap := step("program replaced", []int32{42}); !slices.Equal(snap.Tiers[0].PIDs, []int32{40, 41}) {
		t.Errorf("tier's processes %v", snap.Tiers[0].PIDs)
	}
	f.remove(42)

	sockets = append(sockets, established(505, "127.0.0.1:33005", "127.0.0.1:8009"))
	f.table(sockets, 1, 40, 41, 50, 60, 70, 99)
	f.link("socket:[505]", "40", "fd", "9")
	if snap := step("new connection", []int32{40, 41, 50, 60}); len(snap.Outgoing) != 3 {
		t.Errorf("outgoing %v", snap.Outgoing)
	}
	step("connection stays", nil)
	f.remove(41)
	if snap := step("process with a connection ended", []int32{40, 50, 60}); len(snap.Outgoing) != 2 {
		t.Errorf("outgoing %v", snap.Outgoing)
	}

	f.link("socket:[22]", "70", "fd", "9")
	f.table(append(sockets, listen(22, "0.0.0.0:22")), 1, 40, 50, 60, 70, 99)
	if snap := step("new listener", []int32{1, 40, 50, 60, 70, 99}); len(snap.Tiers) != 4 || len(snap.Outgoing) != 3 {
		t.Errorf("%d tiers, outgoing %v", len(snap.Tiers), snap.Outgoing)
	}
}

func TestScanOfManyFilesWaits(t *testing.T) {
	f := newFakeProc(t)
	many := []uint64{80}
	for i := range uint64(2*filesPerScan + 1) {
		many = append(many, 10_000+i)
	}
	f.add(50, fakeProcess{comm: "java", exe: "java", sockets: many})
	f.table([]socket{listen(80, "0.0.0.0:80")}, 50)
	s := NewScanner(f.root, 99)
	scan(t, s)
	f.table([]socket{listen(80, "0.0.0.0:80"), established(10_000, "127.0.0.1:40000", "127.0.0.1:3306")}, 50)
	var got []int
	for range 4 {
		got = append(got, len(scan(t, s).Outgoing))
	}
	if want := []int{0, 0, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("connections found scan by scan: %v, want %v", got, want)
	}
}

func TestScanOfNamespaces(t *testing.T) {
	f := newFakeProc(t)
	f.add(10, fakeProcess{comm: "nginx", exe: "nginx", sockets: []uint64{80}})
	f.add(20, fakeProcess{comm: "nginx", exe: "nginx", sockets: []uint64{180}, netns: 2})
	f.table([]socket{listen(80, "0.0.0.0:80")}, 10)
	f.table([]socket{listen(180, "0.0.0.0:80")}, 20)
	snap := scan(t, NewScanner(f.root, 99))
	var names []string
	for _, tier := range snap.Tiers {
		names = append(names, tier.Name)
	}
	if want := []string{"nginx", "nginx:80"}; !slices.Equal(names, want) {
		t.Errorf("tiers %v, want %v", names, want)
	}
}

func TestScanOfVanishing(t *testing.T) {
	f, _ := chain(t)
	// What can still be read of a process depends on when it ended.
	for i, part := range []string{"stat", "ns/net", "net/tcp", "fd", "exe", "cgroup"} {
		pid := 30 + i
		f.add(pid, fakeProcess{comm: "gone", exe: "gone"})
		if err := os.RemoveAll(filepath.Join(f.root, "3"+string(rune('0'+i)), part)); err != nil {
			t.Fatal(err)
		}
	}
	snap := scan(t, NewScanner(f.root, 99))
	if len(snap.Tiers) != 3 || snap.Problem() != nil {
		t.Errorf("%d tiers, problem %v", len(snap.Tiers), snap.Problem())
	}
	f.remove(60)
	if snap := scan(t, NewScanner(f.root, 99)); snap.Unowned != 1 || snap.Problem() != nil {
		t.Errorf("%d sockets without an owner, problem %v", snap.Unowned, snap.Problem())
	}
}

func TestScanErrors(t *testing.T) {
	for root, want := range map[string]string{
		filepath.Join(t.TempDir(), "absent"): "no such file",
		t.TempDir():                          "is not a mounted proc file system",
	} {
		if _, err := NewScanner(root, 0).Scan(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Scan of %s: %v, want %q", root, err, want)
		}
	}
}

// What to do depends on whether capabilities are missing.
func TestProblem(t *testing.T) {
	for _, tt := range []struct {
		snap Snapshot
		want string
	}{
		{Snapshot{Denied: 2, Unowned: 1}, "grant CAP_SYS_PTRACE"},
		{Snapshot{Denied: 2, Unowned: 1, Forbidden: 7}, "forbids it for process 7: the sockets of this process are " +
			"no tiers"},
		{Snapshot{Denied: 2}, ""},
		{Snapshot{Unowned: 1}, ""},
	} {
		err := tt.snap.Problem()
		if (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.snap, err)
		}
	}
}
