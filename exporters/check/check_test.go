// SPDX-License-Identifier: Apache-2.0

package check

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecorded holds the recorded scrape of each system, which stands in for
// the system itself, against its list of series. `make check-exporters` asks
// the real systems.
func TestRecorded(t *testing.T) {
	for _, file := range lists(t) {
		list := readList(t, file)
		recorded := strings.TrimSuffix(file, "series.txt") + "recorded.txt"
		content, err := os.ReadFile(recorded)
		if err != nil {
			t.Errorf("%s has no recorded scrape: %v", file, err)
			continue
		}
		scrape, err := ReadScrape(bytes.NewReader(content))
		if err != nil {
			t.Errorf("%s: %v", recorded, err)
			continue
		}
		for _, wrong := range Compare(list, nil, scrape) {
			t.Errorf("%s: %s", recorded, wrong)
		}
	}
}

// TestRulesHaveSeries checks that each series that the rules read is on a list,
// so that a system's new release can't take it away unnoticed.
func TestRulesHaveSeries(t *testing.T) {
	listed := map[string]bool{}
	for _, file := range lists(t) {
		for _, s := range readList(t, file) {
			listed[s.Name] = true
		}
	}
	read := 0
	for _, file := range []string{"indicators_systems.yaml", "indicators_pipeline.yaml"} {
		content, err := os.ReadFile(filepath.Join("..", "..", "rules", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`([a-zA-Z0-9_]+)\{app!=""`).FindAllStringSubmatch(
			string(content), -1) {
			read++
			name := match[1]
			if !listed[name] {
				t.Errorf("%s reads %s, which is on no list", file, name)
			}
		}
	}
	if read < 50 {
		t.Errorf("only %d series found in the rules", read)
	}
}

func lists(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*/*series.txt")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d lists of series: %v", len(files), err)
	}
	return files
}

func readList(t *testing.T, file string) []Series {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadList(string(content))
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: %d series, %v", file, len(list), err)
	}
	return list
}

func TestCompare(t *testing.T) {
	list, err := ReadList("# a comment\nmoves requests_total kind=a\nmoves requests_total kind=b\nrests size\nmoves " +
		"gone\nrests away kind=a\n")
	if err != nil {
		t.Fatal(err)
	}
	scrape := func(text string) Scrape {
		s, err := ReadScrape(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const types = "# TYPE requests_total counter\n# TYPE size gauge\n"
	before := scrape(types + "requests_total{kind=\"a\",host=\"h\"} 1\nrequests_total{kind=\"b\"} 5\nsize 3\ngone 1\n")
	after := scrape(types + "requests_total{kind=\"a\",host=\"h\"} 2\nrequests_total{kind=\"b\"} 5\nsize " +
		"3\naway{kind=\"b\"} 1\n")
	want := []string{"requests_total kind=b stands still", "gone is gone", "away kind=a is gone"}
	if diff := cmp.Diff(want, Compare(list, before, after)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var b bytes.Buffer
	if err := Record(&b, list, after); err != nil || strings.Count(b.String(),
		"# TYPE requests_total") != 1 || !strings.Contains(b.String(), "size 3") {
		t.Errorf("%v: %s", err, b.String())
	}
	for _, bad := range []string{"moves", "jumps a", "moves a b"} {
		if _, err := ReadList(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestSummary: the two series of a summary have names of their own, which its
// family has not.
func TestSummary(t *testing.T) {
	list, err := ReadList("moves pause_seconds_sum gc=Copy\nmoves pause_seconds_count gc=Copy\nrests " +
		"pause_seconds_max\n")
	if err != nil {
		t.Fatal(err)
	}
	scrape := func(sum, count string) Scrape {
		s, err := ReadScrape(strings.NewReader("# TYPE pause_seconds summary\npause_seconds_sum{gc=\"Copy\"} " + sum +
			"\npause_seconds_count{gc=\"Copy\"} " + count + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	after := scrape("0.5", "3")
	want := []string{"pause_seconds_count gc=Copy stands still", "pause_seconds_max is gone"}
	if diff := cmp.Diff(want, Compare(list, scrape("0.25", "3"), after)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var b bytes.Buffer
	if err := Record(&b, list, after); err != nil || strings.Count(b.String(), "pause_seconds_count{") != 1 {
		t.Errorf("%v: %s", err, b.String())
	}
}
