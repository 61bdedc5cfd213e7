// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// workers are the tiers of rules that no listener matches, but processes without a listener do: a process that takes
// work from a log or a queue gets no requests, but it calls other tiers. Without a rule none of them is a tier. A
// process that listens at a Unix socket gets requests there, unseen, and is no worker.
func (s *Scanner) workers(cfg *config.Config, tiers []Tier, procs []*process) (found []Tier) {
	taken := make(map[int32]bool)
	for _, t := range tiers {
		for _, pid := range t.PIDs {
			taken[pid] = true
		}
	}
	for _, p := range procs {
		p.works = false
	}
	for _, r := range unserved(cfg, tiers) {
		var mine []*process
		for _, p := range procs {
			if taken[p.pid] || len(p.listens) > 0 || p.isSystemd() || !mayBeMeant(r, p) {
				continue
			}
			if !p.described {
				s.fs.describe(p, s.containers)
			}
			if slices.ContainsFunc(r.Match, func(m config.Match) bool { return isMeant(m, p) }) {
				mine = append(mine, p)
			}
		}
		if len(mine) == 0 {
			continue
		}
		t := Tier{App: r.App, Name: r.Name, Ruled: true, Protocol: r.Protocol, Owner: mine[0].owner()}
		for _, p := range mine {
			taken[p.pid], p.works = true, true
			t.PIDs = append(t.PIDs, p.pid)
			t.Start = max(t.Start, p.sinceBoot())
			t.JVM = t.JVM || p.jvm
			t.Program = cmp.Or(t.Program, p.program, p.runtime)
		}
		slices.Sort(t.PIDs)
		found = append(found, t)
	}
	return found
}

// unserved are the rules that have no tier, without their matches that ask for a place to listen at.
func unserved(cfg *config.Config, tiers []Tier) (rules []config.TierRule) {
	if cfg == nil {
		return nil
	}
	for _, r := range cfg.Tiers {
		has := func(t Tier) bool { return t.Ruled && t.App == r.App && t.Name == r.Name }
		r.Match = slices.DeleteFunc(slices.Clone(r.Match), selectsPlace)
		if len(r.Match) > 0 && !slices.ContainsFunc(tiers, has) {
			rules = append(rules, r)
		}
	}
	return rules
}

// mayBeMeant reports whether it is useful to read more about a process than its name, which the kernel cuts and some
// programs change.
func mayBeMeant(r config.TierRule, p *process) bool {
	return p.described || slices.ContainsFunc(r.Match, func(m config.Match) bool {
		return m.Command == "" || m.Command == p.comm || len(p.comm) == commBytes &&
			strings.HasPrefix(m.Command, p.comm) ||
			isMainThread(p.comm) || strings.HasPrefix(p.comm, "/")
	})
}
