// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"fmt"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/load"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/stations"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/programs"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// scan looks for tiers and refreshes the kernel's tables.
func (m *Monitor) scan() error {
	m.listens = m.probe.Listens()
	found, err := m.scanner.Scan(m.config)
	if err != nil {
		return fmt.Errorf("looking for listening sockets: %w", err)
	}
	if problem := found.Problem(); problem != nil && !m.warned {
		m.warned = true
		m.options.Log.Warn("Some tiers may be missing", "err", problem)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.divide(&found)
	m.forget(m.stations.Retire(found, now))
	m.begin(m.stations.Admit(found, len(m.rules()), now))
	m.mixes.Follow(m.rules(), m.stations.Number)
	m.forget(stations.Gone{Edges: m.stations.Tell(found, m.remotes(), m.options.Peers.Names())})
	m.options.Peers.Ask(m.stations.Wanted(found), now)
	m.tells = peers.Answer{Boot: m.options.Boot, Tiers: m.stations.Answer(found)}
	if !m.options.NoCollections {
		m.collections.Follow(found, now)
	}
	facts := m.facts(found)
	m.judges.Tell(facts)
	m.recorder.Found(facts)
	m.loads.Follow(found)
	m.followCauses(found)
	m.found = make(map[discovery.TierName]discovery.Tier)
	for _, t := range found.Tiers {
		m.found[t.FullName()] = t
	}
	return nil
}

// facts are what is known of the tiers besides their windows. Processors are only read for tiers that have a judge.
func (m *Monitor) facts(found discovery.Snapshot) (out []judging.Fact) {
	for _, t := range found.Tiers {
		name := t.FullName()
		if _, ok := m.stations.Number(name); !ok {
			continue
		}
		f := judging.Fact{
			App: name.App, Tier: name.Tier, Unseen: len(t.OverUnix) > 0, Tells: true, Works: t.Works(),
			Apart: programs.Apart(t.Program), Program: t.Program,
		}
		if m.judges.Find(name) != nil {
			f.Processors = load.Processors(t.PIDs)
		}
		for _, rule := range m.rules() {
			if rule.App == name.App && rule.Name == name.Tier {
				f.BaseResidence, f.SaturationPoint = rule.BaseResidence.Seconds(), rule.SaturationPoint
			}
		}
		out = append(out, f)
	}
	return out
}

// forget drops what is known of stations that are gone.
func (m *Monitor) forget(gone stations.Gone) {
	var edges []recording.EdgeName
	for _, name := range gone.Tiers {
		m.judges.Retire(name)
		m.why.Retire(name)
	}
	for _, e := range gone.Edges {
		m.judges.Forget(discovery.TierName{App: e.App, Tier: e.From}, e.To)
		edges = append(edges, recording.EdgeName(e))
	}
	m.recorder.Gone(gone.Tiers, edges)
	for _, n := range gone.Numbers {
		m.reader.Forget(n)
		m.mixes.Forget(n)
	}
}

// begin starts the counting for new tiers.
func (m *Monitor) begin(tiers []window.Station) {
	for _, n := range tiers {
		m.reader.BeginTier(n)
		m.mixes.Begin(n)
		name, _ := m.stations.Tier(n)
		m.options.Log.Info("New tier", "app", name.App, "tier", name.Tier)
	}
}

// rules are the tier rules of the configuration file.
func (m *Monitor) rules() []config.TierRule {
	if m.config == nil {
		return nil
	}
	return m.config.Tiers
}

// remotes are those that the configuration file names.
func (m *Monitor) remotes() []config.Remote {
	if m.config == nil {
		return nil
	}
	return m.config.Remotes
}
