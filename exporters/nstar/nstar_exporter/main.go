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
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/common/promslog"
	"github.com/prometheus/common/version"
	"github.com/prometheus/exporter-toolkit/web"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/rights"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
)

func main() {
	f, err := parse(os.Args[1:])
	if err == nil {
		err = run(f, promslog.New(&f.log))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "nstar_exporter:", oneLine(err))
		os.Exit(1)
	}
}

// oneLine joins the lines of errors that have several, as YAML's.
func oneLine(err error) string {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, " ")
}

func run(f *flags, log *slog.Logger) error {
	if err := f.check(); err != nil {
		return err
	}
	runtime.GOMAXPROCS(f.processors)
	cfg, err := load(f.configFile)
	if err != nil {
		return err
	}
	if f.configCheck {
		if f.configFile == "" {
			return fmt.Errorf("--config.check needs --config.file")
		}
		fmt.Printf("%s: %d tiers, %d ignored, %d remotes: ok\n", f.configFile, len(cfg.Tiers), len(cfg.Ignore),
			len(cfg.Remotes))
		return nil
	}
	if err := web.Validate(*f.web.WebConfigFile); err != nil {
		return fmt.Errorf("--web.config.file: %w", err)
	}
	listeners, err := listen(f.web)
	if err != nil {
		return err
	}
	boot := bootOf(f.procfs)
	others, err := f.others(listeners, boot, log)
	if err != nil {
		return err
	}
	var recorder *recording.Recorder
	if f.record != "" {
		if recorder, err = recording.Create(f.record, f.recordMost<<20, f.window, log); err != nil {
			return fmt.Errorf("--record.file: %w", err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	offset := clock.NewOffset(clock.Now())
	p, err := probe.Open(probe.Options{
		Window: f.window, Settle: f.settle, MaxTiers: f.maxTiers, MaxEdges: f.maxEdges, Stats: f.bpfStats,
		Clock:    offset.Value(),
		ProcRoot: f.procfs, Unix: f.unixSockets, Kinds: cfg.HasKinds(), Later: f.configFile != "",
	})
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.StatsErr(); err != nil {
		log.Warn("nstar_bpf_run_seconds_total is missing: counting the kernel programs' run time needs "+
			"CAP_SYS_ADMIN; without --bpf.stats this warning does not appear", "err", err)
	}
	if err := p.UnixErr(); err != nil {
		log.Warn("Servers that are asked over Unix sockets are not measured", "err", err)
	}
	why := causes.Open(causes.Options{
		Window: f.window, Settle: f.settle, MaxTiers: f.maxTiers, ProcRoot: f.procfs, Clock: offset.Value(),
		Off: f.causesOff, Log: log,
	})
	defer why.Close()
	left, err := rights.Drop()
	if err != nil {
		return err
	}
	log.Debug("The exporter has given up the capabilities that it needed only to attach", "left", left)
	buffer := samples.NewBuffer(f.retention)
	scanner := discovery.NewScanner(f.procfs, 0)
	if f.unixSockets && p.UnixErr() == nil {
		scanner.MeasureUnix()
	}
	m := monitor.New(monitor.Options{
		Window: f.window, Settle: f.settle, MaxTiers: f.maxTiers, MaxEdges: f.maxEdges, ProcRoot: f.procfs,
		StateDirectory: f.state, Log: log,
		Causes: why, NoCollections: f.causesOff[causes.GarbageCollection], Recorder: recorder,
		Peers: others, Boot: boot,
	}, p, offset, scanner, cfg, buffer)

	reload := reloader(ctx, f.configFile, m, log)
	overHTTP := reload
	if !f.lifecycle {
		overHTTP = nil
	}
	server := newServer(m, buffer, f.window, overHTTP, log)
	failed := make(chan error, 2)
	var loop sync.WaitGroup
	loop.Go(func() { failed <- m.Run(ctx) })
	go func() { failed <- web.ServeMultiple(listeners, server, f.web, log) }()
	log.Info("Measuring", "version", version.Info(), "window", f.window, "settle", f.settle)
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	stop()
	loop.Wait() // nothing reads the probe while it is closed
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
