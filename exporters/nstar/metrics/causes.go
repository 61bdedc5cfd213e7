// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"math"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/programs"
)

// causeSeconds are the cumulative series of the causes, by name: nstar_tier_NAME_seconds_total.
var causeSeconds = func() map[string]*prometheus.Desc {
	out := make(map[string]*prometheus.Desc)
	for _, k := range causes.Kinds() {
		out[k.Name] = desc("tier_"+k.Name+"_seconds_total", "Integral of nstar_window_"+k.Name+"_ratio. "+
			strings.ReplaceAll(k.Help, " in the window", ""), tier)
	}
	return out
}()

var neighbourSeconds = desc("tier_neighbour_seconds_total",
	"Time that the tier's threads waited for a processor while the neighbour had it; own_application tells whether "+
		"that is a tier of the same application.", []string{"app", "tier", "neighbour", "own_application"})

var diskNeighbourSeconds = desc("tier_disk_neighbour_seconds_total",
	"Time that the tier's threads waited for a disk, divided by the bytes that each read or wrote there meanwhile, "+
		"the tier itself among them; own_application tells whether that is a tier of the same application.",
	[]string{"app", "tier", "neighbour", "own_application", "operation"})

// What a tier did while it stood still.
var (
	standstillSeconds = desc("tier_standstill_seconds_total",
		"Time in windows in which nothing left the tier though requests waited (state frozen), except for collections.",
		tier)
	standstillCause = desc("tier_standstill_cause_seconds_total",
		"The part of nstar_tier_CAUSE_seconds_total in the windows of "+
			"nstar_tier_standstill_seconds_total.", []string{"app", "tier", "cause"})
)

// The accept queue now.
var (
	acceptWaiting = desc("tier_accept_queue_connections",
		"Connections that are established and wait until the tier accepts them.", tier)
	acceptLimit = desc("tier_accept_queue_limit_connections",
		"The most connections that may wait, by the backlog of the tier's sockets.", tier)
	acceptRefused = desc("tier_accept_overflows_total",
		"Packets of connections that the tier's listening sockets dropped because the accept queue was full; a "+
			"client sends several for one connection.", tier)
)

var majorFaults = desc("tier_major_faults_total",
	"Pages that the tier's processes used and that had to be read from a disk first: of its programs, of files that "+
		"it has mapped, or swapped out.", tier)

var collectionSeconds = desc("tier_garbage_collection_seconds_total",
	"Integral of nstar_window_gc_ratio. Time for which garbage collection stopped the tier's Java virtual machines, "+
		"the mean over machines.",
	tier)

var safepointSeconds = desc("tier_safepoint_seconds_total",
	"Time for which the tier's Java virtual machines kept their threads at safepoints other than garbage "+
		"collections, added up over machines.",
	tier)

var programInfo = desc("tier_program_info",
	"1; which well-known server, or else which runtime, the tier is, and the settings by which it limits how many "+
		"requests it takes on (workers) and calls it makes (pool) at a time.",
	[]string{"app", "tier", "program", "workers", "pool"})

var codeInfo = desc("tier_code_info",
	"1; what the tier's interpreter or Java virtual machine runs: a script, jar, class, or module. Absent for other "+
		"programs.", []string{"app", "tier", "code"})

var unixInfo = desc("tier_unix_socket_info",
	"1; a Unix socket that the tier calls, which is no edge: what waits there is in the tier's own queue.",
	[]string{"app", "tier", "path"})

var clientInfo = desc("tier_client_info",
	"1; a program on this host that is no tier and holds connections to the tier, such as a worker that takes jobs. "+
		"At most eight of a tier are named.", []string{"app", "tier", "client"})

var startTime = desc("tier_start_time_seconds",
	"When the last of the tier's servers was started (of each the oldest process), as the Unix time.", tier)

// program sends the tier's program, the code that it runs, and its start, if known, and which servers it asks unseen.
func (s sender) program(t monitor.Tier) {
	if t.Start > 0 {
		s.gauge(startTime, t.Start.Seconds(), t.App, t.Tier)
	}
	for _, path := range t.OverUnix {
		s.gauge(unixInfo, 1, t.App, t.Tier, path)
	}
	for _, client := range t.Clients {
		s.gauge(clientInfo, 1, t.App, t.Tier, client)
	}
	if p := programs.Named(t.Program); p.Name != "" {
		s.gauge(programInfo, 1, t.App, t.Tier, p.Name, p.Workers, p.Pool)
	}
	if t.Code != "" {
		s.gauge(codeInfo, 1, t.App, t.Tier, t.Code)
	}
}

// accept sends the accept queue.
func (s sender) accept(t monitor.Tier) {
	if t.Accept == nil {
		return
	}
	s.gauge(acceptWaiting, float64(t.Accept.Waiting), t.App, t.Tier)
	if t.Accept.Limit > 0 {
		s.gauge(acceptLimit, float64(t.Accept.Limit), t.App, t.Tier)
	}
	s.counter(acceptRefused, float64(t.Accept.Refused), t.App, t.Tier)
}

// why sends what kept a tier from work.
func (s sender) why(t monitor.Tier) {
	for cause, v := range t.Seconds {
		s.counter(causeSeconds[cause], v, t.App, t.Tier)
	}
	if t.Standstill.Causes != nil {
		s.counter(standstillSeconds, t.Standstill.Seconds, t.App, t.Tier)
	}
	for cause, v := range t.Standstill.Causes {
		s.counter(standstillCause, v, t.App, t.Tier, cause)
	}
	if t.Faults != nil {
		s.counter(majorFaults, float64(*t.Faults), t.App, t.Tier)
	}
	if !math.IsNaN(t.Collections) {
		s.counter(collectionSeconds, t.Collections, t.App, t.Tier)
	}
	if t.Safepoints != nil {
		s.counter(safepointSeconds, t.Safepoints.Seconds(), t.App, t.Tier)
	}
	for neighbour, v := range t.Neighbours {
		s.counter(neighbourSeconds, v, t.App, t.Tier, neighbour.Name, strconv.FormatBool(neighbour.Own))
	}
	for operation, by := range map[string]map[causes.Who]float64{"read": t.Disk.Readers, "write": t.Disk.Writers} {
		for who, v := range by {
			s.counter(diskNeighbourSeconds, v, t.App, t.Tier, who.Name, strconv.FormatBool(who.Own), operation)
		}
	}
	for cause, v := range t.With {
		s.known(withCause, v, t.App, t.Tier, cause)
	}
}
