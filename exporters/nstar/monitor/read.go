// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/load"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// read takes the windows that have settled.
func (m *Monitor) read() {
	m.mu.Lock()
	defer m.mu.Unlock()
	wall, now := clock.Now()
	offset := m.reader.FollowClock(wall, now)
	if m.causes != nil {
		if err := m.causes.SetClock(offset); err != nil {
			m.options.Log.Warn("The window clock of the causes can't be set", "err", err)
		}
	}
	m.stations.Refresh(m.now())
	m.reader.Read(now, m.stations.Measured(), func(together []window.Window) {
		m.stations.Use(together, now)
		m.take(together)
	})
	m.recorder.Flush()
}

// take makes a batch of samples from the windows of one time, and judges them.
func (m *Monitor) take(windows []window.Window) {
	first := slices.IndexFunc(windows, func(w window.Window) bool { return !m.stations.IsTier(w.Station) })
	if first < 0 { // edges come after the tiers
		first = len(windows)
	}
	edges := m.called(windows[first:])
	defer m.recorder.Taken(windows[0])
	if windows[0].Merged > 0 {
		m.skip(windows[:first])
		return
	}
	m.settled++
	batch := samples.Batch{End: windows[0].End(m.options.Window)}
	calls := judging.Calls(edges, m.options.Window)
	for _, w := range windows[:first] {
		name, _ := m.stations.Tier(w.Station)
		m.sample(&batch, w, calls[name])
	}
	for _, w := range windows[first:] {
		m.sampleEdge(&batch, w)
	}
	m.buffer.Add(batch)
}

// called translates the windows of edges into edges with names.
func (m *Monitor) called(windows []window.Window) (out []judging.Edge) {
	for _, w := range windows {
		if name, ok := m.stations.Edge(w.Station); ok {
			e := judging.Edge{Caller: discovery.TierName{App: name.App, Tier: name.From}, To: name.To, Window: w}
			m.recorder.Edge(e)
			out = append(out, e)
		}
	}
	return out
}

// skip leaves out windows that can't be told apart.
func (m *Monitor) skip(tiers []window.Window) {
	m.judges.Skip()
	for _, w := range tiers {
		if arrivals, _ := m.reader.Seen(w.Station); arrivals > 0 {
			name, _ := m.stations.Tier(w.Station)
			m.recorder.Tier(name, 0, judging.Heard{Window: w, GC: math.NaN()})
		}
	}
}

// checkDrift corrects carried counts that do not agree with the sockets.
func (m *Monitor) checkDrift() {
	m.mu.Lock()
	defer m.mu.Unlock()
	corrections, err := m.reader.CheckDrift(m.stations.Present())
	if err != nil {
		m.options.Log.Warn("No drift check", "err", err)
	}
	for _, c := range corrections {
		m.options.Log.Warn("A carried count did not agree with the sockets; it is corrected",
			"what", m.describe(c.Station, c.Connections), "by", c.By)
	}
}

// describe says for the log what is counted.
func (m *Monitor) describe(n window.Station, connections bool) string {
	if name, ok := m.stations.Tier(n); ok {
		if connections {
			return fmt.Sprintf("connections to %s/%s", name.App, name.Tier)
		}
		return fmt.Sprintf("queue of %s/%s", name.App, name.Tier)
	}
	edge, _ := m.stations.Edge(n)
	if connections {
		return fmt.Sprintf("connections from %s/%s to %s", edge.App, edge.From, edge.To)
	}
	return fmt.Sprintf("calls from %s/%s to %s", edge.App, edge.From, edge.To)
}

// readLoads tells the judges how busy the tiers' processors were since the last time.
func (m *Monitor) readLoads() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.takers, m.hidden = m.findTakers(), m.findHidden()
	takers := m.takers
	from := m.loads.Read(now, func(name discovery.TierName) load.Wanted {
		j := m.judges.Find(name)
		return load.Wanted{Load: takers[name] || j != nil, Thread: takers[name] || j != nil && j.AsksForThread()}
	}, m.scheduled)
	told := make(map[discovery.TierName]judgement.Load)
	for name, t := range m.judges.All() {
		l := m.loads.Of(name)
		l.From, l.To = m.index(from), m.index(now)
		t.SetLoad(l)
		told[name] = l
	}
	for name := range takers {
		if _, judged := told[name]; !judged {
			told[name] = m.loads.Of(name)
		}
	}
	m.recorder.Loads(told)
}

// index of the window in which a time lies.
func (m *Monitor) index(at time.Duration) int64 {
	return int64((at + m.reader.Offset()) / m.options.Window)
}

// findTakers finds the tiers that fetch their work from other tiers, with requests that wait for more work.
func (m *Monitor) findTakers() map[discovery.TierName]bool {
	takers := make(map[discovery.TierName]bool)
	for _, n := range m.stations.Edges() {
		if e, ok := m.stations.Edge(n); ok && m.reader.Totals(n).Takes() {
			takers[discovery.TierName{App: e.App, Tier: e.From}] = true
		}
	}
	return takers
}

// scheduled is what the scheduler's program knows of a tier.
func (m *Monitor) scheduled(name discovery.TierName) (w load.Work, ok bool) {
	if m.causes == nil {
		return w, false
	}
	if w.Station, ok = m.stations.Number(name); !ok {
		return w, false
	}
	w.Ran, w.Waited, ok = m.causes.Total(w.Station)
	return w, ok
}

// readAnswers tells the judges how long the requests took that were answered since the last time.
func (m *Monitor) readAnswers() {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	told := make(map[discovery.TierName]judgement.Answers)
	for name, t := range m.judges.All() {
		if n, ok := m.stations.Number(name); ok {
			if a, ok := t.Answered(now, m.reader.Residences(n)); ok {
				a.To = m.index(now)
				t.SetAnswers(a)
				told[name] = a
			}
		}
	}
	m.recorder.Answers(told)
}

// readMixes learns how long requests of each kind take.
func (m *Monitor) readMixes() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mixes.Read()
}
