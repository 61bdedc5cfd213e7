// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// trie is /proc/net/fib_trie of a host with two interfaces, whose main and local tables are one.
const trie = `Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 10.0.0.0/24 2 0 2
        |-- 10.0.0.0
           /24 link UNICAST
        |-- 10.0.0.2
           /32 host LOCAL
        |-- 10.0.0.255
           /32 link BROADCAST
     +-- 127.0.0.0/8 2 0 2
        |-- 127.0.0.0
           /8 host LOCAL
        |-- 127.0.0.1
           /32 host LOCAL
        |-- 172.17.0.1
           /32 link BROADCAST
           /32 host LOCAL
Local:
  +-- 10.0.0.0/24 2 0 2
        |-- 10.0.0.2
           /32 host LOCAL
`

const interfaces6 = `00000000000000000000000000000001 01 80 10 80       lo
20010db8000000000000000000000001 02 40 00 80     eth0
fe80000000000000fcfffffffe000001 02 40 20 80     eth0
short
zz010db8000000000000000000000001 02 40 00 80     eth0
`

var addrs = cmpopts.EquateComparable(netip.Addr{})

func TestAddresses(t *testing.T) {
	got := appendInterfaces6(appendLocal(nil, []byte(trie)), []byte(interfaces6))
	want := []netip.Addr{netip.MustParseAddr("10.0.0.2"), netip.MustParseAddr("172.17.0.1"),
		netip.MustParseAddr("2001:db8::1")}
	if diff := cmp.Diff(want, got, addrs); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzAddresses(f *testing.F) {
	f.Add([]byte(trie), []byte(interfaces6))
	f.Add([]byte("|-- \n/32 host LOCAL\n/32 host LOCAL"), []byte("\n"))
	f.Fuzz(func(t *testing.T, trie, table []byte) {
		for _, a := range appendInterfaces6(appendLocal(nil, trie), table) {
			if !a.IsValid() || a.IsLoopback() {
				t.Errorf("address %s", a)
			}
		}
	})
}

// The addresses of a namespace are read again after a while, and when it is new.
func TestAddressesOfNamespaces(t *testing.T) {
	f := newFakeProc(t)
	f.add(10, fakeProcess{comm: "a", exe: "a"})
	f.write(trie, "10", "net", "fib_trie")
	f.add(20, fakeProcess{comm: "b", exe: "b", netns: 2})
	f.write(trie, "20", "net", "fib_trie")
	f.write(interfaces6, "20", "net", "if_inet6")
	f.table(nil, 10, 20)
	s := NewScanner(f.root, 999)
	want := Addresses{
		netip.MustParseAddr("10.0.0.2"): {1, 2}, netip.MustParseAddr("172.17.0.1"): {1, 2},
		netip.MustParseAddr("2001:db8::1"): {2},
	}
	if diff := cmp.Diff(want, scan(t, s).Addresses); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	f.write("", "20", "net", "if_inet6")
	for i := range refreshScans {
		got := scan(t, s).Addresses
		if _, known := got[netip.MustParseAddr("2001:db8::1")]; known != (i+1 < refreshScans) {
			t.Fatalf("scan %d: %v", i, got)
		}
	}
}
