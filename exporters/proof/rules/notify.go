// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// Lengths of the phases: healthy long enough for anything that fires at a start, the problem long enough for an echo to
// arrive after the page and for Alertmanager to say it again (group_interval is a minute), and the time until it is
// over.
const (
	calm    = 100 * time.Second
	trouble = 240 * time.Second
	after   = 270 * time.Second
)

// notification is the message that Alertmanager posts.
type notification struct {
	at     time.Duration
	Status string
	Alerts []struct {
		Status              string
		Labels, Annotations map[string]string
	}
}

// notify counts what reaches a webhook behind a real Alertmanager with the project's configuration, while MariaDB stops
// again and again and the tiers in front of it wait, each seen by an exporter on another host.
func notify(b *bed.Bed, r *figures.Report, o options, version, binary string) error {
	fleet, err := serve(echoes(), calm, trouble)
	if err != nil {
		return err
	}
	defer fleet.close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var got []notification
	webhook := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		n := notification{at: time.Since(fleet.start)}
		if err := json.NewDecoder(q.Body).Decode(&n); err == nil {
			mu.Lock()
			got = append(got, n)
			mu.Unlock()
		}
	})}
	go webhook.Serve(listener) //nolint:errcheck // ends with close
	defer webhook.Close()
	alertmanager, err := startAlertmanager(b, o, listener.Addr().String())
	if err != nil {
		return err
	}
	p, err := startPrometheus(b, "notify-"+version, binary, fleet, intervals{metrics: 5 * time.Second}, o.rules,
		alertmanager)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(fleet.start.Add(calm)))
	pending, err := p.Query(`ALERTS`)
	if err != nil {
		return err
	}
	verdict, err := p.Query(`nstar:app_verdict`)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(fleet.start.Add(calm + trouble + after)))
	mu.Lock()
	defer mu.Unlock()

	r.Section("Prometheus %s and Alertmanager: MariaDB stops, httpd and Tomcat on other hosts wait", version)
	r.Check(len(pending) == 0, "alerts pending or firing after %v of healthy work: %d", calm, len(pending))
	r.Check(len(verdict) == 1 && verdict[0].Metric["verdict"] == "healthy", "verdict until then: %s", verdict)
	var firing, alerts, resolved int
	for _, n := range got {
		if n.Status == "resolved" {
			resolved++
			continue
		}
		firing++
		alerts += len(n.Alerts)
		for _, a := range n.Alerts {
			r.Note("%.0f s after it began: %s %s", (n.at - calm).Seconds(), a.Annotations["summary"],
				a.Annotations["description"])
			text := a.Annotations["summary"] + a.Annotations["description"]
			for _, part := range []string{"mariadb", "stopped", "%", "ms of"} {
				r.Check(strings.Contains(text, part), "the page says %q", part)
			}
		}
	}
	r.Equal("notifications", int64(firing), 1, "problems")
	r.Equal("alerts in them", int64(alerts), 1, "problems")
	r.Equal("notifications that it is over", int64(resolved), 1, "problems")
	return nil
}

// startAlertmanager starts one with the project's configuration, whose receiver gets a webhook.
func startAlertmanager(b *bed.Bed, o options, webhook string) (address string, err error) {
	conf, err := os.ReadFile(o.alertmanagerConf)
	if err != nil {
		return "", err
	}
	const receiver = "receivers:\n  - name: page\n"
	if !strings.Contains(string(conf), receiver) {
		return "", fmt.Errorf("%s has no receiver page", o.alertmanagerConf)
	}
	file, err := b.Write("alertmanager.yml", strings.Replace(string(conf), receiver,
		receiver+fmt.Sprintf("    webhook_configs: [{url: 'http://%s/'}]\n", webhook), 1))
	if err != nil {
		return "", err
	}
	port, err := bed.FreePort()
	if err != nil {
		return "", err
	}
	address = fmt.Sprintf("127.0.0.1:%d", port)
	a, err := b.Start("alertmanager", append(strings.Fields(o.alertmanager), "--config.file="+file,
		"--storage.path="+b.Path("alertmanager"),
		"--web.listen-address="+address, "--cluster.listen-address=", "--log.level=warn")...)
	if err != nil {
		return "", err
	}
	return address, bed.WaitFor(30*time.Second, func() error {
		if err := a.Ended(); err != nil {
			return err
		}
		answer, err := http.Get("http://" + address + "/-/ready")
		if err == nil {
			answer.Body.Close()
		}
		return err
	})
}

// echoes are three hosts with a tier each. In the second phase MariaDB is stopped for a part of the time, Tomcat waits
// for a place there and cannot tell why, httpd waits for Tomcat, and queues before them turn against each other.
func echoes() []*fake {
	all := make([]*fake, 3)
	for i, tier := range []struct {
		name, to  string
		r0        float64
		own, more float64
		cause     string
		excess    float64
	}{
		{"httpd", "tomcat", 0.0004, 0.2, 9, "behind", 8.5},
		{"tomcat", "mariadb", 0.003, 1.6, 14, "place", 12},
		{"mariadb", "", 0.0008, 0.9, 16, "stopped", 15},
	} {
		h := &fake{}
		labels := fmt.Sprintf("app=%q,tier=%q", "shop", tier.name)
		h.show("nstar_window_width_seconds", "", width.Seconds())
		h.count("nstar_dropped_total", `reason="program_missed"`, 0.1)
		h.count("nstar_tier_completions_total", labels, 400)
		h.count("nstar_tier_own_queue_seconds_total", labels, tier.own, tier.more, tier.own)
		for _, cause := range []string{"garbage_collection", "stopped", "demand", "unknown", "behind", "place"} {
			charged := fmt.Sprintf("%s,cause=%q,to=%q", labels, cause, "")
			if cause == "behind" || cause == "place" {
				charged = fmt.Sprintf("%s,cause=%q,to=%q", labels, cause, tier.to)
			}
			rates := []float64{0, 0, 0}
			switch cause {
			case tier.cause:
				rates[1] = tier.excess
			case "demand":
				rates = []float64{tier.own / 5, tier.own / 2, tier.own / 5}
			}
			h.count("nstar_tier_excess_queue_seconds_total", charged, rates...)
			h.count("nstar_tier_excess_queue_square_seconds_total", charged, rates...)
		}
		h.show("nstar_tier_base_residence_seconds", labels, tier.r0)
		h.show("nstar_tier_saturation_status", labels+`,status="never_near_limit"`, 1)
		for _, state := range []string{"normal", "saturated", "frozen"} {
			h.count("nstar_tier_state_windows_total", fmt.Sprintf("%s,state=%q", labels, state), 5, 10)
		}
		if tier.to != "" {
			edge := fmt.Sprintf("app=%q,from=%q,to=%q", "shop", tier.name, tier.to)
			h.count("nstar_edge_calls_total", edge, 400)
			h.show("nstar_edge_correlation_pearson", edge, -0.5)
		}
		all[i] = h
	}
	return all
}
