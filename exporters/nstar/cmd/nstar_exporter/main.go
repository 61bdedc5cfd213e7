// SPDX-License-Identifier: Apache-2.0

// Command nstar_exporter measures the queue length and throughput of every tier on a host in windows of 50 ms and
// exports them to Prometheus.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/common/promslog"
	promslogflag "github.com/prometheus/common/promslog/flag"
	"github.com/prometheus/common/version"
	"github.com/prometheus/exporter-toolkit/web"
	"github.com/prometheus/exporter-toolkit/web/kingpinflag"

	"github.com/nstar-project/nstar/exporters/nstar/internal/clock"
	"github.com/nstar-project/nstar/exporters/nstar/internal/config"
	"github.com/nstar-project/nstar/exporters/nstar/internal/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/internal/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/internal/probe"
	"github.com/nstar-project/nstar/exporters/nstar/internal/samples"
)

// flags are the command line.
type flags struct {
	configFile  string
	configCheck bool
	window      time.Duration
	settle      time.Duration
	retention   time.Duration
	maxTiers    int
	maxEdges    int
	bpfStats    bool
	procfs      string
	web         *web.FlagConfig
	log         promslog.Config
}

func parse(args []string) *flags {
	var f flags
	app := kingpin.New("nstar_exporter", "Exports the queue length and throughput of every tier on this host, in windows of 50 ms.")
	app.Version(version.Print("nstar_exporter"))
	app.HelpFlag.Short('h')
	app.Flag("config.file", "YAML file that names, groups or ignores tiers. Not needed: without it every listening process is a tier.").StringVar(&f.configFile)
	app.Flag("config.check", "Check the configuration file and exit.").BoolVar(&f.configCheck)
	app.Flag("window", "Width of the windows, 10ms to 1s.").Default("50ms").DurationVar(&f.window)
	app.Flag("settle", "How long the end of an answer may still move before its window is handed out.").Default("500ms").DurationVar(&f.settle)
	app.Flag("windows.retention", "How long windows wait for a consumer of /windows.").Default("2m").DurationVar(&f.retention)
	app.Flag("limit.tiers", "Most tiers measured; memory grows with it.").Default("64").IntVar(&f.maxTiers)
	app.Flag("limit.edges", "Most edges measured; memory grows with it.").Default("192").IntVar(&f.maxEdges)
	app.Flag("bpf.stats", "Count the runs and run time of the kernel programs (costs some nanoseconds a packet).").Default("true").BoolVar(&f.bpfStats)
	app.Flag("path.procfs", "Where the host's procfs is mounted.").Default("/proc").StringVar(&f.procfs)
	f.web = kingpinflag.AddFlags(app, ":9965")
	promslogflag.AddFlags(app, &f.log)
	kingpin.MustParse(app.Parse(args))
	return &f
}

func (f *flags) check() error {
	switch {
	case f.window < 10*time.Millisecond || f.window > time.Second:
		return fmt.Errorf("--window=%s: must be between 10ms and 1s", f.window)
	case time.Second%f.window != 0:
		return fmt.Errorf("--window=%s: must divide one second evenly, so that hosts agree on the windows (10ms, 20ms, 50ms, 100ms, 200ms ...)", f.window)
	case f.settle < 2*f.window || f.settle < 100*time.Millisecond || f.settle > 10*time.Second:
		return fmt.Errorf("--settle=%s: must be between 100ms (two windows at least) and 10s", f.settle)
	case f.retention < 10*time.Second || f.retention > time.Hour:
		return fmt.Errorf("--windows.retention=%s: must be between 10s and 1h; Prometheus refuses older samples", f.retention)
	case f.maxTiers < 1 || f.maxTiers > 1024 || f.maxEdges < 1 || f.maxEdges > 4096:
		return fmt.Errorf("--limit.tiers=%d --limit.edges=%d: must be between 1 and 1024, 1 and 4096", f.maxTiers, f.maxEdges)
	}
	return nil
}

func main() {
	f := parse(os.Args[1:])
	log := promslog.New(&f.log)
	if err := run(f, log); err != nil {
		fmt.Fprintln(os.Stderr, "nstar_exporter:", err)
		os.Exit(1)
	}
}

func run(f *flags, log *slog.Logger) error {
	if err := f.check(); err != nil {
		return err
	}
	cfg, err := load(f.configFile)
	if err != nil {
		return err
	}
	if f.configCheck {
		if f.configFile == "" {
			return fmt.Errorf("--config.check needs --config.file")
		}
		fmt.Printf("%s: %d tiers, %d ignored, %d remotes: ok\n", f.configFile, len(cfg.Tiers), len(cfg.Ignore), len(cfg.Remotes))
		return nil
	}
	if err := web.Validate(*f.web.WebConfigFile); err != nil {
		return fmt.Errorf("--web.config.file: %w", err)
	}
	listeners, err := listen(f.web)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	offset := clock.NewOffset(clock.Wall(), clock.Monotonic())
	p, err := probe.Open(probe.Options{
		Window: f.window, Settle: f.settle, MaxTiers: f.maxTiers, MaxEdges: f.maxEdges, Stats: f.bpfStats, Clock: offset.Value(),
	})
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.StatsErr(); err != nil {
		log.Warn("nstar_bpf_run_seconds_total is missing: counting the kernel programs' run time needs CAP_SYS_ADMIN; --no-bpf.stats silences this", "err", err)
	}
	buffer := samples.NewBuffer(f.retention)
	scanner := discovery.NewScanner(f.procfs, 0)
	m := monitor.New(monitor.Options{
		Window: f.window, Settle: f.settle, MaxTiers: f.maxTiers, ProcRoot: f.procfs, Log: log,
	}, p, offset, scanner, cfg, buffer)

	reload := reloader(ctx, f.configFile, m, log)
	server := newServer(m, buffer, f.window, reload, log)
	failed := make(chan error, 2)
	go func() { failed <- m.Run(ctx) }()
	go func() { failed <- web.ServeMultiple(listeners, server, f.web, log) }()
	log.Info("Measuring", "version", version.Info(), "window", f.window, "settle", f.settle)
	select {
	case <-ctx.Done():
	case err = <-failed:
		stop()
	}
	shutdown, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_ = server.Shutdown(shutdown) // answers under way end; others are cut after the timeout
	return err
}

// load reads the configuration; without a file everything has its default.
func load(file string) (*config.Config, error) {
	if file == "" {
		return &config.Config{}, nil
	}
	return config.Load(file)
}
