// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// view is an application as some exporters see it, under a name of its own: several views of one run can be compared.
type view struct {
	app       string
	exporters []*bed.Exporter
	inputs    []string          // files into which each exporter writes the input of its judges
	names     map[string]string // that the exporters have for the application's tiers, if they differ
}

// hosts is added to the name of an application that is seen by an exporter per tier, as on hosts of their own.
const hosts = "-hosts"

// oneConfig names all tiers in one exporter. Servers on the ports outside are to stay unknown.
func oneConfig(app, dir string, tiers []tier, outside ...int) string {
	var b strings.Builder
	b.WriteString("tiers:\n")
	for _, t := range tiers {
		b.WriteString(t.rule(app, dir))
	}
	b.WriteString(ignored(outside))
	return b.String()
}

// ignored is the configuration that takes the servers on some ports out of the discovery.
func ignored(ports []int) string {
	if len(ports) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("ignore:\n")
	for _, p := range ports {
		fmt.Fprintf(&b, "- {port: %d}\n", p)
	}
	return b.String()
}

// hostConfig is for the host of one tier: the other tiers are not there, and calls to them go to another host. What the
// tiers there are called, the exporters ask each other.
func hostConfig(app string, tiers []tier, here int, outside ...int) string {
	elsewhere := slices.Clone(outside)
	for i, t := range tiers {
		if i != here && t.port != 0 {
			elsewhere = append(elsewhere, t.port)
		}
	}
	return "tiers:\n" + tiers[here].rule(app, "") + ignored(elsewhere)
}

func (t tier) rule(app, dir string) string {
	if t.socket != "" {
		return fmt.Sprintf("- {name: %s, app: %s, match: {socket: %s}, protocol: %s}\n", t.name, app,
			filepath.Join(dir, t.socket), t.protocol)
	}
	if t.port == 0 {
		return fmt.Sprintf("- {name: %s, app: %s, match: {command: %[1]s}}\n", t.name, app)
	}
	return fmt.Sprintf("- {name: %s, app: %s, match: {port: %d, address: 127.0.0.1}, protocol: %s}\n",
		t.name, app, t.port, t.protocol)
}

// found is the name that the exporter gives the application by itself.
const found = "default"

// viewName names a view by the application, which the untold exporter does not know.
func (s *stack) viewName(v *view) string {
	if v.app == found {
		return s.name + "-untold"
	}
	return v.app
}

// watchUntold starts an exporter without a configuration: it finds the tiers and names them.
func (s *stack) watchUntold(binary string) (*view, error) {
	return s.watching(binary, found, "")
}

// watch starts the exporters of a view. Each keeps what it learns in a directory of its own, which is empty at first.
func (s *stack) watch(binary string, perTier bool) (*view, error) {
	if !perTier {
		return s.watching(binary, s.name, oneConfig(s.name, s.dir, s.seen(), s.outside...))
	}
	app := s.name + hosts
	var configs []string
	for i := range s.seen() {
		configs = append(configs, hostConfig(app, s.seen(), i, s.outside...))
	}
	return s.watching(binary, app, configs...)
}

// watching starts an exporter for each configuration and waits until each tier was found.
func (s *stack) watching(binary, app string, configs ...string) (*view, error) {
	v := &view{app: app, names: make(map[string]string)}
	for i, config := range configs {
		flags := []string{"--log.level=warn"}
		if config != "" { // other servers on this machine, hundreds under a soak, are not to be measured
			flags = append(flags, fmt.Sprintf("--limit.tiers=%d", len(s.tiers)+2))
		}
		input := s.bed.Path(fmt.Sprintf("recording-%s-%d", v.app, i))
		if s.recorded && knows(binary, "--record.file") {
			flags, v.inputs = append(flags, "--record.file="+input), append(v.inputs, input)
		}
		if s.counted {
			flags = append(flags, "--bpf.stats")
		}
		if knows(binary, "--state.directory") {
			state := s.bed.Path(fmt.Sprintf("state-%s-%d", v.app, i))
			if err := os.Mkdir(state, 0o700); err != nil {
				return nil, err
			}
			flags = append(flags, "--state.directory="+state)
		}
		e, err := s.bed.Exporter(binary, config, flags...)
		if err != nil {
			return nil, err
		}
		v.exporters = append(v.exporters, e)
	}
	for _, t := range s.tiers {
		if t.name == s.unseen { // its callers see its address
			v.names[t.name] = fmt.Sprintf("127.0.0.1:%d", t.port)
		}
	}
	for i, t := range s.seen() {
		if app == found && t.port == 0 { // no exporter finds it without a configuration
			continue
		}
		name := t.name
		if app == found && t.found != "" {
			name = t.found
			v.names[t.name] = name
		}
		e := v.exporters[i%len(v.exporters)]
		if err := e.AwaitTiers(name); err != nil {
			return nil, err
		}
		if app != found {
			continue
		}
		tiers, err := e.Tiers()
		if err != nil {
			return nil, err
		}
		// Where another program of that name listens, too, ours may be the one that is named after its port.
		if ours := fmt.Sprintf("%s:%d", name, t.port); tiers[ours] {
			v.names[t.name] = ours
		}
	}
	return v, nil
}

// knows reports whether an exporter, which may be an older one, has a flag.
func knows(binary, flag string) bool {
	help, _ := exec.Command(binary, "--help").CombinedOutput()
	return strings.Contains(string(help), flag)
}

const prometheusConf = `
global: {scrape_interval: 5s, evaluation_interval: 5s}
rule_files: [%q]
scrape_configs:
  - job_name: nstar
    static_configs: [{targets: [%[2]s]}]
  - job_name: nstar_windows
    metrics_path: /windows
    params: {consumer: [prometheus]}
    scrape_interval: 1s
    static_configs: [{targets: [%[2]s]}]
`

// prometheus is a running server with the project's own rules.
type prometheus struct{ *bed.Prometheus }

func startPrometheus(b *bed.Bed, binary, rules string, views []*view) (*prometheus, error) {
	rules, err := bed.RuleFiles(rules)
	if err != nil {
		return nil, err
	}
	var targets []string
	for _, v := range views {
		for _, e := range v.exporters {
			targets = append(targets, strconv.Quote(strings.TrimPrefix(e.URL, "http://")))
		}
	}
	p, err := b.Prometheus("prometheus", binary, fmt.Sprintf(prometheusConf, rules, strings.Join(targets, ", ")))
	return &prometheus{p}, err
}
