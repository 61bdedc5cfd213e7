// SPDX-License-Identifier: Apache-2.0

// Package grafana checks what can be checked of a deployment without running it.
package grafana

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const plugin = "nstar-mainsequence-panel"

type service struct {
	Image       string
	NetworkMode string `yaml:"network_mode"`
	EnvFile     string `yaml:"env_file"`
	Environment map[string]string
	Command     []string
	Volumes     []string
	Profiles    []string
}

func compose(t *testing.T) map[string]service {
	t.Helper()
	var file struct{ Services map[string]service }
	read(t, "compose.yaml", &file)
	if len(file.Services) == 0 {
		t.Fatal("no services")
	}
	return file.Services
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// settings reads grafana.env as Docker does, which knows no quotes that the shell would not take away.
func settings(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open("grafana.env")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	found := make(map[string]string)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || !regexp.MustCompile(`^GF_[A-Z]+_[A-Z_]+$`).MatchString(name) ||
			strings.ContainsAny(value, " \"'$`\\;&|") {
			t.Errorf("%q means different things to a shell and to Docker", line)
		}
		found[name] = value
	}
	return found
}

func TestImagesArePinned(t *testing.T) {
	for name, s := range compose(t) {
		if !regexp.MustCompile(`^[a-z]+/[a-z]+:v?\d+\.\d+\.\d+$`).MatchString(s.Image) {
			t.Errorf("%s: image %s has no exact version", name, s.Image)
		}
	}
	// The same Prometheus that the rules are tested on.
	module, err := os.ReadFile("../../tools/prometheus/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	pinned := regexp.MustCompile(`prometheus/prometheus v0\.(\d)(\d\d)\.(\d+)`).FindSubmatch(module)
	if pinned == nil {
		t.Fatal("no Prometheus in tools/prometheus/go.mod")
	}
	want := "prom/prometheus:v" + string(pinned[1]) + "." + strings.TrimPrefix(string(pinned[2]), "0") + "." +
		string(pinned[3])
	if got := compose(t)["prometheus"].Image; got != want {
		t.Errorf("Prometheus %s, the rules are tested on %s", got, want)
	}
}

func TestMountsExist(t *testing.T) {
	for name, s := range compose(t) {
		for _, volume := range s.Volumes {
			parts := strings.Split(volume, ":")
			if !strings.HasPrefix(parts[0], ".") {
				continue // a volume by name
			}
			if len(parts) != 3 || parts[2] != "ro" {
				t.Errorf("%s: %s is not mounted read-only", name, volume)
			}
			source := parts[0]
			if filepath.Base(source) == "dist" {
				source = filepath.Join(filepath.Dir(source), "src") // dist is built
			}
			if _, err := os.Stat(source); err != nil {
				t.Errorf("%s mounts what does not exist: %v", name, err)
			}
		}
	}
}

// TestPlugin compares the places that name the panel with the panel.
func TestPlugin(t *testing.T) {
	content, err := os.ReadFile("../../grafana-plugin/src/plugin.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		ID           string
		Dependencies struct{ GrafanaDependency string }
	}
	if err := json.Unmarshal(content, &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.ID != plugin {
		t.Errorf("the panel calls itself %s", manifest.ID)
	}
	if got := settings(t)["GF_PLUGINS_ALLOW_LOADING_UNSIGNED_PLUGINS"]; got != plugin {
		t.Errorf("unsigned plugins allowed: %q, want %s and no other", got, plugin)
	}
	grafana := compose(t)["grafana"]
	if !strings.Contains(strings.Join(grafana.Volumes, " "), "dist:"+grafana.Environment["GF_PATHS_PLUGINS"]+
		"/"+plugin+":ro") {
		t.Errorf("the panel is not mounted in the directory of plugins: %v", grafana.Volumes)
	}
	script, err := os.ReadFile("grafana.sh")
	if err != nil {
		t.Fatal(err)
	}
	oldest := regexp.MustCompile(`(?m)^OLDEST=(.*)$`).FindSubmatch(script)
	if oldest == nil || !strings.HasPrefix(manifest.Dependencies.GrafanaDependency, ">="+string(oldest[1])) {
		t.Errorf("grafana.sh asks for Grafana %s, the panel for %s", oldest, manifest.Dependencies.GrafanaDependency)
	}
}

func TestLoopbackAndNobody(t *testing.T) {
	for name, want := range map[string]string{
		"GF_SERVER_HTTP_ADDR":                        "127.0.0.1",
		"GF_SERVER_HTTP_PORT":                        "13000",
		"GF_AUTH_ANONYMOUS_ORG_ROLE":                 "Viewer",
		"GF_AUTH_BASIC_ENABLED":                      "false",
		"GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION": "true",
		"GF_ANALYTICS_REPORTING_ENABLED":             "false",
		"GF_ANALYTICS_CHECK_FOR_UPDATES":             "false",
		"GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES":      "false",
		"GF_PLUGINS_PREINSTALL_DISABLED":             "true",
		"GF_PLUGINS_PUBLIC_KEY_RETRIEVAL_DISABLED":   "true",
		"GF_NEWS_NEWS_FEED_ENABLED":                  "false",
	} {
		if got := settings(t)[name]; got != want {
			t.Errorf("%s=%s, want %s", name, got, want)
		}
	}
	services := compose(t)
	if services["grafana"].EnvFile != "grafana.env" {
		t.Errorf("Grafana's settings come from %q", services["grafana"].EnvFile)
	}
	for name, s := range services {
		if s.NetworkMode != "host" {
			t.Errorf("%s cannot reach the host's loopback: network_mode %q", name, s.NetworkMode)
		}
		for variable := range s.Environment {
			if strings.HasPrefix(variable, "GF_") && !strings.HasPrefix(variable, "GF_PATHS_") {
				t.Errorf("%s belongs into grafana.env, where grafana.sh finds it too", variable)
			}
		}
	}
	if !strings.Contains(strings.Join(services["prometheus"].Command, " "), "--web.listen-address=127.0.0.1:") {
		t.Error("Prometheus listens on more than loopback")
	}
	if len(services["prometheus"].Profiles) == 0 {
		t.Error("Prometheus would start beside the demo's")
	}
}

// TestVariablesAreSet finds what the provisioning files leave to the environment, in both ways to start Grafana.
func TestVariablesAreSet(t *testing.T) {
	script, err := os.ReadFile("grafana.sh")
	if err != nil {
		t.Fatal(err)
	}
	given := compose(t)["grafana"].Environment
	used := 0
	files, _ := filepath.Glob("provisioning/*/*.yaml")
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`\$\{(\w+)\}`).FindAllStringSubmatch(string(content), -1) {
			used++
			if given[match[1]] == "" {
				t.Errorf("compose.yaml does not set %s", match[1])
			}
			if !regexp.MustCompile(`(?m)^` + match[1] + `=`).Match(script) {
				t.Errorf("grafana.sh does not set %s", match[1])
			}
		}
	}
	if used == 0 {
		t.Error("no variables found")
	}
	// Both also tell Grafana where everything is.
	for _, path := range []string{"GF_PATHS_PLUGINS", "GF_PATHS_PROVISIONING"} {
		if given[path] == "" || !strings.Contains(string(script), "\n"+path+"=") {
			t.Errorf("%s is not set in both", path)
		}
	}
}

func TestDataSource(t *testing.T) {
	var file struct {
		Datasources []struct {
			Name, UID, Type, URL string
			Editable             bool
			JSONData             struct {
				TimeInterval string `yaml:"timeInterval"`
			} `yaml:"jsonData"`
		}
	}
	read(t, "provisioning/datasources/nstar.yaml", &file)
	if len(file.Datasources) != 1 {
		t.Fatalf("%d data sources", len(file.Datasources))
	}
	source := file.Datasources[0]
	if source.UID != "nstar-prometheus" || source.Type != "prometheus" || source.URL != "${PROMETHEUS_URL}" ||
		source.Editable {
		t.Errorf("data source %+v", source)
	}
	// $__rate_interval is four times this; with less than the scrape interval, rates would have holes.
	var prometheus struct {
		Global struct {
			ScrapeInterval string `yaml:"scrape_interval"`
		}
	}
	read(t, "../prometheus/prometheus.yml", &prometheus)
	if source.JSONData.TimeInterval != prometheus.Global.ScrapeInterval {
		t.Errorf("timeInterval %s, Prometheus scrapes every %s", source.JSONData.TimeInterval,
			prometheus.Global.ScrapeInterval)
	}
}
