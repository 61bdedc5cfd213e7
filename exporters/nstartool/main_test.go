// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// prometheus answers with one application of one tier and one verdict; it asks
// for a password when one is given.
func prometheus(t *testing.T, verdict, password string) string {
	t.Helper()
	const at = 1768446000
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, got, _ := r.BasicAuth(); got != password {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		matrix := func(labels, value string) {
			fmt.Fprintf(w,
				`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"app":"a"%s},"values":[[%d,"%s"],[%d,"%[3]s"]]}]}}`,
				labels, at-60, value, at)
		}
		switch query := r.FormValue("query"); {
		case strings.HasSuffix(r.URL.Path, "buildinfo"):
			fmt.Fprint(w, `{"status":"success","data":{"version":"3.15.0"}}`)
		case query == "time()":
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"scalar","result":[%d,"%[1]d"]}}`, at)
		case strings.HasPrefix(query, "nstar:app_verdict") && strings.Contains(verdict, "bottleneck"):
			matrix(`,"tier":"t","cause":"demand","verdict":"`+verdict+`"`, "0.5")
		case strings.HasPrefix(query, "nstar:app_verdict"):
			matrix(`,"verdict":"`+verdict+`"`, "1")
		case strings.HasPrefix(query, "nstar:app_throughput") && verdict != "idle":
			matrix("", "100")
		case strings.HasPrefix(query, "nstar:app_response_time"):
			matrix(`,"tier":"t"`, "0.2")
		case strings.HasPrefix(query, "nstar_window_"), strings.HasSuffix(r.URL.Path, "query_range"):
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`)
		default:
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"vector","result":[]}}`)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestRun(t *testing.T) {
	config := filepath.Join(t.TempDir(), "http.yml")
	if err := os.WriteFile(config, []byte("basic_auth: {username: me, password: secret}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		{[]string{"--prometheus", prometheus(t, "single_bottleneck", "")}, 0,
			"In a, t is at its limit: 100 ms (50 %) of the mean response time of 200 ms", ""},
		{[]string{"--prometheus", prometheus(t, "single_bottleneck", ""), "--exit-code"}, 3, "t is at its limit", ""},
		{[]string{"--prometheus", prometheus(t, "alternating_bottleneck", ""), "--exit-code"}, 3,
			"The bottleneck of a alternates", ""},
		{[]string{"--prometheus", prometheus(t, "healthy", ""), "--exit-code"}, 0, "a is healthy", ""},
		{[]string{"--prometheus", prometheus(t, "learning", ""), "--exit-code"}, 4, "still learning", ""},
		{[]string{"--prometheus", prometheus(t, "learning", "")}, 0, "still learning", ""},
		{[]string{"--prometheus", prometheus(t, "idle", ""), "--exit-code"}, 4, "no requests", ""},
		{[]string{"--prometheus", prometheus(t, "single_bottleneck", ""), "--output", "json"}, 0,
			`"verdict": "single_bottleneck"`, ""},
		{[]string{"--prometheus", prometheus(t, "healthy", "secret"), "--http.config.file", config}, 0,
			"a is healthy", ""},
		{[]string{"--prometheus", prometheus(t, "healthy", "secret")}, 1, "", "--http.config.file"},
		{[]string{"--http.config.file", "/nonexistent.yml"}, 1, "", "nonexistent.yml"},
		{[]string{"--prometheus", "localhost:9090"}, 1, "", "must begin with http://"},
		{[]string{"--prometheus", "http://[::1"}, 1, "", "is not a URL"},
		{[]string{"--last", "soon"}, 1, "", "write for example 90s, 3m or 2h"},
		{[]string{"--last", "0s"}, 1, "", "write for example 90s, 3m or 2h"},
		{[]string{"--time", "last night"}, 1, "", "write for example 2026-01-31T03:12:00Z"},
		{[]string{"--prometheus", prometheus(t, "healthy", ""), "--time", "1768442400"}, 0, "a is healthy", ""},
		{[]string{"--prometheus", prometheus(t, "healthy", ""), "--time", "1768449600"}, 1, "", "is in the future"},
		{[]string{"--output", "xml"}, 1, "", "text,json"},
		{[]string{"--nonsense"}, 1, "", "try nstartool --help"},
		{[]string{"--help"}, 0, "Exit codes: 0", ""},
	} {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"diagnose"}, test.args...), &stdout, &stderr)
		if code != test.code || !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(),
			test.stderr) {
			t.Errorf("%v: code %d, want %d; stdout %q; stderr %q", test.args, code, test.code, stdout.String(),
				stderr.String())
		}
		if strings.Count(stderr.String(), "\n") > 1 {
			t.Errorf("%v: more than one line: %s", test.args, stderr.String())
		}
	}
}
