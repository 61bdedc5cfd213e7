// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/prometheus/common/model"
)

// Placement is where the threads of one server of a tier ran.
type Placement struct {
	Tier, Instance string
	// Used is the mean number of processors.
	Used float64
	// Domains are the groups of processors that share a last-level cache; the one where the tier ran most is
	// the first.
	Domains []DomainShare
	// Crossings are moves of its threads from one domain to another, per second.
	Crossings float64
	// WithDisk is the mean of the correlations of processor time and waiting for the disk, at 100 ms over 12 s
	// each; nil if one of the two did not change.
	WithDisk *float64
	// Disk is the processor on which its waiting for the disk ended; nil if there were several, or if it is not
	// known.
	Disk *DiskCore
}

// DomainShare is a tier's part in one cache domain.
type DomainShare struct {
	CPUs       string // as taskset takes them
	Processors float64
	Share      float64 // of the tier's processor time, 0 to 1
}

const (
	// worthPinning is the part of its processor time that a tier must have outside of its first cache domain, and
	// pinnable how much of a domain's processors it may use to have room there in a burst. MCP measured 22 % of the
	// throughput for half and half.
	worthPinning = 0.2
	pinnable     = 0.7
	// worthPlacing is the number of processors from which on it matters where a tier runs.
	worthPlacing = 0.25
	// takeTurns is the correlation from which processor and disk take turns, and busyInTurns the time of each, in
	// seconds per second, below which that means nothing.
	takeTurns   = -0.4
	busyInTurns = 0.2
)

// placements reads where tiers ran.
func (q *querier) placements(apps map[string]*Application) {
	type server struct{ app, tier, instance string }
	found := make(map[server]*Placement)
	of := func(m model.Metric) *Placement {
		key := server{label(m, "app"), label(m, "tier"), label(m, "instance")}
		if found[key] == nil {
			found[key] = &Placement{Tier: key.tier, Instance: key.instance}
		}
		return found[key]
	}
	type domain struct{ instance, number string }
	domains := make(map[domain]DomainShare)
	for _, s := range q.vector("max by (instance, domain, cpus) (last_over_time(nstar_domain_processors[" + q.span +
		"]))") {
		key := domain{label(s.Metric, "instance"), label(s.Metric, "domain")}
		domains[key] = DomainShare{CPUs: label(s.Metric, "cpus"), Processors: float64(s.Value)}
	}
	for _, s := range q.vector("sum by (app, tier, instance, domain) (rate(" + q.over("nstar_tier_core_seconds_total",
		"") + ")) > 0") {
		p := of(s.Metric)
		d, known := domains[domain{p.Instance, label(s.Metric, "domain")}]
		if !known { // processors that are gone
			continue
		}
		d.Share = float64(s.Value) // becomes a share below
		p.Used += d.Share
		p.Domains = append(p.Domains, d)
	}
	for _, s := range q.vector("sum by (app, tier, instance) (rate(" + q.over("nstar_tier_migrations_total",
		`across="domain"`) + ")) > 0") {
		of(s.Metric).Crossings = float64(s.Value)
	}
	for _, s := range q.vector("max by (app, tier, instance) (avg_over_time(" +
		q.over("nstar_tier_processor_disk_pearson", "") + "))") {
		v := float64(s.Value)
		of(s.Metric).WithDisk = &v
	}
	q.diskCores(of)
	for key, p := range found {
		if a := apps[key.app]; a != nil && p.Used > 0 {
			a.Placements = append(a.Placements, p.inOrder())
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.Placements, func(x, y Placement) int {
			return cmp.Or(cmp.Compare(x.Tier, y.Tier), cmp.Compare(x.Instance, y.Instance))
		})
	}
}

// inOrder makes shares of the processor times.
func (p Placement) inOrder() Placement {
	for i := range p.Domains {
		p.Domains[i].Share /= p.Used
	}
	slices.SortFunc(p.Domains, func(x, y DomainShare) int {
		return cmp.Or(-cmp.Compare(x.Share, y.Share), cmp.Compare(x.CPUs, y.CPUs))
	})
	return p
}

// placed are sentences about where the bottleneck ran: if it wants processors, the server that ran on most caches, or
// that the tier misses its cache; the server whose processor and disk took turns most; and a processor that takes the
// disk's interrupts.
func (d diagnosis) placed() (notes []string) {
	if !d.bottleneck() {
		return nil
	}
	var spread, turns Placement
	for _, p := range d.Placements {
		if p.Tier != d.finding.Tier {
			continue
		}
		if p.spread() > spread.spread() {
			spread = p
		}
		if p.WithDisk != nil && (turns.WithDisk == nil || *p.WithDisk < *turns.WithDisk) {
			turns = p
		}
	}
	ran := ""
	if d.wantsProcessors() {
		ran = cmp.Or(spread.acrossCaches(d.Misses[d.finding.Tier]), d.missing())
	}
	for _, s := range []string{ran, d.inTurns(turns), d.interrupts()} {
		if s != "" {
			notes = append(notes, s)
		}
	}
	return notes
}

// wantsProcessors reports whether more work by the bottleneck's processors would help.
func (d diagnosis) wantsProcessors() bool {
	return slices.Contains([]string{causeDemand, causeBurst, causeNeighbour, causeUnknown}, d.finding.Cause)
}

// spread is the part of the processor time outside of the first domain.
func (p Placement) spread() float64 {
	if len(p.Domains) < 2 {
		return 0
	}
	return 1 - p.Domains[0].Share
}

// acrossCaches says that a tier ran on several cache domains, with its misses, and what to do.
func (p Placement) acrossCaches(m Misses) string {
	if p.Used < worthPlacing || p.spread() < worthPinning {
		return ""
	}
	const mostListed = 4
	var on []string
	for _, d := range p.Domains[:min(len(p.Domains), mostListed)] {
		on = append(on, fmt.Sprintf("%s on processors %s", percent(d.Share), d.CPUs))
	}
	crossing := ""
	if p.Crossings >= 1 {
		crossing = fmt.Sprintf("; its threads moved from one cache to another %s times a second and left the data in "+
			"the cache behind", count(p.Crossings))
	}
	if words := m.words(); words != "" {
		crossing += "; " + words
	}
	first := p.Domains[0]
	cure := fmt.Sprintf("It uses %.1f processors and has room on %s: keep it there (CPUAffinity=, a cpuset or "+
		"taskset -a), and check whether it serves more.",
		p.Used, first.CPUs)
	if p.Used > pinnable*first.Processors {
		cure = fmt.Sprintf("It uses %.1f processors, too many for one cache: run one process for each cache, and "+
			"keep the process there.",
			p.Used)
	}
	return fmt.Sprintf("%s ran on %d last-level caches (its processor time: %s%s). %s", p.Tier, len(p.Domains),
		list(on), crossing, cure)
}

// inTurns says that the bottleneck's processor and disk took turns.
func (d diagnosis) inTurns(p Placement) string {
	waited := 0.0
	for _, h := range d.Evidence {
		if h.Tier == p.Tier && h.By == "disk" {
			waited = h.Ratio
		}
	}
	if p.WithDisk == nil || *p.WithDisk > takeTurns || p.Used < busyInTurns || waited < busyInTurns {
		return ""
	}
	return fmt.Sprintf("%s took turns between processor and disk (correlation %.2f at 100 ms; %.1f processors, %s a "+
		"second of waiting for the disk): neither looks busy, and both hold it back. A quicker disk, or fewer and "+
		"larger writes, may gain as much as processors.",
		p.Tier, *p.WithDisk, p.Used, millis(waited))
}

// count is a number without decimals.
func count(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }
