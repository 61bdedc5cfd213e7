// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

const (
	workOfRequest = 100 * time.Microsecond
	leastOfWork   = 0.99 // of throughput, if a request costs its server this much
)

// worker is a server that computes for a while for each request. It is this program once more.
type worker struct {
	*bed.Process
	url string
}

// Processes lists the one that there is.
func (w worker) Processes() ([]int, error) { return []int{w.PID}, nil }

// serve answers each request after workOfRequest of computing. The work is an amount, found by the clock once, so that
// it takes longer if others have the processor: a deadline would count that time as work, too.
func serve(address string) error {
	rounds := calibrate(workOfRequest)
	return http.ListenAndServe(address, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sum := compute(rounds)
		_, _ = w.Write(sum[:6]) // a client that is gone gets nothing
	}))
}

// compute does this many rounds of work.
func compute(rounds int) (sum [sha256.Size]byte) {
	for range rounds {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

// calibrate finds how many rounds of work take this long if nothing disturbs them: by the fastest of many trials.
func calibrate(d time.Duration) int {
	const trial = 1000
	fastest := time.Hour
	for range 100 {
		began := time.Now()
		compute(trial)
		fastest = min(fastest, time.Since(began))
	}
	return int(trial * d / fastest)
}

func startWorker(b *bed.Bed) (w worker, port int, err error) {
	if port, err = bed.FreePort(); err != nil {
		return w, 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return w, 0, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	w.url = "http://" + address + "/"
	if w.Process, err = b.Start("worker", self, "-serve", address); err != nil {
		return w, 0, err
	}
	return w, port, bed.WaitFor(10*time.Second, func() error { return bed.Shows(w.url) })
}

// working measures requests that cost their server something, beside exporters with windows of several widths.
func working(r *figures.Report, o options) error {
	if err := bed.Need("wrk"); err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	w, port, err := startWorker(b)
	if err != nil {
		return err
	}
	var variants []variant
	for _, width := range []string{"50ms", "20ms", "10ms"} {
		variants = append(variants, variant{
			name: "nstar_exporter --window=" + width, start: withExporter(b, o.exporter, port, "--window="+width),
		})
	}
	r.Section("A server that computes for %s for each request, %d connections, %d rounds of %s; each variant between "+
		"two runs with nothing",
		workOfRequest, o.connections, o.rounds, o.length)
	l := load{Wrk: bed.Wrk{Threads: 1, Connections: o.connections, Duration: o.length, URL: w.url}, server: w}
	if err := measure(r, variants, o.rounds, l); err != nil {
		return err
	}
	table(r, variants)
	kept := variants[0].column(func(s seen) float64 { return s.requests / s.nothing })
	low, high := interval(kept)
	r.Check(median(kept) >= leastOfWork, "throughput kept with windows of 50 ms: %.4f, 95 %% interval %.4f to %.4f "+
		"(at least %v)",
		median(kept), low, high, leastOfWork)
	return nil
}
