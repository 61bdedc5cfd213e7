// SPDX-License-Identifier: Apache-2.0

package peers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"
)

// given are the exporters that the user gave, under p.mu.
type given struct {
	of      map[string][]netip.AddrPort // their addresses, by what the user gave
	at      []netip.AddrPort            // all of these
	due     time.Duration               // when their names are looked up again
	looking bool
	warned  bool
}

// CheckGiven says what is wrong with an exporter that the user gave.
func CheckGiven(at string) error {
	_, _, err := hostPort(at, 1)
	return err
}

// hostPort splits HOST or HOST:PORT.
func hostPort(at string, usual uint16) (host string, port uint16, err error) {
	if a, err := netip.ParseAddr(at); err == nil { // IPv6 has colons, too
		return a.String(), usual, nil
	}
	host, digits, err := net.SplitHostPort(at)
	if err != nil {
		host, digits = at, strconv.Itoa(int(usual))
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n == 0 || !isHost(host) {
		return "", 0, fmt.Errorf("%q is not HOST or HOST:PORT", at)
	}
	return host, uint16(n), nil
}

// isHost reports whether text may be a name or an address.
func isHost(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	odd := func(c rune) bool {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		return !letter && c != '-' && c != '.' && c != '_'
	}
	return text != "" && !slices.ContainsFunc([]rune(text), odd)
}

// lookUp finds the addresses of the exporters that the user gave, in the background: hosts come and go. The lock is
// held.
func (p *Peers) lookUp(now time.Duration) {
	if len(p.options.Given) == 0 || p.given.looking || now < p.given.due {
		return
	}
	p.given.looking = true
	go func() {
		found, err := p.addresses()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.given.looking, p.given.due = false, now+keepAsking
		if err != nil && !p.given.warned {
			p.options.Log.Warn("Other exporters can't be found; calls to their hosts may end at addresses", "err", err)
		}
		p.given.warned = err != nil
		p.given.take(found)
		if more := len(p.given.at) - givenMost; more > 0 {
			p.left += uint64(more)
			p.given.at = p.given.at[:givenMost]
		}
	}()
}

// take notes what was found. A name that can't be looked up keeps its addresses: they are nearly always right still.
func (g *given) take(found map[string][]netip.AddrPort) {
	if g.of == nil {
		g.of = make(map[string][]netip.AddrPort)
	}
	maps.Copy(g.of, found)
	g.at = g.at[:0]
	for _, at := range g.of {
		g.at = append(g.at, at...)
	}
	slices.SortFunc(g.at, netip.AddrPort.Compare)
	g.at = slices.Compact(g.at)
}

// addresses are those of all names that can be looked up, and the errors of the others.
func (p *Peers) addresses() (all map[string][]netip.AddrPort, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	all = make(map[string][]netip.AddrPort)
	for _, g := range p.options.Given {
		host, port, bad := hostPort(g, p.options.Port)
		var found []netip.Addr
		if bad == nil {
			found, bad = p.options.LookUp(ctx, host)
		}
		if bad != nil {
			err = errors.Join(err, bad)
			continue
		}
		all[g] = nil // a name may have lost all of its addresses
		for _, a := range found {
			all[g] = append(all[g], netip.AddrPortFrom(a.Unmap(), port))
		}
	}
	return all, err
}
