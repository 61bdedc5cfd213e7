// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// A server that asks another one over a Unix socket is known for that as long as it runs, also when the connections are
// gone. One that it listens on itself is its own business.
func TestOverUnix(t *testing.T) {
	tcp := listenAt(t, "tcp", "127.0.0.1:0")
	dir := t.TempDir()
	theirs, own := filepath.Join(dir, "app.sock"), filepath.Join(dir, "own.sock")
	serveUnix(t, theirs)
	l, err := net.Listen("unix", own)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var connections []net.Conn
	for _, path := range []string{theirs, own} {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		connections = append(connections, c)
	}
	accepted, err := l.Accept() // the kernel shows no others
	if err != nil {
		t.Fatal(err)
	}
	connections = append(connections, accepted)
	s := NewScanner("/proc", -1)
	asked := func() []string {
		t.Helper()
		snap, err := s.Scan(nil)
		if err != nil {
			t.Fatal(err)
		}
		tier, _ := tierAt(t, snap, tcp.Addr().String())
		return tier.OverUnix
	}
	want := []string{theirs}
	var got []string
	// it may not have accepted yet
	for begun := time.Now(); time.Since(begun) < 20*time.Second && !slices.Equal(got, want); {
		got = asked()
	}
	if !slices.Equal(got, want) {
		t.Errorf("it calls %q, want %q", got, want)
	}
	for _, c := range connections {
		c.Close()
	}
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("it called %q, want %q", got, want)
	}
}

// serveUnix starts a server at a Unix socket that is not a child of another server: a program that a server has
// started is a part of that server.
func serveUnix(t *testing.T, path string) {
	t.Helper()
	line, _ := helper(t, "listen-unix", []string{"setsid", "--fork"}, func(c *exec.Cmd) {
		c.Env = append(c.Env, pathEnv+"="+path)
	})
	if line != "<nil>" {
		t.Fatal(line)
	}
	t.Cleanup(func() { // a server that has accepted no connection yet ends then
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
		}
	})
}

// If Unix sockets are measured, a server is a tier if another server calls it over one, or if a rule names it. A
// TCP server has its Unix sockets in addition to its ports.
func TestUnixServers(t *testing.T) {
	tcp := listenAt(t, "tcp", "127.0.0.1:0")
	dir := t.TempDir()
	called, named, agent := filepath.Join(dir, "app.sock"), filepath.Join(dir, "named.sock"),
		filepath.Join(dir, "agent.sock")
	own := filepath.Join(dir, "own.sock")
	for _, path := range []string{called, named, agent} {
		serveUnix(t, path)
	}
	l, err := net.Listen("unix", own)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	c, err := net.Dial("unix", called)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cfg := &config.Config{Tiers: []config.TierRule{{App: "shop", Name: "named",
		Match: []config.Match{{Socket: named}}}}}
	s := NewScanner("/proc", -1)
	s.MeasureUnix()
	at := func(snap Snapshot, path string) (Tier, Listener) {
		for _, tier := range snap.Tiers {
			for _, l := range tier.Listeners {
				if l.Path == path {
					return tier, l
				}
			}
		}
		return Tier{}, Listener{}
	}
	var snap Snapshot
	for begun := time.Now(); time.Since(begun) < 20*time.Second; { // it may not have accepted yet
		if snap, err = s.Scan(cfg); err != nil {
			t.Fatal(err)
		}
		if tier, _ := at(snap, called); tier.Name != "" {
			break
		}
	}
	here, _ := tierAt(t, snap, tcp.Addr().String())
	if len(here.OverUnix) > 0 {
		t.Errorf("not measured: %q", here.OverUnix)
	}
	tier, found := at(snap, called)
	var st unix.Stat_t
	if err := unix.Stat(called, &st); err != nil {
		t.Fatal(err)
	}
	want := Listener{Path: called, File: File{Device: unix.Major(st.Dev)<<20 | unix.Minor(st.Dev),
		Inode: uint32(st.Ino)}}
	if found != want || tier.Name == here.Name || tier.App != config.DefaultApp {
		t.Errorf("the server that is called: %+v at %+v, want %+v", tier.FullName(), found, want)
	}
	if tier, _ := at(snap, named); tier.FullName() != (TierName{"shop", "named"}) {
		t.Errorf("the server that a rule names: %v", tier.FullName())
	}
	if tier, _ := at(snap, own); tier.FullName() != here.FullName() {
		t.Errorf("the Unix socket of the server of TCP: %v", tier.FullName())
	}
	if tier, _ := at(snap, agent); tier.Name != "" {
		t.Errorf("whom nobody calls is a tier: %v", tier.FullName())
	}
}

func TestIsOfTheSystem(t *testing.T) {
	for path, want := range map[string]bool{
		"/run/systemd/journal/stdout": true, "/run/dbus/system_bus_socket": true, "/run/php/php8.2-fpm.sock": false,
		"/var/run/postgresql/.s.PGSQL.5432": false, "@app": false, "/run/docker.sock": true,
	} {
		if got := isOfTheSystem(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// The kernel's answer is bytes; whatever they are, the worst result is no connection.
func FuzzParseUnix(f *testing.F) {
	f.Add([]byte{1, 1, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 2, 0, 7, 0, 0, 0, 9, 0, 0, 0, '/', 'a', 'p',
		'p', 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if k, ok := parseUnix(b); ok && (k.path == "" || k.inode == 0) {
			t.Errorf("%+v", k)
		}
	})
}
