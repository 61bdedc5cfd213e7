// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const (
	width  = 50 * time.Millisecond
	settle = 500 * time.Millisecond
)

// reader runs the exporter's kernel side and settling a second time, in this process, because /windows has no
// arrivals per window.
type reader struct {
	probe    *probe.Probe
	offset   *clock.Offset
	settler  *window.Settler
	stations []window.Station
	stop     chan struct{}
	done     sync.WaitGroup
	windows  map[window.Station]map[int64]window.Window
}

// newReader measures the given ports, each as a tier of its own in the order given.
func newReader(targets []target) (*reader, error) {
	offset := clock.NewOffset(clock.Now())
	p, err := probe.Open(probe.Options{Window: width, Settle: settle, MaxTiers: 8, MaxEdges: 8, Clock: offset.Value()})
	if err != nil {
		return nil, err
	}
	ns, err := os.Stat("/proc/self/ns/net")
	if err != nil {
		return nil, err
	}
	r := &reader{
		probe: p, offset: offset, stop: make(chan struct{}),
		settler: window.NewSettler(width, settle, p.Ring(), clock.Monotonic()+offset.Value()),
		windows: make(map[window.Station]map[int64]window.Window),
	}
	var tables probe.Tables
	for i, t := range targets {
		s := window.Station(i)
		r.stations = append(r.stations, s)
		r.windows[s] = make(map[int64]window.Window)
		for _, addr := range []string{"127.0.0.1", "0.0.0.0", "::"} {
			tables.Listeners = append(tables.Listeners, probe.Listener{
				NetNS: uint32(ns.Sys().(*syscall.Stat_t).Ino), Addr: netip.MustParseAddr(addr), Port: uint16(t.port),
				Station: s,
			})
		}
	}
	if err := p.SetTables(tables); err != nil {
		p.Close()
		return nil, err
	}
	r.done.Add(1)
	go r.loop()
	return r, nil
}

func (r *reader) loop() {
	defer r.done.Done()
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.stop:
			return
		case <-tick.C:
		}
		wall, now := clock.Now()
		r.offset.Follow(wall, now)
		_ = r.probe.SetClock(r.offset.Value()) // can only fail once the probe is closed
		r.settler.Settle(now+r.offset.Value(), r.stations, r.probe.Sums, func(w window.Window) {
			r.windows[w.Station][w.Index] = w
		})
	}
}

// finish ends the measurement; the windows may be read afterwards.
func (r *reader) finish() {
	close(r.stop)
	r.done.Wait()
	r.probe.Close()
}
