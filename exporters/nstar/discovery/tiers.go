// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// A draft is a tier in the making.
type draft struct {
	app, name string
	protocol  config.Protocol
	named     bool     // by a rule, which no suffix may change
	leader    *process // the oldest; nil if a rule named it
	serves    []serving
}

// tiers applies the rules to the groups: a listener that a rule matches belongs
// to the rule's tier, others to the tier of their group.
func tiers(groups []group, cfg *config.Config, n *names) []Tier {
	if cfg == nil {
		cfg = &config.Config{}
	}
	ruled := make([]draft, len(cfg.Tiers))
	for i, r := range cfg.Tiers {
		ruled[i] = draft{app: r.App, name: r.Name, protocol: r.Protocol, named: true}
	}
	var found []draft
	for _, g := range groups {
		rest := draft{app: g.leader.app(), name: g.leader.name(), leader: g.leader, protocol: config.Auto}
		byPlace := false
		var by []int // rules that claim some of it
		for _, s := range g.serves {
			switch i, m := ruleFor(s, cfg.Tiers); {
			case i >= 0:
				ruled[i].serves = append(ruled[i].serves, s)
				byPlace = byPlace || selectsPlace(m)
				by = append(by, i)
			case !cfg.Ignores(func(m config.Match) bool { return matches(m, s) }):
				rest.serves = append(rest.serves, s)
			}
		}
		// Its Unix sockets serve the same users, on this host, as the single port that a rule names.
		if by = slices.Compact(by); byPlace && len(by) == 1 {
			for _, s := range g.serves {
				if i, _ := ruleFor(s, cfg.Tiers); i < 0 && s.listener.Path != "" {
					ruled[by[0]].serves = append(ruled[by[0]].serves, s)
				}
			}
		}
		// A rule that names one port of a process means only that port: its other listeners (a
		// debugger, JMX) do not serve the application.
		if len(rest.serves) > 0 && !byPlace {
			found = append(found, rest)
		}
	}
	drafts := slices.DeleteFunc(ruled, func(d draft) bool { return len(d.serves) == 0 })
	drafts = append(drafts, found...)
	n.assign(drafts)

	out := make([]Tier, 0, len(drafts))
	for _, d := range drafts {
		out = append(out, d.tier())
	}
	slices.SortFunc(out, byName)
	return out
}

func byName(a, b Tier) int { return cmp.Or(cmp.Compare(a.App, b.App), cmp.Compare(a.Name, b.Name)) }

// ruleFor is the index of the first rule that claims s, and the match by which it does; -1 if none does.
func ruleFor(s serving, rules []config.TierRule) (int, config.Match) {
	for i, r := range rules {
		if at := slices.IndexFunc(r.Match, func(m config.Match) bool { return matches(m, s) }); at >= 0 {
			return i, r.Match[at]
		}
	}
	return -1, config.Match{}
}

// selectsPlace reports whether a match picks among the listeners of one process.
func selectsPlace(m config.Match) bool { return m.Port != 0 || m.Address.IsValid() || m.Socket != "" }

// matches reports whether the listener is the one meant, and one of its
// processes has everything else that m asks for.
func matches(m config.Match, s serving) bool {
	if m.Port != 0 && m.Port != s.listener.Port || m.Address.IsValid() && m.Address != s.listener.Addr ||
		m.Socket != "" && m.Socket != s.listener.Path {
		return false
	}
	return slices.ContainsFunc(s.holders, func(p *process) bool { return isMeant(m, p) })
}

// isMeant reports whether a process has everything that m asks for, apart from where it listens.
func isMeant(m config.Match, p *process) bool {
	return (m.Command == "" || m.Command == p.comm || m.Command == p.command()) &&
		(m.Unit == "" || isCalled(withoutType(m.Unit), withoutType(p.home.unit))) &&
		(m.Container == "" || isCalled(m.Container, p.home.containerName) ||
			strings.HasPrefix(p.home.container, m.Container))
}

// withoutType is the name of a unit, which need not have its type if that is the usual one.
func withoutType(unit string) string { return strings.TrimSuffix(unit, ".service") }

// isCalled reports whether a name, which is empty if there is none, is the one that a rule gives, or fits its pattern.
func isCalled(pattern, name string) bool {
	fits, _ := path.Match(pattern, name) // an error was found when the rule was read
	return name != "" && (name == pattern || fits)
}

// protocols are the protocols of servers, by their commands. If the exporter starts in the middle of a connection, it
// may see messages that ask nothing before any message that shows the protocol.
var protocols = map[string]config.Protocol{
	"mysqld":        config.MySQL,
	"mariadbd":      config.MySQL,
	"postgres":      config.Postgres,
	"redis-server":  config.Redis,
	"valkey-server": config.Redis,
}

func (d draft) tier() Tier {
	t := Tier{App: d.app, Name: d.name, Ruled: d.named, Protocol: d.protocol}
	t.Owner = d.serves[0].holders[0].owner()
	pids := make(map[int32]bool)
	speaks, runtime := config.Auto, ""
	for _, s := range d.serves {
		t.Start = max(t.Start, s.holders[0].sinceBoot())
		t.Listeners = append(t.Listeners, s.listener)
		for _, p := range s.holders {
			pids[p.pid] = true
			t.JVM = t.JVM || p.jvm
			t.Program, runtime = cmp.Or(t.Program, p.program), cmp.Or(runtime, p.runtime)
			t.Code = cmp.Or(t.Code, p.code)
			if protocol, ok := protocols[p.command()]; ok {
				speaks = protocol
			}
		}
	}
	t.Program = cmp.Or(t.Program, runtime)
	if t.Protocol == config.Auto {
		t.Protocol = speaks
	}
	slices.SortFunc(t.Listeners, byPlace)
	t.PIDs = slices.Sorted(maps.Keys(pids))
	return t
}
