// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	versioncollector "github.com/prometheus/client_golang/prometheus/collectors/version"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/common/version"
	"github.com/prometheus/exporter-toolkit/web"

	"github.com/nstar-project/nstar/exporters/nstar/internal/metrics"
	"github.com/nstar-project/nstar/exporters/nstar/internal/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/internal/samples"
)

// listen opens the sockets before anything is loaded into the kernel, so that a port in use is found at once.
func listen(f *web.FlagConfig) ([]net.Listener, error) {
	if f.WebSystemdSocket != nil && *f.WebSystemdSocket {
		out, err := activation.Listeners()
		if err == nil && len(out) == 0 {
			err = errors.New("systemd passed no socket; start the exporter through its .socket unit")
		}
		if err != nil {
			return nil, fmt.Errorf("--web.systemd-socket: %w", err)
		}
		return out, nil
	}
	var out []net.Listener
	for _, address := range *f.WebListenAddresses {
		l, err := net.Listen("tcp", address)
		switch {
		case errors.Is(err, syscall.EADDRINUSE):
			return nil, fmt.Errorf("--web.listen-address=%s: the port is in use; stop what listens there (ss -ltnp) or choose another", address)
		case err != nil:
			return nil, fmt.Errorf("--web.listen-address=%s: %w", address, err)
		}
		out = append(out, l)
	}
	return out, nil
}

// newServer serves /metrics, /windows, /-/reload, /-/healthy and a landing page.
func newServer(m *monitor.Monitor, b *samples.Buffer, width time.Duration, reload func() error, log *slog.Logger) *http.Server {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		metrics.Collector{Monitor: m, Window: width},
		versioncollector.NewCollector("nstar"),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewGoCollector(),
	)
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.InstrumentMetricHandler(registry, promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelError),
		EnableOpenMetrics: true,
		Registry:          registry,
	})))
	mux.Handle("/windows", samples.NewHandler(b, log))
	mux.HandleFunc("/-/healthy", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "nstar_exporter is healthy.") })
	mux.HandleFunc("/-/reload", func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost && r.Method != http.MethodPut {
			http.Error(w, "This endpoint takes POST or PUT.", http.StatusMethodNotAllowed)
			return
		}
		if err := reload(); err != nil {
			http.Error(w, "nothing reloaded: "+err.Error(), http.StatusInternalServerError)
		}
	})
	landing, err := web.NewLandingPage(web.LandingConfig{
		Name:        "nstar_exporter",
		Description: "Queue length and throughput of every tier, in windows of " + width.String(),
		Version:     version.Info(),
		Links: []web.LandingLinks{
			{Address: "/metrics", Text: "Metrics", Description: "cumulative counters, right at any scrape interval"},
			{Address: "/windows", Text: "Windows", Description: "the settled windows of the last seconds, each with its own time"},
		},
	})
	if err != nil {
		panic(err) // the template is fixed
	}
	mux.Handle("/", landing)
	return &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
}

// reloader reads the configuration again, on SIGHUP and when called; a bad file changes nothing.
func reloader(ctx context.Context, file string, m *monitor.Monitor, log *slog.Logger) func() error {
	reload := func() error {
		cfg, err := load(file)
		if err != nil {
			log.Error("Configuration not reloaded", "err", err)
			return err
		}
		m.Reload(ctx, cfg)
		log.Info("Configuration reloaded", "file", file)
		return nil
	}
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hup:
				_ = reload() // logged
			}
		}
	}()
	return reload
}
