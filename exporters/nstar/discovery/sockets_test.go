// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sys/unix"
)

var compare = cmp.Options{
	cmpopts.EquateComparable(netip.Addr{}, netip.AddrPort{}, Listener{}),
	cmp.AllowUnexported(socket{}, identity{}, home{}),
}

const heading = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

func TestAppendSockets(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the rows below are those of a little-endian host")
	}
	addr := netip.MustParseAddrPort
	tests := []struct {
		name, table string
		want        []socket
	}{
		{"empty", "", nil},
		{"heading", heading, nil},
		{"v4", heading +
			"   0: 0100007F:4A54 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 7001 1 0 100 " +
			"0 0 10 0\n   1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000    33        0 " +
			"7002 1 0 100 0 0 10 0\n   2: 0100007F:CAFE 0200000A:0CEA 01 00000000:00000000 00:00000000 00000000     " +
			"0        0 7003 1 0 20 4 30 10 -1\n",
			[]socket{
				{inode: 7001, netns: 9, listening: true, local: addr("127.0.0.1:19028"), remote: addr("0.0.0.0:0")},
				{inode: 7002, netns: 9, listening: true, local: addr("0.0.0.0:80"), remote: addr("0.0.0.0:0")},
				{inode: 7003, netns: 9, local: addr("127.0.0.1:51966"), remote: addr("10.0.0.2:3306")},
			}},
		{"v6 and mapped v4",
			"   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 " +
				"00:00000000 00000000     0        0 1 1 0 100 0 0 10 0\n   1: B80D0120000000000000000005000000:0016 " +
				"B80D0120000000000000000006000000:C350 01 00000000:00000000 02:00000A1B 00000000     0        0 2 1 " +
				"0\n   2: 0000000000000000FFFF00000100007F:1F91 00000000000000000000000000000000:0000 0A " +
				"00000000:00000000 00:00000000 00000000     0        0 3 1 0",
			[]socket{
				{inode: 1, netns: 9, listening: true, local: addr("[::]:8080"), remote: addr("[::]:0")},
				{inode: 2, netns: 9, local: addr("[2001:db8::5]:22"), remote: addr("[2001:db8::6]:50000")},
				{inode: 3, netns: 9, listening: true, local: addr("127.0.0.1:8081"), remote: addr("[::]:0")},
			}},
		{"other states, no inode, garbage",
			"   0: 0100007F:4A54 0100007F:4A55 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0\n" +
				"   1: 0100007F:4A54 0100007F:4A55 01 00000000:00000000 03:00000000 00000000     0        0 0 3 0\n" +
				"   2: 0100007F 0100007F:4A55 01 0:0 0:0 0 0 0 5\n" +
				"   2: 0100007F:1 0100007F:FFFFF 01 0:0 0:0 0 0 0 5\n" +
				"   3: 01zz007F:1 0100007F:1 01 0:0 0:0 0 0 0 5\n" +
				"   4: 0100007F:1 01007F:1 01 0:0 0:0 0 0 0 5\n" +
				"   5: 0100007F:1 0100007F:1 01 0:0 0:0 0 0 0 x5\n" +
				"   6: 0100007F:1\n\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, appendSockets(nil, []byte(tt.table), 9), compare); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzAppendSockets(f *testing.F) {
	f.Add([]byte(heading + "   0: 0100007F:4A54 00000000:0000 0A 0:0 0:0 0 0 0 7001 1\n"))
	f.Fuzz(func(t *testing.T, table []byte) {
		for _, s := range appendSockets(nil, table, 1) {
			if s.inode == 0 || !s.local.IsValid() || !s.remote.IsValid() {
				t.Errorf("accepted %+v", s)
			}
		}
	})
}

// diagMessage builds the struct inet_diag_msg of one socket.
func diagMessage(family, state byte, inode uint32) []byte {
	b := make([]byte, diagMessageBytes)
	b[0], b[1] = family, state
	binary.BigEndian.PutUint16(b[4:], 8009)
	copy(b[8:], []byte{127, 0, 0, 1})
	if family == unix.AF_INET6 {
		copy(b[8:], []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1})
	}
	binary.NativeEndian.PutUint32(b[68:], inode)
	return b
}

func TestParseDiag(t *testing.T) {
	local := netip.MustParseAddrPort("127.0.0.1:8009")
	for name, tt := range map[string]struct {
		in   []byte
		want socket
		ok   bool
	}{
		"listening, IPv4": {diagMessage(unix.AF_INET, stateListen, 5),
			socket{inode: 5, listening: true, local: local, remote: netip.MustParseAddrPort("0.0.0.0:0")}, true},
		"established, IPv6": {diagMessage(unix.AF_INET6, stateEstablished, 6),
			socket{inode: 6, local: local, remote: netip.MustParseAddrPort("[::]:0")}, true},
		"no inode":    {in: diagMessage(unix.AF_INET, stateListen, 0)},
		"other state": {in: diagMessage(unix.AF_INET, 6, 1)},
		"cut":         {in: diagMessage(unix.AF_INET, stateListen, 5)[:40]},
		"nothing":     {},
	} {
		got, ok := parseDiag(tt.in)
		if diff := cmp.Diff(tt.want, got, compare); ok != tt.ok || ok && diff != "" {
			t.Errorf("%s: %v %s", name, ok, diff)
		}
	}
}
