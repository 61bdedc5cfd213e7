// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"fmt"
	"time"
)

// Exporter is a running nstar_exporter.
type Exporter struct {
	*Process
	URL string
}

// Settled is how long after a moment everything up to it is sure to be on /metrics and /windows: the settle delay, its
// margin, the interval between reads, and some time for a busy machine.
const Settled = 1500 * time.Millisecond

// Patience is how long an exporter may take to start, and to find its tiers.
var Patience = time.Minute

// Exporter starts nstar_exporter with a configuration file's content and further flags, on a free port.
func (b *Bed) Exporter(binary, config string, flags ...string) (*Exporter, error) {
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	file, err := b.Write("nstar.yml", config)
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	argv := append([]string{binary, "--config.file=" + file, "--web.listen-address=" + address}, flags...)
	p, err := b.Start("nstar_exporter", argv...)
	if err != nil {
		return nil, err
	}
	e := &Exporter{Process: p, URL: "http://" + address}
	return e, WaitFor(Patience, func() error {
		if err := e.Ended(); err != nil {
			return err
		}
		answer, err := Client.Get(e.URL + "/-/healthy")
		if err != nil {
			return err
		}
		return answer.Body.Close()
	})
}

// Metrics scrapes /metrics.
func (e *Exporter) Metrics() (Samples, error) { return Scrape(e.URL + "/metrics") }

// Windows scrapes /windows: with a consumer's name all windows since its last scrape, without one the last seconds.
func (e *Exporter) Windows(consumer string) (Samples, error) {
	url := e.URL + "/windows"
	if consumer != "" {
		url += "?consumer=" + consumer
	}
	return Scrape(url)
}

// Tiers are the names of the tiers that the exporter has found so far.
func (e *Exporter) Tiers() (map[string]bool, error) {
	s, err := e.Metrics()
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool)
	for _, x := range s.Select("nstar_tier_arrivals_total") {
		found[x.Labels["tier"]] = true
	}
	return found, nil
}

// AwaitTiers waits until tiers are measured, so that none of their requests is missed.
func (e *Exporter) AwaitTiers(tiers ...string) error {
	return WaitFor(Patience, func() error {
		found, err := e.Tiers()
		if err != nil {
			return err
		}
		for _, tier := range tiers {
			if !found[tier] {
				return fmt.Errorf("the exporter did not find the tier %s: %s", tier, e.Tail())
			}
		}
		return nil
	})
}
