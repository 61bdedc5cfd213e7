// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// namespace is a network namespace that is joined to the host's by a pair of virtual devices.
type namespace struct {
	t             *testing.T
	name          string
	host, address string // of the two ends
}

func newNamespace(t *testing.T) *namespace {
	t.Helper()
	n := &namespace{t: t, name: fmt.Sprintf("nstar%d", os.Getpid()), host: "198.18.77.1", address: "198.18.77.2"}
	device := fmt.Sprintf("ns%dh", os.Getpid())
	n.ip("netns", "add", n.name)
	t.Cleanup(func() {
		exec.Command("ip", "link", "del", device).Run() // the peer goes with it
		n.ip("netns", "del", n.name)
	})
	n.ip("-n", n.name, "link", "set", "lo", "up")
	n.ip("link", "add", device, "type", "veth", "peer", "name", "inside", "netns", n.name)
	n.ip("addr", "add", n.host+"/30", "dev", device)
	n.ip("link", "set", device, "up")
	n.ip("-n", n.name, "addr", "add", n.address+"/30", "dev", "inside")
	n.ip("-n", n.name, "link", "set", "inside", "up")
	return n
}

func (n *namespace) ip(args ...string) {
	n.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		n.t.Skipf("network namespaces can't be made here: ip %s: %s", strings.Join(args, " "), out)
	}
}

// do runs f on a thread inside the namespace.
func (n *namespace) do(f func()) {
	n.t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		fd, err := unix.Open("/var/run/netns/"+n.name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			defer unix.Close(fd)
			if err = unix.Setns(fd, unix.CLONE_NEWNET); err == nil {
				f()
			}
		}
		done <- err
	}()
	if err := <-done; err != nil {
		n.t.Fatal(err)
	}
}

// Two servers with the same address and port in two namespaces are two tiers.
func TestNamespaces(t *testing.T) {
	b := newBench(t, Options{Settle: 500e6})
	n := newNamespace(t)
	outside := listen(t, "tcp", "0.0.0.0:0")
	serve(t, outside, hello)
	at := addrPort(outside.Addr())
	large := strings.Repeat("x", 4<<20)
	tables := b.tables(outside)
	var local *client
	n.do(func() {
		inside := listen(t, "tcp", fmt.Sprintf("0.0.0.0:%d", at.Port()))
		serve(t, inside, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, large) })
		tables.Listeners = append(tables.Listeners,
			Listener{NetNS: netNS(t), Addr: at.Addr(), Port: at.Port(), Station: 1})
		local = dial(t, fmt.Sprintf("127.0.0.1:%d", at.Port()))
	})
	if tables.Listeners[0].NetNS == tables.Listeners[1].NetNS {
		t.Fatal("the namespaces have the same number")
	}
	b.set(tables)
	dial(t, fmt.Sprintf("127.0.0.1:%d", at.Port())).turns(20)
	local.turns(3)
	across := dial(t, net.JoinHostPort(n.address, fmt.Sprint(at.Port())))
	across.turns(4)
	b.settle()
	for station, want := range map[window.Station]uint64{0: 20, 1: 7} {
		b.expect(station, counts{Arrivals: want, Completions: want})
	}
}
