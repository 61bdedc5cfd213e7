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

	"github.com/nstar-project/nstar/exporters/nstar/answer"
	"github.com/nstar-project/nstar/exporters/nstar/metrics"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
)

// listen opens the sockets before anything is loaded into the kernel, so that a port in use is found at once.
func listen(f *web.FlagConfig) ([]net.Listener, error) {
	if f.WebSystemdSocket != nil && *f.WebSystemdSocket {
		out, err := activation.Listeners()
		for i, l := range out {
			out[i] = answer.Listen(l)
		}
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
			return nil, fmt.Errorf("--web.listen-address=%s: the port is in use; stop the program that listens there "+
				"(ss -ltnp) or choose another port", address)
		case err != nil:
			return nil, fmt.Errorf("--web.listen-address=%s: %w", address, err)
		}
		out = append(out, answer.Listen(l))
	}
	return out, nil
}

const (
	// sendTimeout is how long a client may take to read an answer; Prometheus takes 10 s at most unless told otherwise.
	sendTimeout = time.Minute
	// idleTimeout is longer than Prometheus' own of 5 minutes, so that the client ends a connection.
	idleTimeout = 10 * time.Minute
)

// newServer serves /metrics, /windows, /tiers, /-/healthy, a landing page and, if there is a reload, /-/reload.
func newServer(m *monitor.Monitor, b *samples.Buffer, width time.Duration, reload func() error,
	log *slog.Logger) *http.Server {
	limiter := answer.NewLimiter()
	windows := samples.NewHandler(b, limiter, log)
	limits := func() map[string]uint64 {
		return map[string]uint64{"answer_limit": limiter.Refused(), "consumer_limit": windows.Refused()}
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		metrics.Collector{Monitor: m, Window: width, Limits: limits},
		versioncollector.NewCollector("nstar"),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewGoCollector(),
	)
	mux := http.NewServeMux()
	mux.Handle("/metrics", limiter.Handler(promhttp.InstrumentMetricHandler(registry,
		answer.Compressed(promhttp.HandlerFor(registry, promhttp.HandlerOpts{
			ErrorLog:           slog.NewLogLogger(log.Handler(), slog.LevelError),
			EnableOpenMetrics:  true,
			Registry:           registry,
			DisableCompression: true,
		})))))
	mux.Handle("/windows", windows)
	mux.Handle(peers.Path, limiter.Handler(peers.Handler(m.Answer)))
	mux.HandleFunc("/-/healthy", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w,
			"nstar_exporter is healthy.")
	})
	mux.HandleFunc("/-/reload", lifecycle(reload))
	landing, err := web.NewLandingPage(web.LandingConfig{
		Name:        "nstar_exporter",
		Description: "Queue length and throughput of every tier, in windows of " + width.String(),
		Version:     version.Info(),
		Links: []web.LandingLinks{
			{Address: "/metrics", Text: "Metrics", Description: "cumulative counters, right at any scrape interval"},
			{Address: "/windows", Text: "Windows",
				Description: "the settled windows of the last seconds, each with its own time"},
			{Address: peers.Path, Text: "Tiers", Description: "names and addresses of the tiers, for other exporters"},
		},
	})
	if err != nil {
		panic(err) // the template is fixed
	}
	mux.Handle("/", landing)
	return &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: sendTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: 64 << 10, ConnContext: answer.Context,
	}
}

// lifecycle answers /-/reload; without a reload it says how to get one.
func lifecycle(reload func() error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case reload == nil:
			http.Error(w, "Reloading over HTTP is off; --web.enable-lifecycle turns it on, and SIGHUP always works.",
				http.StatusForbidden)
			return
		case r.Method != http.MethodPost && r.Method != http.MethodPut:
			http.Error(w, "This endpoint takes POST or PUT.", http.StatusMethodNotAllowed)
			return
		}
		if err := reload(); err != nil {
			http.Error(w, "nothing reloaded; the log says why", http.StatusInternalServerError)
		}
	}
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
