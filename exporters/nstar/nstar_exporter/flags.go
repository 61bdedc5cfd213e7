// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/common/promslog"
	promslogflag "github.com/prometheus/common/promslog/flag"
	"github.com/prometheus/common/version"
	"github.com/prometheus/exporter-toolkit/web"
	"github.com/prometheus/exporter-toolkit/web/kingpinflag"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/peers"
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
	unixSockets bool
	bpfStats    bool
	procfs      string
	state       string
	record      string
	recordMost  int
	lifecycle   bool
	processors  int
	causesOff   map[string]bool
	peers       bool
	peersPort   int
	peersConfig string
	peersGiven  []string
	web         *web.FlagConfig
	log         promslog.Config
}

// parse reads the command line; --help and --version end the process.
func parse(args []string) (*flags, error) {
	var f flags
	app := kingpin.New("nstar_exporter",
		"Exports the queue length and throughput of every tier on this host, in windows of 50 ms.")
	app.Version(version.Print("nstar_exporter"))
	app.HelpFlag.Short('h')
	app.Flag("config.file", "YAML file that names, groups or ignores tiers. Not needed: without it every listening "+
		"process is a tier.").StringVar(&f.configFile)
	app.Flag("config.check", "Check the configuration file and exit.").BoolVar(&f.configCheck)
	app.Flag("window", "Width of the windows, 10ms to 1s.").Default("50ms").SetValue(duration{"--window", &f.window})
	app.Flag("settle", "How long the end of an answer may still move before its window is handed out.").Default(
		"500ms").SetValue(duration{"--settle", &f.settle})
	app.Flag("windows.retention", "How long windows wait for a consumer of /windows.").Default("2m").SetValue(
		duration{"--windows.retention", &f.retention})
	app.Flag("limit.tiers", "Most tiers measured; memory grows with it.").Default("64").SetValue(number{"--limit.tiers",
		&f.maxTiers})
	app.Flag("limit.edges", "Most edges measured; memory grows with it.").Default("192").SetValue(
		number{"--limit.edges",
			&f.maxEdges})
	app.Flag("unix-sockets", "Measure also servers that other programs call over a Unix socket (Linux 6.3 or "+
		"newer).").Default(
		"true").BoolVar(&f.unixSockets)
	app.Flag("bpf.stats", "Count the runs and run time of the kernel programs, by the kernel's statistics of all BPF "+
		"programs. For this the kernel reads the clock twice for each run. Needs "+
		"CAP_SYS_ADMIN.").Default("false").BoolVar(&f.bpfStats)
	app.Flag("path.procfs", "Where the host's procfs is mounted.").Default("/proc").StringVar(&f.procfs)
	app.Flag("state.directory", "Directory in which base residence and saturation points are kept over a restart; "+
		"without it they are learned again.").StringVar(&f.state)
	app.Flag("record.file", "File that records all data on which the verdicts are based, so that a wrong verdict can "+
		"be examined elsewhere (docs/verdicts/judged-again.md): names of tiers and figures, 10 to 30 kB a second. Off "+
		"if empty.").StringVar(&f.record)
	app.Flag("record.limit", "Megabytes after which the recording ends.").Default("100").SetValue(
		number{"--record.limit",
			&f.recordMost})
	app.Flag("peers", "Ask other exporters what their tiers are called: those on this host, and those on hosts with "+
		"private addresses that a tier here calls. Without it such calls end at an address, unless the configuration "+
		"file names it.").Default("true").BoolVar(&f.peers)
	app.Flag("peers.port", "Port of the exporters on other hosts; 0 for the own port.").Default("0").SetValue(
		number{"--peers.port", &f.peersPort})
	app.Flag("peers.address", "HOST or HOST:PORT of exporters on other hosts that may name whatever is reached "+
		"through their hosts, such as containers; a name stands for all of its addresses (a headless service of "+
		"Kubernetes). May be given more than once.").StringsVar(&f.peersGiven)
	app.Flag("peers.config.file", "HTTP client configuration in Prometheus' format (basic_auth, tls_config ...) for "+
		"asking other exporters. With a tls_config they are asked over HTTPS.").StringVar(&f.peersConfig)
	app.Flag("runtime.gomaxprocs", "Processors that the exporter runs on at a time. One is cheapest.").Envar(
		"GOMAXPROCS").Default("1").SetValue(number{"--runtime.gomaxprocs", &f.processors})
	app.Flag("web.enable-lifecycle",
		"Read the configuration file again on POST /-/reload; SIGHUP always does.").BoolVar(&f.lifecycle)
	wanted := make(map[string]*bool)
	for _, k := range causes.Switches() {
		wanted[k.Name] = app.Flag("cause."+k.Name, "Measure: "+k.Help).Default("true").Bool()
	}
	f.web = kingpinflag.AddFlags(app, ":9965")
	promslogflag.AddFlags(app, &f.log)
	if _, err := app.Parse(args); err != nil {
		return nil, fmt.Errorf("%w; see --help", err)
	}
	f.causesOff = make(map[string]bool)
	for name, on := range wanted {
		f.causesOff[name] = !*on
	}
	return &f, nil
}

func (f *flags) check() error {
	switch {
	case f.window < 10*time.Millisecond || f.window > time.Second:
		return fmt.Errorf("--window=%s: must be between 10ms and 1s", f.window)
	case time.Second%f.window != 0 || f.window%time.Millisecond != 0:
		return fmt.Errorf("--window=%s: must be whole milliseconds and divide one second evenly, so that hosts agree "+
			"on the windows (10ms, 20ms, 50ms, 100ms, 200ms ...)", f.window)
	case f.settle < 2*f.window || f.settle < 100*time.Millisecond || f.settle > 10*time.Second:
		return fmt.Errorf("--settle=%s: must be between 100ms (two windows at least) and 10s", f.settle)
	case f.retention < 10*time.Second || f.retention > time.Hour:
		return fmt.Errorf("--windows.retention=%s: must be between 10s and 1h; Prometheus refuses older samples",
			f.retention)
	case f.maxTiers < 1 || f.maxTiers > 1024 || f.maxEdges < 1 || f.maxEdges > 4096:
		return fmt.Errorf("--limit.tiers=%d --limit.edges=%d: must be between 1 and 1024, 1 and 4096",
			f.maxTiers, f.maxEdges)
	}
	if f.processors < 1 {
		return fmt.Errorf("--runtime.gomaxprocs=%d: must be at least 1", f.processors)
	}
	if f.peersPort < 0 || f.peersPort > 65535 {
		return fmt.Errorf("--peers.port=%d: must be between 0 and 65535", f.peersPort)
	}
	for _, at := range f.peersGiven {
		if err := peers.CheckGiven(at); err != nil {
			return fmt.Errorf("--peers.address: %w", err)
		}
	}
	if f.recordMost < 1 || f.recordMost > 100_000 {
		return fmt.Errorf("--record.limit=%d: must be between 1 and 100000", f.recordMost)
	}
	if _, err := os.Stat(filepath.Join(f.procfs, "self", "stat")); err != nil {
		return fmt.Errorf("--path.procfs=%s: no procfs is mounted there", f.procfs)
	}
	if f.state != "" {
		if info, err := os.Stat(f.state); err != nil || !info.IsDir() {
			return fmt.Errorf("--state.directory=%s: is not a directory; create it, owned by the exporter's user",
				f.state)
		}
	}
	return nil
}

// duration and number are flag values whose errors say which flag is wrong and what it takes.
type duration struct {
	flag  string
	value *time.Duration
}

func (d duration) String() string { return d.value.String() }

func (d duration) Set(s string) (err error) {
	if *d.value, err = time.ParseDuration(s); err != nil {
		return fmt.Errorf("%s=%s: must be a duration such as 50ms, 2s or 5m", d.flag, s)
	}
	return nil
}

type number struct {
	flag  string
	value *int
}

func (n number) String() string { return strconv.Itoa(*n.value) }

func (n number) Set(s string) (err error) {
	if *n.value, err = strconv.Atoi(s); err != nil {
		return fmt.Errorf("%s=%s: must be a whole number", n.flag, s)
	}
	return nil
}
