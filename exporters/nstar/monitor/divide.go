// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/applications"
)

// divide puts tiers that no rule names into an application of their own, if nothing connects them with the others.
func (m *Monitor) divide(found *discovery.Snapshot) {
	tiers := m.undivided(found.Tiers)
	names := make(map[string]bool, len(tiers))
	for i := range tiers {
		names[tiers[i].Name] = true
	}
	calls := m.callsAmong(tiers, names)
	own := m.divided.Divide(tiers, calls, m.namedApps(), m.now())
	found.Tiers = slices.Clone(found.Tiers)
	for i := range found.Tiers {
		t := &found.Tiers[i]
		if app, ok := own[t.Name]; ok && isUnnamed(*t) {
			t.App = app
		}
	}
}

// isUnnamed reports whether a tier, as it was found, has no application by a rule or as a program that monitors.
func isUnnamed(t discovery.Tier) bool { return t.App == config.DefaultApp && !t.Ruled }

// undivided are the tiers of the application that nobody named.
func (m *Monitor) undivided(found []discovery.Tier) (out []applications.Tier) {
	asked := make(map[string]bool) // Unix sockets whose calls are not measured
	for _, t := range found {
		for _, path := range t.OverUnix {
			asked[path] = true
		}
	}
	for _, t := range found {
		if t.App != config.DefaultApp {
			continue
		}
		one := applications.Tier{Name: t.Name, Fixed: t.Ruled || t.Abroad || len(t.OverUnix) > 0 || t.Works()}
		for _, l := range t.Listeners {
			one.Fixed = one.Fixed || asked[l.Path] && l.Path != ""
		}
		if n, ok := m.stations.Number(discovery.TierName{App: m.appOf(t.Name), Tier: t.Name}); ok {
			one.Requests = m.reader.Totals(n).Arrivals
		}
		out = append(out, one)
	}
	return out
}

// appOf is the present application of a tier that no rule names.
func (m *Monitor) appOf(tier string) string {
	if app, apart := m.divided.Of(tier); apart {
		return app
	}
	return config.DefaultApp
}

// callsAmong are the calls between these tiers. A tier that calls what is not on this host becomes fixed: over there,
// it may be connected with any other tier here. Where nobody listens on loopback, nothing is.
func (m *Monitor) callsAmong(tiers []applications.Tier, names map[string]bool) (out []applications.Call) {
	fixed := make(map[string]bool)
	for _, n := range m.stations.Edges() {
		e, ok := m.stations.Edge(n)
		if !ok || !names[e.From] || e.App != m.appOf(e.From) {
			continue
		}
		if at, err := netip.ParseAddrPort(e.To); err == nil {
			fixed[e.From] = fixed[e.From] || !at.Addr().IsLoopback()
			continue
		}
		app, to := e.App, e.To
		if other, tier, ok := strings.Cut(to, "/"); ok && !names[to] {
			app, to = other, tier
		}
		switch {
		case names[to] && app == m.appOf(to):
			out = append(out, applications.Call{From: e.From, To: to})
		case app != config.MonitoringApp:
			fixed[e.From] = true
		}
	}
	for i := range tiers {
		tiers[i].Fixed = tiers[i].Fixed || fixed[tiers[i].Name]
	}
	return out
}

// namedApps are the applications that rules name.
func (m *Monitor) namedApps() map[string]bool {
	named := map[string]bool{config.DefaultApp: true, config.MonitoringApp: true}
	for _, r := range m.rules() {
		named[r.App] = true
	}
	return named
}
