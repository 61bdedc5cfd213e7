// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"net"
	"net/netip"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// An edge takes the protocol that the tables give its destination, also if they come after the connection.
func TestEdgeTakesProtocol(t *testing.T) {
	const mark = 3 // COM_QUERY behind a header of its own: no parser but the configured one takes it for nothing
	unanswered := []byte{9, 0, 0, mark, 0xff}
	for name, tables := range map[string]func(b *bench, l net.Listener) Tables{
		"a tier of this host": func(b *bench, l net.Listener) Tables {
			t := b.tables(l)
			t.Listeners[0].Protocol = config.MySQL.Number()
			return t
		},
		"a named remote": func(_ *bench, l net.Listener) Tables {
			return Tables{Remotes: []Remote{{Address: addrPort(l.Addr()), Protocol: config.MySQL.Number()}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newLonelyBench(t, Options{})
			l := listen(t, "tcp", "127.0.0.1:0")
			b.set(b.fromHere(Tables{Remotes: []Remote{{Address: netip.MustParseAddrPort("192.0.2.1:1")}}}))
			early := dial(t, l.Addr().String())
			b.set(b.fromHere(tables(b, l)))
			late := dial(t, l.Addr().String())
			for _, c := range []*client{early, late} {
				if _, err := c.Conn.Write(unanswered); err != nil {
					t.Fatal(err)
				}
			}
			edge := b.edgeTo(l)
			b.expect(edge, counts{})
			b.expectNow(edge, 0, 2)
			b.set(b.fromHere(Tables{}))
			if _, err := early.Conn.Write(unanswered); err != nil { // has shown nothing, and nothing is known any more
				t.Fatal(err)
			}
			if got := b.edgeState(edge).Given; got != uint8(config.Auto.Number()) {
				t.Errorf("the protocol %d is still given", got)
			}
		})
	}
}

func (b *bench) edgeState(edge window.Station) (s bpf.NstarEdgeState) {
	b.t.Helper()
	if err := b.objects.EdgeStates.Lookup(uint32(edge)-uint32(b.options.MaxTiers), &s); err != nil {
		b.t.Fatal(err)
	}
	return s
}
