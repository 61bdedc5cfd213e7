// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// The crowd of the two loads: as many users think for long, and then hardly. Fewer than the places of the pool, so that
// no request waits for one: the slides' server had as many connections as threads, too.
const (
	waitingUsers = 24
	lowShare     = 0.1 // of the capacity
	highThink    = 5 * time.Millisecond
	waitingTime  = 60 * time.Second
	settleIn     = 8 * time.Second // until the load is there, and after it the windows
)

// waitingOf repeats the slides' table on the board, at a low and at a high load, and compares it with the counts of
// Tomcat and MariaDB.
func waitingOf(o options, r *figures.Report) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s := o.stack(b, board, map[string]string{"POOL": "64"})
	defer s.stop()
	defer ahead(o.nice)()
	if err := s.up(); err != nil {
		return err
	}
	if err := s.calibrate(); err != nil {
		return err
	}
	s.counted = true
	v, err := s.watch(o.exporter, false)
	if err != nil {
		return err
	}
	p, err := startPrometheus(b, o.binary, o.rules, []*view{v})
	if err != nil {
		return err
	}
	think := time.Duration(waitingUsers / (lowShare * s.capacity) * float64(time.Second))
	low, err := s.waitingAt("low", load{users: waitingUsers, think: think}, v.exporters[0], r)
	if err != nil {
		return err
	}
	low.print(r)
	high, err := s.waitingAt("high", load{users: waitingUsers, think: highThink}, v.exporters[0], r)
	if err != nil {
		return err
	}
	high.print(r)

	r.Section("The shape of the slides' table")
	r.Check(low.share("clients") > low.share("mariadb") && low.share("mariadb") > low.share("self") &&
		low.share("clients") >= 0.6,
		"low load: clients %.2f %%, database %.2f %%, self %.2f %% (slides: 77.85, 21.71, 0.44)",
		100*low.share("clients"), 100*low.share("mariadb"), 100*low.share("self"))
	r.Check(high.share("mariadb") >= 0.6 && high.share("clients") <= 0.25,
		"high load: clients %.2f %%, database %.2f %%, self %.2f %% (slides: 10.75, 83.00, 6.25)",
		100*high.share("clients"), 100*high.share("mariadb"), 100*high.share("self"))
	if err := p.recordedShares(r, s.name); err != nil {
		return err
	}
	said, err := exec.Command(o.tool, "diagnose", "--prometheus", p.URL, "--app", s.name, "--no-gain",
		"--last", fmt.Sprintf("%ds", int(waitingTime.Seconds()))).Output()
	if err != nil {
		return err
	}
	r.Section("nstartool about the high load")
	for _, line := range strings.Split(strings.TrimSpace(string(said)), "\n") {
		r.Note("%s", line)
	}
	return nil
}

// recordedShares checks that the shares of each tier add up to 1.
func (p *prometheus) recordedShares(r *figures.Report, app string) error {
	sums, err := p.Query(fmt.Sprintf("sum by (tier) (nstar:tier_waiting_share:ratio5m{app=%q})", app))
	if err != nil {
		return err
	}
	r.Check(len(sums) == len(board.tiers), "%d tiers have recorded shares, of %d", len(sums), len(board.tiers))
	for _, sum := range sums {
		r.Check(sum.Value > 1-1e-9 && sum.Value < 1+1e-9, "recorded shares of %s add up to %.9f", sum.Metric["tier"],
			float64(sum.Value))
	}
	return nil
}

// measured is what the tiers waited for under a load, in seconds of places, and what the servers say about it.
type measured struct {
	name    string
	outcome outcome
	length  time.Duration
	waiting map[string]map[string]float64 // by tier and by what it waited for
	ready   map[string]float64            // by tier: its threads waited for a processor
	servers served
	cost    toll
}

// toll is the processor time, in seconds, of the kernel programs for a request or a connection, of the part that sees
// only connections, and of the exporter itself.
type toll struct{ path, connections, beside float64 }

func (a toll) minus(b toll) toll {
	return toll{a.path - b.path, a.connections - b.connections, a.beside - b.beside}
}

// served is what the servers count themselves.
type served struct {
	tomcatSeconds, tomcatRequests float64
	mariadbSeconds, mariadbCalls  float64
}

func (a served) minus(b served) served {
	return served{a.tomcatSeconds - b.tomcatSeconds, a.tomcatRequests - b.tomcatRequests,
		a.mariadbSeconds - b.mariadbSeconds, a.mariadbCalls - b.mariadbCalls}
}

// share is that of Tomcat.
func (m *measured) share(on string) float64 { return m.waiting["tomcat"][on] / m.all("tomcat") }

func (m *measured) all(tier string) (sum float64) {
	for _, v := range m.waiting[tier] {
		sum += v
	}
	return sum
}

// requests are the seconds of places in which a request was under way.
func (m *measured) requests(tier string) float64 { return m.all(tier) - m.waiting[tier]["clients"] }

// waitingAt runs a load and takes differences over its middle.
func (s *stack) waitingAt(name string, l load, e *bed.Exporter, r *figures.Report) (*measured, error) {
	r.Section("%s load: %d users who think for %s", name, l.users, l.think.Round(time.Millisecond))
	g, err := s.drive(name, l, waitingTime+4*settleIn)
	if err != nil {
		return nil, err
	}
	time.Sleep(settleIn)
	m := &measured{name: name, length: waitingTime, waiting: make(map[string]map[string]float64),
		ready: make(map[string]float64)}
	seen, _ := g.outcome()
	before, counted, used, err := s.counters(e)
	if err != nil {
		return nil, err
	}
	time.Sleep(waitingTime)
	after, recounted, reused, err := s.counters(e)
	if err != nil {
		return nil, err
	}
	now, err := g.outcome()
	if err != nil {
		return nil, err
	}
	m.outcome, m.servers, m.cost = now.since(seen), recounted.minus(counted), reused.minus(used)
	for _, x := range after.Select("nstar_tier_waiting_seconds_total", "app", s.name) {
		tier, on := x.Labels["tier"], x.Labels["on"]
		if m.waiting[tier] == nil {
			m.waiting[tier] = make(map[string]float64)
		}
		old, _ := before.Value(x.Name, "app", s.name, "tier", tier, "on", on)
		m.waiting[tier][on] = x.Value - old
	}
	for _, t := range s.tiers {
		old, _ := before.Value("nstar_tier_runqueue_seconds_total", "tier", t.name)
		m.ready[t.name], _ = after.Value("nstar_tier_runqueue_seconds_total", "tier", t.name)
		m.ready[t.name] -= old
	}
	if err := g.Ended(); err != nil {
		return nil, err
	}
	_, err = g.finish(waitingTime)
	return m, err
}

// counters are the present counts of the exporter, of the servers, and of the kernel for the exporter.
func (s *stack) counters(e *bed.Exporter) (samples bed.Samples, c served, used toll, err error) {
	if c, err = s.served(); err != nil {
		return nil, c, used, err
	}
	// judged windows come with a delay: the requests that the servers count now are exported then
	time.Sleep(judged)
	if samples, err = e.Metrics(); err != nil {
		return nil, c, used, err
	}
	for _, program := range []string{"nstar_ingress", "nstar_egress", "nstar_state"} {
		seconds, _ := samples.Value("nstar_bpf_run_seconds_total", "program", program)
		used.path += seconds
		used.connections = seconds // of the last
	}
	used.beside, err = bed.CPUSeconds(e.PID)
	return samples, c, used, err
}

// judged is how long after its end a window is judged: a stop is confirmed backwards.
const judged = 2*time.Second + 800*time.Millisecond

// served asks Tomcat, through JMX, and MariaDB.
func (s *stack) served() (c served, err error) {
	jmx, err := bed.Scrape(fmt.Sprintf("http://127.0.0.1:%d/metrics", s.ports["JMX_PORT"]))
	if err != nil {
		return c, err
	}
	var some, all bool
	c.tomcatSeconds, some = jmx.Value("tomcat_requests_processing_seconds_total")
	c.tomcatRequests, all = jmx.Value("tomcat_requests_requestcount_total")
	if !some || !all {
		return c, errors.New("Tomcat's MBeans do not say what its requests took")
	}
	out, err := bed.Run(s.command(others(), "mariadb", "--no-defaults", "--user="+s.account, "--batch",
		"--skip-column-names",
		"--socket="+filepath.Join(s.dir, "mariadb/socket"), "-e",
		"SELECT SUM(SUM_TIMER_WAIT) / 1e12, SUM(COUNT_STAR) FROM "+
			"performance_schema.events_statements_summary_global_by_event_name")...)
	if err != nil {
		return c, err
	}
	fields := strings.Fields(out)
	if len(fields) != 2 {
		return c, fmt.Errorf("MariaDB's statement times: %q", out)
	}
	if c.mariadbSeconds, err = strconv.ParseFloat(fields[0], 64); err == nil {
		c.mariadbCalls, err = strconv.ParseFloat(fields[1], 64)
	}
	return c, err
}

// print shows the table and checks it against the servers.
func (m *measured) print(r *figures.Report) {
	r.Note("%s", m.outcome)
	for _, t := range board.tiers {
		line := fmt.Sprintf("%-8s %6.1f places:", t.name, m.all(t.name)/m.length.Seconds())
		for _, on := range append([]string{"clients", "self"}, t.calls...) {
			line += fmt.Sprintf("  %s %.2f %% (%.2f s)", on, 100*m.waiting[t.name][on]/m.all(t.name),
				m.waiting[t.name][on])
		}
		r.Note("%s", line)
	}
	// Tomcat cuts the time of each request down to whole milliseconds.
	m.between(r, "requests in Tomcat", m.requests("tomcat"), m.servers.tomcatSeconds+0.0005*m.servers.tomcatRequests,
		m.ready["tomcat"],
		"Tomcat's own processing time")
	m.between(r, "requests in MariaDB", m.requests("mariadb"), m.servers.mariadbSeconds, m.ready["mariadb"],
		"MariaDB's statement times")
	r.Within("what Tomcat waits for MariaDB, s", m.waiting["tomcat"]["mariadb"], m.requests("mariadb"), 0.05,
		"requests in MariaDB")
	all := m.length.Seconds() * float64(len(bed.Processors())) / 100
	r.AtMost("of the processors, for what requests and connections pass through", m.cost.path/all, 1, "%")
	r.Note("of it %.4f %% for connections that open and close; the exporter beside them, with all that it measures: "+
		"%.2f %%",
		m.cost.connections/all, m.cost.beside/all)
}

// between compares seconds of requests with those that a server counts itself. A server begins to count when one of
// its threads runs, Nstar when the request is there: in between the thread waits for a processor.
func (m *measured) between(r *figures.Report, what string, got, counted, ready float64, source string) {
	const tolerance = 0.1
	r.Check(got >= (1-tolerance)*counted && got <= (1+tolerance)*(counted+ready),
		"%s: %.2f s, %s: %.2f s (%+.1f %%); its threads waited %.2f s for a processor", what, got, source, counted,
		100*(got/counted-1), ready)
}
