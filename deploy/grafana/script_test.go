// SPDX-License-Identifier: Apache-2.0

package grafana

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestScript runs grafana.sh where something is missing: one line must say what to do.
func TestScript(t *testing.T) {
	home := t.TempDir()
	for _, directory := range []string{"bin", "conf", "public"} {
		if err := os.Mkdir(filepath.Join(home, directory), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(home, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("conf/defaults.ini", "")
	write("bin/grafana", "#!/bin/sh\n[ \"$1\" = --version ] && echo grafana version 11.6.0 && exit\nenv\n")
	script := func(home string, args ...string) string {
		command := exec.Command("./grafana.sh", args...)
		command.Env = []string{"PATH=/usr/bin:/bin", "GRAFANA_HOME=" + home}
		out, _ := command.CombinedOutput()
		return strings.TrimSpace(string(out))
	}
	for _, tt := range []struct {
		name, home string
		args       []string
		want       string
	}{
		{"finds it", home, []string{"--find"}, home},
		{"empty home", t.TempDir(), []string{"--find"}, "holds no Grafana"},
		{"no directory", home, nil, "usage: grafana.sh DIR"},
		{"unknown option", home, []string{"--help"}, "usage: grafana.sh DIR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := script(tt.home, tt.args...); !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
				t.Errorf("said %q, want one line with %q", got, tt.want)
			}
		})
	}
	if _, err := os.Stat("../../grafana-plugin/dist/module.js"); err != nil {
		if got := script(home, t.TempDir()); !strings.Contains(got, "run make panel") {
			t.Errorf("without the panel: %q", got)
		}
		return
	}
	if got := script(home, t.TempDir()); !strings.Contains(got, "11.6.0") || !strings.Contains(got, "too old") {
		t.Errorf("an old Grafana: %q", got)
	}
	write("bin/grafana", "#!/bin/sh\n[ \"$1\" = --version ] && echo grafana version 13.2.2 && exit\necho \"$@\"\nenv\n")
	got := script(home, t.TempDir())
	for _, want := range []string{"server --homepath " + home, "PROMETHEUS_URL=http://127.0.0.1:19090",
		"GF_SERVER_HTTP_ADDR=127.0.0.1", "NSTAR_DASHBOARDS="} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in what Grafana is given:\n%s", want, got)
		}
	}
}
