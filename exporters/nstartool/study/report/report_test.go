// SPDX-License-Identifier: Apache-2.0

package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
	"github.com/nstar-project/nstar/exporters/nstartool/study/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

// servers are the directories of the oldest and the newest Prometheus that the
// rules are for; `make test-rules` and `make prometheus` fetch them.
var servers = map[string]string{
	"2.42": "../../../../.cache/debian/usr/bin",
	"3.15": "../../../../.cache/tools/prometheus-3.15.0",
}

// example is the study of testdata/load.yaml.
func example(t *testing.T) *study.Report {
	t.Helper()
	e, err := source.Read(context.Background(), "testdata/load.yaml", "", func() (v1.API, error) {
		return nil, errors.New("a CSV needs no Prometheus")
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := study.Run(e, -1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestGolden(t *testing.T) {
	r := example(t)
	for name, write := range map[string]func(io.Writer) error{
		"report.md":           func(w io.Writer) error { return Markdown(w, r) },
		"classes.csv":         func(w io.Writer) error { return Classes(w, r) },
		"metrics.csv":         func(w io.Writer) error { return Metrics(w, r) },
		"points.csv":          func(w io.Writer) error { return Points(w, r) },
		"report.txt":          func(w io.Writer) error { return Text(w, r) },
		"rules.yaml":          func(w io.Writer) error { return Rules(w, r, 0) },
		"rules_promtool.yaml": func(w io.Writer) error { return RulesTest(w, r, 0, "rules.yaml") },
	} {
		var got bytes.Buffer
		if err := write(&got); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// TestPromtool checks the generated rules, and runs the test that is written with them, with promtool of the
// oldest and the newest Prometheus that they are for. It is skipped if they are not there.
func TestPromtool(t *testing.T) {
	for name, directory := range servers {
		t.Run(name, func(t *testing.T) {
			promtool, err := filepath.Abs(filepath.Join(directory, "promtool"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(promtool); err != nil {
				t.Skip(err)
			}
			r := example(t)
			for setup := range r.Setups {
				dir := t.TempDir()
				var rules, test bytes.Buffer
				if err := errors.Join(Rules(&rules, r, setup), RulesTest(&test, r, setup, "rules.yaml")); err != nil {
					t.Fatal(err)
				}
				run := func(wantOK bool, args ...string) {
					t.Helper()
					c := exec.Command(promtool, args...)
					c.Dir = dir
					if out, err := c.CombinedOutput(); (err == nil) != wantOK {
						t.Errorf("%v: %v\n%s", args, err, out)
					}
				}
				write := func(rules string) {
					t.Helper()
					err := errors.Join(os.WriteFile(filepath.Join(dir, "rules.yaml"), []byte(rules), 0o644),
						os.WriteFile(filepath.Join(dir, "rules_test.yaml"), test.Bytes(), 0o644))
					if err != nil {
						t.Fatal(err)
					}
				}
				write(rules.String())
				run(true, "check", "rules", "rules.yaml")
				run(true, "test", "rules", "rules_test.yaml")
				// The test must notice a threshold that was changed.
				write(strings.ReplaceAll(rules.String(), `source="study"} - `, `source="study"} + 1000 - `))
				run(false, "test", "rules", "rules_test.yaml")
			}
		})
	}
}

// TestPrometheus loads the rules in real servers and asks for what they record.
func TestPrometheus(t *testing.T) {
	r := example(t)
	for name, directory := range servers {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(directory, "prometheus")
			if _, err := os.Stat(program); err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			var rules bytes.Buffer
			if err := Rules(&rules, r, 0); err != nil {
				t.Fatal(err)
			}
			config := filepath.Join(dir, "prometheus.yml")
			err := errors.Join(os.WriteFile(filepath.Join(dir, "rules.yaml"), rules.Bytes(), 0o644),
				os.WriteFile(config, []byte("rule_files: [rules.yaml]\n"), 0o644))
			if err != nil {
				t.Fatal(err)
			}
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address := free.Addr().String()
			free.Close()
			server := exec.Command(program, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
				"--web.listen-address="+address)
			if err := server.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = server.Process.Kill()
				_ = server.Wait()
			})
			query := "http://" + address + "/api/v1/query?query=" +
				url.QueryEscape(`sum(`+seriesCapacity+`{level="peak"})`)
			want := `"` + number(r.Curves[0].Peak.Value) + `"`
			body, all := "", ""
			for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(
				200 * time.Millisecond) {
				body, all = get(query), get("http://"+address+"/api/v1/rules")
				if strings.Contains(all, `"health":"err"`) {
					t.Fatalf("not every rule is well: %s", all)
				}
				if strings.Contains(body, want) && strings.Count(all, `"health":"ok"`) == 7 {
					return
				}
			}
			t.Errorf("not every rule is well: %s", all)
			t.Errorf("within a minute %s did not answer %s but %s", query, want, body)
		})
	}
}

func get(url string) string {
	response, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return string(body)
}

// TestHTML checks that the page holds everything and asks for nothing.
func TestHTML(t *testing.T) {
	r := example(t)
	var b bytes.Buffer
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	html := b.String()
	for _, word := range []string{"src=", "http://", "https://", "@import", "<link", "<script"} {
		if strings.Contains(html, word) {
			t.Errorf("the page has %q: it must stand alone", word)
		}
	}
	pictures := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(html, -1)
	if want := 3 + len(r.Setups)*(1+len(r.Rows)); len(pictures) != want {
		t.Errorf("%d pictures, want %d", len(pictures), want)
	}
	for _, p := range pictures {
		if strings.Contains(p, "NaN") || strings.Contains(p, "Inf") {
			t.Errorf("a picture has no place for a point: %.200s", p)
		}
		for d := xml.NewDecoder(strings.NewReader(p)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %.200s", err, p)
			}
		}
	}
}

// TestEscaping: names come from files.
func TestEscaping(t *testing.T) {
	r := example(t)
	const bad = `<script>"'&`
	r.App, r.Setups[0].Name, r.Rows[0].Metric.Name, r.Rows[0].Metric.Unit = bad, bad, bad, bad
	r.ThroughputUnit = bad
	var b bytes.Buffer
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("a name got into the page as it is")
	}
}

// TestUnjudged: an experiment that stops before the peak is reported as such.
func TestUnjudged(t *testing.T) {
	r := example(t)
	e := r.Experiment
	e.Setups = e.Setups[:1]
	e.Setups[0].Points = e.Setups[0].Points[:5]
	r, err := study.Run(e, -1)
	if err != nil {
		t.Fatal(err)
	}
	var text, html, markdown bytes.Buffer
	if err := errors.Join(Text(&text, r), HTML(&html, r), Markdown(&markdown, r)); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{text.String(), html.String(), markdown.String()} {
		if !strings.Contains(got, "go on with more clients") || !strings.Contains(got, "No setup shows both sides") {
			t.Errorf("%.400s", got)
		}
	}
}
