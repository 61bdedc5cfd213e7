// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// half always reports one half, except for tier 7.
type half struct {
	*shared
	polled *int
}

func (h half) Share(tier window.Station, _ Window) float64 {
	if tier == 7 {
		return math.NaN()
	}
	return 0.5
}

func (h half) Poll(time.Duration) {
	*h.polled++
	h.moved = *h.polled == 2
}

// with runs a test with other collectors instead of the real ones.
func with(t *testing.T, other ...kind) {
	t.Helper()
	before := kinds
	t.Cleanup(func() { kinds = before })
	kinds = nil
	for _, k := range other {
		register(k.name, k.help, k.open)
	}
}

// A collector that can't run says so in one line, and the others go on. A collector that is switched off is not even
// opened.
func TestOpen(t *testing.T) {
	polled := 0
	with(t,
		kind{"works", "It works.", func(s *shared) (Collector, error) { return half{s, &polled}, nil }},
		kind{"fails", "It fails.", func(*shared) (Collector, error) { return nil, errors.New("the kernel lacks it") }},
		kind{"off", "It is off.", func(*shared) (Collector, error) { t.Error("opened"); return nil, nil }},
	)
	var log bytes.Buffer
	off := map[string]bool{"off": true}
	for _, p := range Places() { // they need the kernel
		off[p.Name] = true
	}
	s := Open(Options{Off: off, Log: slog.New(slog.NewTextHandler(&log, nil)), ProcRoot: t.TempDir()})
	if strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(),
		"nstar_window_fails_ratio") || !strings.Contains(log.String(), "the kernel lacks it") {
		t.Errorf("log:\n%s", &log)
	}
	if up := s.Up(); len(up) != 2 || !up["works"] || up["fails"] {
		t.Errorf("up %v", up)
	}
	if got := s.Account(Tier{Station: 1}, Window{}).Shares; len(got) != 1 ||
		got[0] != (Share{"works", "It works.", 0.5}) {
		t.Errorf("shares %v", got)
	}
	if got := s.Account(Tier{Station: 7}, Window{}).Shares; got != nil {
		t.Errorf("shares %v of what is not known", got)
	}
	for i, want := range []bool{false, true, false} {
		if got := s.Poll(0, true); got != want || polled != i+1 || !s.shared.calm {
			t.Errorf("poll %d, the collector's %d: moved %v, want %v", i, polled, got, want)
		}
	}
	if s.Host().Costs != nil || s.Dropped() != nil || follows(s) || s.SetClock(1) != nil ||
		s.Follow([]Tier{{}}) != nil {
		t.Error("without the scheduler's program")
	}
	if s.Account(Tier{}, Window{}).Work != nil {
		t.Error("without the scheduler's program there is nothing to tell")
	}
	s.Look(Tier{}, 0)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A tier's processes are those that serve, and those that these have started.
func TestProcesses(t *testing.T) {
	got := processes([]Tier{{Station: 3, PIDs: []int32{10, 11}, Started: []int32{12}}, {Station: 4, PIDs: []int32{20}}})
	if want := map[uint32]window.Station{10: 3, 11: 3, 12: 3, 20: 4}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func follows(s *Set) bool {
	_, _, ok := s.Total(0)
	return ok
}

// Names become parts of metrics and of flags.
func TestKinds(t *testing.T) {
	for i, k := range Kinds() {
		if strings.Trim(k.Name, "abcdefghijklmnopqrstuvwxyz_") != "" || !strings.HasSuffix(k.Help, ".") {
			t.Errorf("%q: %q", k.Name, k.Help)
		}
		if i > 0 && Kinds()[i-1].Name >= k.Name {
			t.Errorf("%q after %q", k.Name, Kinds()[i-1].Name)
		}
	}
}
