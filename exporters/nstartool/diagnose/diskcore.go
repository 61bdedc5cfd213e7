// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"net"

	"github.com/prometheus/common/model"
)

// DiskCore is the processor on which most of a server's waiting for the disk ended.
type DiskCore struct {
	CPU string
	// Share is its part of that waiting, 0 to 1, and Computed what the tier computes there, in processors.
	Share, Computed float64
	// Host is its part of the I/O wait of the whole host, by node_exporter; 0 if that is not known or another
	// processor has most of it.
	Host float64
}

// onOneCore is the part of the waiting from which one processor takes it.
const onOneCore = 0.75

// diskCores reads on which processors waiting for the disk ended. If a host has so many processors that the exporter
// does not report each of them, nothing is known.
func (q *querier) diskCores(of func(model.Metric) *Placement) {
	const each, server = "sum by (app, tier, instance, cpu) ", "(app, tier, instance)"
	waited := "(rate(" + q.over("nstar_tier_core_disk_seconds_total", `cpu!="all"`) + "))"
	first := "topk by " + server + " (1, " + each + waited + ")"
	var found []*Placement
	for _, s := range q.vector(first + " / on " + server + " group_left () (sum by " + server + " " +
		waited + " > 0) >= " +
		fmt.Sprint(onOneCore)) {
		p := of(s.Metric)
		p.Disk = &DiskCore{CPU: label(s.Metric, "cpu"), Share: float64(s.Value)}
		found = append(found, p)
	}
	if found == nil {
		return
	}
	for _, s := range q.vector(each + "(rate(" + q.over("nstar_tier_core_seconds_total", `cpu!="all"`) +
		")) and on (app, tier, instance, cpu) " + first) {
		if d := of(s.Metric).Disk; d != nil && d.CPU == label(s.Metric, "cpu") {
			d.Computed = float64(s.Value)
		}
	}
	concentrated := "avg_over_time(nstar:host_iowait_concentration:ratio5m[" + q.span + "]) >= " + fmt.Sprint(onOneCore)
	share := map[string]float64{}
	for _, s := range q.vector(concentrated) {
		share[host(label(s.Metric, "instance"))] = float64(s.Value)
	}
	for _, s := range q.vector("topk by (instance) (1, avg_over_time(nstar:core_iowait:ratio5m[" + q.span +
		"])) and on (instance) " + concentrated) {
		for _, p := range found {
			if at := host(label(s.Metric, "instance")); at == host(p.Instance) && p.Disk.CPU == label(s.Metric, "cpu") {
				p.Disk.Host = share[at]
			}
		}
	}
}

// host is the host part of an address: the exporters of a host have it in common.
func host(instance string) string {
	if name, _, err := net.SplitHostPort(instance); err == nil {
		return name
	}
	return instance
}

// interrupts is the sentence for waiting for the disk that ends on one processor, although the server computes on
// others: that processor takes the disk's interrupts. A server that computes on it, too, has one thread or is pinned.
func (d diagnosis) interrupts() string {
	if d.evident(d.finding.Tier, "disk") < busyInTurns {
		return ""
	}
	for _, p := range d.Placements {
		if p.Tier != d.finding.Tier || p.Disk == nil || p.Used < busyInTurns || p.Disk.Computed > p.Used/2 {
			continue
		}
		ofHost := ""
		if p.Disk.Host > 0 {
			ofHost = fmt.Sprintf(" (and %s of the I/O wait of its host)", percent(p.Disk.Host))
		}
		return fmt.Sprintf("%s of %s's waiting for the disk ended on processor %s%s, where it has only %s of its "+
			"processor time: that processor handles the disk's interrupts (see /proc/interrupts). Spread them over "+
			"several processors (irqbalance, smp_affinity of the interrupt, a device with several queues), or keep "+
			"other work off that processor.", percent(p.Disk.Share), p.Tier, p.Disk.CPU, ofHost,
			percent(p.Disk.Computed/p.Used))
	}
	return ""
}
