// SPDX-License-Identifier: Apache-2.0

package peers

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestHostPort(t *testing.T) {
	for _, tt := range []struct {
		at, host string
		port     uint16
		wrong    bool
	}{
		{"db-1.example", "db-1.example", 9965, false},
		{"nstar.monitoring.svc:80", "nstar.monitoring.svc", 80, false},
		{"10.0.0.5", "10.0.0.5", 9965, false},
		{"10.0.0.5:1", "10.0.0.5", 1, false},
		{"fd00::1", "fd00::1", 9965, false},
		{"[fd00::1]:7", "fd00::1", 7, false},
		{"", "", 0, true},
		{":9965", "", 0, true},
		{"host:", "", 0, true},
		{"host:0", "", 0, true},
		{"host:70000", "", 0, true},
		{"http://host", "", 0, true},
		{"a b", "", 0, true},
	} {
		host, port, err := hostPort(tt.at, 9965)
		if (err != nil) != tt.wrong || host != tt.host || port != tt.port {
			t.Errorf("%q: %q %d, %v", tt.at, host, port, err)
		}
		if tt.wrong != (CheckGiven(tt.at) != nil) {
			t.Errorf("%q: %v", tt.at, CheckGiven(tt.at))
		}
	}
}

// askGiven asks once the addresses of those that were given are known.
func (p *Peers) askGiven(t *testing.T, w Wanted, now time.Duration) {
	t.Helper()
	p.askNow(t, w, now)
	for range 1000 {
		p.mu.Lock()
		looking := p.given.looking
		p.mu.Unlock()
		if !looking {
			p.askNow(t, w, now)
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("still looking")
}

// An exporter that the user gave names whatever is reached through its host, also if no address of it is called.
func TestGiven(t *testing.T) {
	n := &network{answers: map[string]any{
		"192.0.2.7:9965": answerOf("there", "shop", "cart", "0.0.0.0:8080", "10.1.7.3:8080", "10.96.0.1:80"),
		"192.0.2.8:9965": answerOf("other", "shop", "front", "0.0.0.0:8080", "10.1.8.3:8080"),
		"10.0.0.5:70":    answerOf("further", "shop", "db", "0.0.0.0:3306", "10.0.0.5:3306"),
	}}
	var log bytes.Buffer
	hosts := map[string][]string{"nstar.monitoring.svc": {"192.0.2.7", "192.0.2.8"}, "10.0.0.5": {"10.0.0.5"}}
	p := New(Options{Client: &http.Client{Transport: n}, Scheme: "http", Port: 9965, Boot: "here",
		Given: []string{"nstar.monitoring.svc", "10.0.0.5:70"},
		LookUp: func(_ context.Context, host string) (all []netip.Addr, err error) {
			for _, a := range hosts[host] {
				all = append(all, netip.MustParseAddr(a))
			}
			if all == nil {
				err = errors.New("no such host")
			}
			return all, err
		}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	p.askGiven(t, Wanted{}, time.Second)
	want := map[netip.AddrPort][]Name{
		addrPort("10.1.7.3:8080"): {name("shop", "cart")}, addrPort("10.96.0.1:80"): {name("shop", "cart")},
		addrPort("10.1.8.3:8080"): {name("shop", "front")},
		addrPort("10.0.0.5:3306"): {name("shop", "db")},
	}
	if diff := cmp.Diff(want, p.Names().There, equal); diff != "" {
		t.Error(diff)
	}
	if n.asked.Load() != 3 {
		t.Errorf("asked %d times", n.asked.Load())
	}

	// A name that can't be looked up any more keeps its addresses, and is complained of once.
	delete(hosts, "nstar.monitoring.svc")
	for minute := range 3 {
		p.askGiven(t, Wanted{}, time.Duration(minute+2)*time.Minute)
	}
	if diff := cmp.Diff(want, p.Names().There, equal); diff != "" {
		t.Error(diff)
	}
	if strings.Count(log.String(), "can't be found") != 1 {
		t.Error(log.String())
	}
	if !slices.Contains(p.given.at, addrPort("192.0.2.7:9965")) {
		t.Error(p.given.at)
	}

	// Addresses that the name does not have any more are not asked.
	hosts["nstar.monitoring.svc"] = []string{"192.0.2.9"}
	p.askGiven(t, Wanted{}, 5*time.Minute)
	if want := []netip.AddrPort{addrPort("10.0.0.5:70"), addrPort("192.0.2.9:9965")}; !slices.Equal(p.given.at, want) {
		t.Errorf("%v, want %v", p.given.at, want)
	}
}

// While a destination has no name those that were given are asked every ten seconds, wherever it is.
func TestGivenAreAskedForNames(t *testing.T) {
	n := &network{answers: map[string]any{"192.0.2.7:9965": answerOf("there", "shop", "db", "0.0.0.0:3306",
		"198.51.100.5:3306")}}
	p := New(Options{Client: &http.Client{Transport: n}, Scheme: "http", Port: 9965, Given: []string{"192.0.2.7"},
		Log: slog.New(slog.DiscardHandler)})
	for _, tt := range []struct {
		wanted Wanted
		from   int
		asked  int64
	}{{Wanted{There: []netip.Addr{netip.MustParseAddr("198.51.100.5")}}, 60, 6}, {Wanted{}, 180, 1}} {
		p.askGiven(t, tt.wanted, time.Duration(tt.from)*time.Second)
		before := n.asked.Load()
		for i := range 12 {
			p.askGiven(t, tt.wanted, time.Duration(tt.from+5*(i+1))*time.Second)
		}
		if got := n.asked.Load() - before; got != tt.asked {
			t.Errorf("%+v: asked %d times in a minute, want %d", tt.wanted, got, tt.asked)
		}
	}
}
