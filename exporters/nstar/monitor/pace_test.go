// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// listensNow makes the kernel side see a socket that begins to listen.
func (b *bench) listensNow() {
	b.probe.mu.Lock()
	defer b.probe.mu.Unlock()
	b.probe.listens++
}

// A process that listens again and again can't make the exporter scan more than its share allows. The last socket is
// found.
func TestListenLoop(t *testing.T) {
	const cost, tick, span = 10 * time.Millisecond, readInterval, time.Minute
	b := newBench(t, chain, nil, io.Discard, nil)
	var now time.Duration
	b.now = func() time.Duration { return now }
	b.scanner.during = func() { now += cost }
	for now < span {
		b.listensNow()
		if b.wantsScan() {
			if err := b.look(); err != nil {
				t.Fatal(err)
			}
		}
		now += tick
	}
	if most := int(span.Seconds() * scanShare / cost.Seconds()); b.scanner.scans() > most ||
		b.scanner.scans() < most/2 {
		t.Errorf("%d scans in %s, want up to %d", b.scanner.scans(), span, most)
	}
	b.listensNow()
	scans := b.scanner.scans()
	for range int(scanInterval / tick) {
		if now += tick; b.wantsScan() {
			if err := b.look(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if b.scanner.scans() != scans+1 {
		t.Errorf("%d scans for the last socket, want one", b.scanner.scans()-scans)
	}
	if n := b.state(t).Dropped["scan_delayed"]; n == 0 || n > uint64(b.scanner.scans()) {
		t.Errorf("%d scans are said to have waited, of %d", n, b.scanner.scans())
	}
}

// A scrape may ask for the counts while the loop postpones a scan. The race detector checks this.
func TestScrapeWhileAScanWaits(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	b.now = func() time.Duration { return 0 }
	b.pace.next = time.Hour
	b.listensNow()
	scraped := make(chan error)
	go func() {
		_, err := b.State()
		scraped <- err
	}()
	if b.wantsScan() {
		t.Error("a scan that has to wait is wanted now")
	}
	if err := <-scraped; err != nil {
		t.Error(err)
	}
}

// A scan that fails leaves everything as it was; many in a row end the exporter.
func TestFailedScans(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard, nil)
	if err := b.look(); err != nil {
		t.Fatal(err)
	}
	b.scanner.err = errors.New("too many open files")
	for range 2 {
		for range failuresBorne {
			if err := b.look(); err != nil {
				t.Fatal(err)
			}
		}
		if tiers := b.state(t).Tiers; len(tiers) != len(chain.Tiers) {
			t.Errorf("%d tiers are left", len(tiers))
		}
		b.scanner.err = nil
		if err := b.look(); err != nil {
			t.Fatal(err)
		}
		b.scanner.err = errors.New("too many open files")
	}
	if n := b.state(t).Dropped["scan_failed"]; n != 2*failuresBorne {
		t.Errorf("%d failures counted", n)
	}
	for range failuresBorne {
		_ = b.look()
	}
	if err := b.look(); !errors.Is(err, b.scanner.err) {
		t.Errorf("error %v", err)
	}
	if err := b.Run(context.Background()); !errors.Is(err, b.scanner.err) {
		t.Errorf("the loop begins with %v", err)
	}
}
