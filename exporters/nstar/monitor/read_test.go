// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/stations"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func listener(ns uint32, at string) discovery.Listener {
	a := netip.MustParseAddrPort(at)
	return discovery.Listener{NetNS: ns, Addr: a.Addr(), Port: a.Port()}
}

// chain is a web tier that calls a database on two addresses, and a tier without requests.
var chain = discovery.Snapshot{Tiers: []discovery.Tier{
	{App: "shop", Name: "web", Listeners: []discovery.Listener{listener(1, "0.0.0.0:80")}, PIDs: []int32{10}},
	{App: "shop", Name: "db", Listeners: []discovery.Listener{listener(1, "[::]:3306")}, PIDs: []int32{20}},
	{App: "default", Name: "idle", Listeners: []discovery.Listener{listener(1, "0.0.0.0:1")}, PIDs: []int32{30}},
}}

var chainEdges = []probe.Edge{
	{Station: 3, From: 0, NetNS: 1, To: netip.MustParseAddrPort("127.0.0.1:3306")},
	{Station: 4, From: 0, NetNS: 1, To: netip.MustParseAddrPort("[::1]:3306")},
	{Station: 5, From: 0, NetNS: 1, To: netip.MustParseAddrPort("203.0.113.9:443")},
}

const one = int64(width) // the integral of a queue of 1 over a window

func TestReadToSamples(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.probe.edges = chainEdges
	at := b.probe.current() + 1
	// two requests for the whole window, of which one is answered in the middle of the next
	b.probe.book(0, at, window.Sums{Arrivals: 2, Net: 2, Area: 2 * one, Opened: 4, OpenArea: 3 * one})
	b.probe.book(0, at+1, window.Sums{Completions: 1, Net: -1, Area: -one / 2, Residence: one * 3 / 2})
	for s := range window.Station(3) {
		b.probe.book(3+s, at, window.Sums{Arrivals: 1, Net: 1, Area: one / 2})
	}
	time.Sleep(settle + window.Margin + 4*width)
	b.read()
	nan := math.NaN()
	edge := func(n, calls float64) []samples.Edge {
		return []samples.Edge{{App: "shop", From: "web", To: "db", Outstanding: n, Calls: calls, Gap: nan}}
	}
	web := samples.Tier{App: "shop", Tier: "web", GC: nan}
	first, second, third := web, web, web
	first.Queue, first.Residence = 2, nan
	first.Connections, second.Connections, third.Connections = 3, 4, 4
	first.Own, second.Own = 0.5, 0 // one half of a call to each of the three destinations, then a whole one
	second.Queue, second.Throughput, second.Residence = 1.5, 100, 0.015
	third.Queue, third.Residence = 1, nan
	want := []samples.Batch{
		{End: time.Duration(at+1) * width, Tiers: []samples.Tier{first}, Edges: edge(1, 200)},
		{End: time.Duration(at+2) * width, Tiers: []samples.Tier{second}, Edges: edge(2, 0)},
		{End: time.Duration(at+3) * width, Tiers: []samples.Tier{third}, Edges: edge(2, 0)},
	}
	got := b.buffer.Since(time.Duration(at) * width)
	if diff := cmp.Diff(want, got[:min(len(got), 3)], cmpopts.EquateNaNs(),
		cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestState(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.probe.edges = chainEdges
	b.probe.drops[1] = 7
	b.probe.residences[2] = 3
	at := b.probe.current() + 1
	b.probe.book(0, at, window.Sums{Arrivals: 2, Completions: 2, Area: one, Residence: one})
	b.probe.book(3, at, window.Sums{Arrivals: 1, Completions: 1, Area: one / 2, Residence: one / 2})
	b.probe.book(4, at, window.Sums{Arrivals: 2, Net: 2})
	time.Sleep(settle + window.Margin + 2*width)
	b.read()
	s := b.state(t)
	if len(s.Tiers) != 3 || s.Tiers[0].TierName != (discovery.TierName{App: "shop", Tier: "web"}) ||
		s.Tiers[2].Residences.Counts[100] != 3 {
		t.Errorf("tiers %+v", s.Tiers)
	}
	if got := s.Tiers[0].Totals; got.Arrivals != 2 || got.QueueTime != one || got.Load[window.Bin(1)].Completions != 2 {
		t.Errorf("totals of web: %+v", got)
	}
	var edges []Edge
	for _, e := range s.Edges {
		e.Totals = window.Totals{Arrivals: e.Totals.Arrivals, Residence: e.Totals.Residence}
		edges = append(edges, e)
	}
	nan := math.NaN()
	want := []Edge{
		{
			EdgeName: stations.EdgeName{App: "shop", From: "web", To: "db"},
			Totals:   window.Totals{Arrivals: 3, Residence: one / 2}, Outstanding: 2, Limit: nan, WithCalls: nan,
		},
		{EdgeName: stations.EdgeName{App: "shop", From: "web", To: "203.0.113.9:443"}, Limit: nan, WithCalls: nan},
	}
	if diff := cmp.Diff(want, edges, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	dropped := map[string]uint64{
		"drift": 0, "late_window": 0, "clock_set": 0, "tier_limit": 0, "socket_tables": 0, "program_missed": 2,
		"scan_delayed": 0, "scan_failed": 0, "jvm_limit": 0, "pair_limit": 0, "peer_limit": 0,
		"socket_storage": 0, "edge_limit": 7, "multiplexed_protocol": 0, "stream_table": 0, "unix_large_write": 0,
	}
	if diff := cmp.Diff(dropped, s.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if s.Settled < 1 {
		t.Errorf("%d windows settled", s.Settled)
	}
	s.Tiers[0].Totals.Load[window.Bin(1)] = window.Load{}
	if b.state(t).Tiers[0].Totals.Load[window.Bin(1)].Windows != 1 {
		t.Error("the state shares its maps with the loop")
	}
}

func TestStateFails(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	b.probe.err = errors.New("gone")
	if _, err := b.State(); !errors.Is(err, b.probe.err) {
		t.Errorf("error %v", err)
	}
}

// Windows around a clock step are counted, and not handed out as samples.
func TestClockSet(t *testing.T) {
	b := newBenchAt(t, -2*time.Second, chain, nil, io.Discard, nil)
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.probe.book(0, b.probe.current(), window.Sums{Arrivals: 1, Net: 1})
	set := clock.Wall() // the first read finds the clock two seconds behind this
	b.read()
	if got := b.state(t).Tiers[0].Totals; got.Arrivals != 1 {
		t.Errorf("%d arrivals, want 1", got.Arrivals)
	}
	time.Sleep(settle + window.Margin + 10*width)
	b.read()
	s := b.state(t)
	if s.Dropped["late_window"] == 0 {
		t.Error("no window was lost")
	}
	if b.probe.offset < clock.NewOffset(clock.Now()).Value()-time.Second {
		t.Error("the kernel side's clock was not set")
	}
	for _, batch := range b.buffer.Since(0) {
		if batch.End < set {
			t.Errorf("a window ends at %s, before the clock was set", batch.End)
		}
		if len(batch.Tiers) != 1 || batch.Tiers[0].Queue != 1 {
			t.Errorf("window %+v, want a queue of 1", batch)
		}
	}
}

// What the judges are told is recorded.
func TestRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recording")
	b := newBench(t, chain, nil, io.Discard, nil)
	recorder, err := recording.Create(path, 1<<20, width, b.options.Log)
	if err != nil {
		t.Fatal(err)
	}
	b.recorder = recorder
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.probe.edges = chainEdges
	at := b.probe.current() + 1
	b.probe.book(0, at, window.Sums{Arrivals: 2, Net: 2, Area: 2 * one, Opened: 4, OpenArea: 3 * one})
	b.probe.book(3, at, window.Sums{Arrivals: 1, Net: 1, Area: one / 2})
	time.Sleep(settle + window.Margin + 4*width)
	b.read()
	b.endRecording()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found, tiers, edges int
	for line := range strings.Lines(string(text)) {
		var l recording.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		found += len(l.Found)
		if w := l.Windows; w != nil && w.Index == at {
			tiers, edges = len(w.Tiers), len(w.Edges)
			if len(w.Tiers) != 1 || w.Tiers[0].Tier != "web" || w.Tiers[0].QueueTime != 2*one ||
				w.Tiers[0].ConnectionTime != 3*one {
				t.Errorf("%s", line)
			}
		}
	}
	if found != 3 || tiers != 1 || edges != len(chainEdges) {
		t.Errorf("%d tiers found, %d windows of tiers and %d of edges:\n%s", found, tiers, edges, text)
	}
}
