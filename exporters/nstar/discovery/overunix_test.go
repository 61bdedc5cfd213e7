// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net"
	"path/filepath"
	"slices"
	"testing"
)

// A server that asks another one over Unix sockets, by name and abstract, is known for that as long as it runs, also
// when the connections are gone; one whose socket it only listens on is not.
func TestOverUnix(t *testing.T) {
	tcp := listenAt(t, "tcp", "127.0.0.1:0")
	dir := t.TempDir()
	path := filepath.Join(dir, "app.sock")
	var connections []net.Conn
	for _, name := range []string{path, "@nstar-test-" + filepath.Base(filepath.Dir(dir))} {
		l, err := net.Listen("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		c, err := net.Dial("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		accepted, err := l.Accept() // the kernel tells of no others
		if err != nil {
			t.Fatal(err)
		}
		connections = append(connections, c, accepted)
	}
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
	want := []string{"@nstar-test-" + filepath.Base(filepath.Dir(dir)), path}
	slices.Sort(want)
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("it calls %q, want %q", got, want)
	}
	for _, c := range connections {
		c.Close()
	}
	if got := asked(); !slices.Equal(got, want) {
		t.Errorf("it called %q, want %q", got, want)
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

// What the kernel says is bytes; whatever they are, they end in nothing worse than no connection.
func FuzzParseUnix(f *testing.F) {
	f.Add([]byte{1, 1, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 2, 0, 7, 0, 0, 0, 9, 0, 0, 0, '/', 'a', 'p', 'p', 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, ok := parseUnix(b); ok && (c.path == "" || c.client == 0) {
			t.Errorf("%+v", c)
		}
	})
}
