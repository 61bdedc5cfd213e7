// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A server that asks another one over a Unix socket is known for that as long as it runs, also when the connections are
// gone. One that it listens on itself is its own business.
func TestOverUnix(t *testing.T) {
	tcp := listenAt(t, "tcp", "127.0.0.1:0")
	dir := t.TempDir()
	theirs, own := filepath.Join(dir, "app.sock"), filepath.Join(dir, "own.sock")
	nobodys := []string{"setsid", "--fork"} // what a server has started is a part of it
	if line, _ := helper(t, "listen-unix", nobodys, func(c *exec.Cmd) { c.Env = append(c.Env, pathEnv+"="+theirs) }); line != "<nil>" {
		t.Fatal(line)
	}
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
	accepted, err := l.Accept() // the kernel tells of no others
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
	for begun := time.Now(); time.Since(begun) < 20*time.Second && !slices.Equal(got, want); { // it may not have accepted yet
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
		if k, ok := parseUnix(b); ok && (k.path == "" || k.inode == 0) {
			t.Errorf("%+v", k)
		}
	})
}
