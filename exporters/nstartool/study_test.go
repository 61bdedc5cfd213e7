// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const exampleOfStudy = "study/report/testdata/load.yaml"

func TestStudy(t *testing.T) {
	for _, test := range []struct {
		name  string
		args  []string
		files []string
		says  string
	}{
		{"a file that names a CSV", []string{exampleOfStudy}, []string{"classes.csv", "metrics.csv", "points.csv",
			"report.html", "report.md", "rules.yaml",
			"rules_test.yaml"},
			"httpd requests tells in 2 of 2 setups"},
		{"rules for another setup", []string{exampleOfStudy, "--rules.setup", "two cores", "--margin", "0.07"},
			[]string{"classes.csv", "metrics.csv", "points.csv", "report.html", "report.md", "rules.yaml",
				"rules_test.yaml"}, "M = 7.0 %, as given."},
		{"a CSV alone", []string{filepath.Join(filepath.Dir(exampleOfStudy), "load.csv"), "--app", "shop"},
			[]string{"classes.csv", "metrics.csv", "points.csv", "report.html", "report.md", "rules.yaml",
				"rules_test.yaml"}, "requests tells in 2 of 2 setups"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new")
			var stdout, stderr bytes.Buffer
			code := run(append([]string{"study", "--output.directory", dir}, test.args...), &stdout, &stderr)
			if code != exitOK || !strings.Contains(stdout.String(), test.says) {
				t.Fatalf("code %d, stderr %q, stdout %s", code, stderr.String(), stdout.String())
			}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, e := range entries {
				files = append(files, e.Name())
			}
			if strings.Join(files, " ") != strings.Join(test.files, " ") {
				t.Errorf("files %v, want %v", files, test.files)
			}
		})
	}
}

func TestStudyErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	recorded := write("recorded.yaml",
		`{app: a, setups: [{points: [{clients: 1, from: 2026-01-01T00:00:00Z, to: 2026-01-01T00:01:00Z}]}]}`)
	for _, test := range []struct {
		args []string
		says string
	}{
		{nil, "required argument 'experiment'"},
		{[]string{"/nonexistent.yaml"}, "/nonexistent.yaml"},
		{[]string{write("bad.csv", "clients\n1\n")}, `no column "throughput"`},
		{[]string{write("bare.csv", "clients,throughput\n1,1\n")}, "no metrics"},
		{[]string{exampleOfStudy, "--rules.setup", "nope"}, `--rules.setup "nope": there is no such setup`},
		{[]string{exampleOfStudy, "--margin", "7"}, "--margin 7"},
		{[]string{recorded, "--prometheus", "localhost:9090"}, "must begin with http://"},
		{[]string{recorded, "--prometheus", "http://127.0.0.1:1"}, "connection refused"},
	} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"study", "--output.directory", filepath.Join(dir, "out")}, test.args...)
		code := run(args, &stdout, &stderr)
		if code != exitError || !strings.Contains(stderr.String(), test.says) ||
			strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: code %d, stderr %q, want one line with %q", test.args, code, stderr.String(), test.says)
		}
	}
}
