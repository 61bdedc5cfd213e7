// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// fakeProc is a /proc in a temporary folder. Its namespaces have small numbers,
// which no real one has.
type fakeProc struct {
	t    *testing.T
	root string
}

// fakeProcess is a process of a fakeProc; zero fields take usual values.
type fakeProcess struct {
	comm, exe, cgroup, maps string
	cmdline                 string // its arguments, with a | between them
	netns, start            uint64
	parent                  int    // 1 if it is 0
	stack                   uint64 // 4096 if it is 0
	sockets                 []uint64
}

func newFakeProc(t *testing.T) fakeProc {
	return fakeProc{t: t, root: t.TempDir()}
}

func (f fakeProc) write(content string, path ...string) {
	f.t.Helper()
	name := filepath.Join(append([]string{f.root}, path...)...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f fakeProc) link(target string, path ...string) {
	f.t.Helper()
	name := filepath.Join(append([]string{f.root}, path...)...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Symlink(target, name); err != nil {
		f.t.Fatal(err)
	}
}

// add writes a process, in place of the one that had the pid before.
func (f fakeProc) add(pid int, p fakeProcess) {
	f.t.Helper()
	dir := strconv.Itoa(pid)
	tables := [2][]byte{}
	for i, name := range []string{"tcp", "tcp6"} {
		tables[i], _ = os.ReadFile(filepath.Join(f.root, dir, "net", name))
	}
	f.remove(pid)
	if p.netns == 0 {
		p.netns = 1
	}
	if p.start == 0 {
		p.start = uint64(pid)
	}
	p.parent, p.stack = cmp.Or(p.parent, 1), cmp.Or(p.stack, 4096)
	f.write(statLineOf(pid, p.parent, p.comm, "S", 0, p.start, p.stack), dir, "stat")
	f.write(p.cgroup, dir, "cgroup")
	f.write(p.maps, dir, "maps")
	f.write(strings.ReplaceAll(p.cmdline+"|", "|", "\x00"), dir, "cmdline")
	f.write(string(tables[0]), dir, "net", "tcp")
	f.write(string(tables[1]), dir, "net", "tcp6")
	f.link("/usr/bin/"+p.exe, dir, "exe")
	f.link(fmt.Sprintf("net:[%d]", p.netns), dir, "ns", "net")
	f.link("/dev/null", dir, "fd", "0")
	for i, inode := range p.sockets {
		f.link(fmt.Sprintf("socket:[%d]", inode), dir, "fd", strconv.Itoa(3+i))
	}
}

func (f fakeProc) remove(pid int) {
	f.t.Helper()
	if err := os.RemoveAll(filepath.Join(f.root, strconv.Itoa(pid))); err != nil {
		f.t.Fatal(err)
	}
}

// table writes the sockets that the namespaces of the given processes have.
func (f fakeProc) table(sockets []socket, pids ...int) {
	f.t.Helper()
	var b strings.Builder
	b.WriteString(heading)
	for i, s := range sockets {
		state := stateEstablished
		if s.listening {
			state = stateListen
		}
		fmt.Fprintf(&b, "%4d: %s %s %02X 00000000:00000000 00:00000000 00000000     0        0 %d 1 0 100 0 0 10 0\n",
			i, procEndpoint(s.local), procEndpoint(s.remote), state, s.inode)
	}
	for _, pid := range pids {
		f.write(b.String(), strconv.Itoa(pid), "net", "tcp6")
	}
}

// procEndpoint prints an address as a little-endian host's tcp6 does.
func procEndpoint(a netip.AddrPort) string {
	var b strings.Builder
	raw := a.Addr().As16()
	for i := 0; i < 16; i += 4 {
		fmt.Fprintf(&b, "%02X%02X%02X%02X", raw[i+3], raw[i+2], raw[i+1], raw[i])
	}
	return fmt.Sprintf("%s:%04X", b.String(), a.Port())
}

func listen(inode uint64, local string) socket {
	return socket{inode: inode, listening: true, local: netip.MustParseAddrPort(local),
		remote: netip.MustParseAddrPort("[::]:0")}
}

func established(inode uint64, local, remote string) socket {
	return socket{inode: inode, local: netip.MustParseAddrPort(local), remote: netip.MustParseAddrPort(remote)}
}
