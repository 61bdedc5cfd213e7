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

// prometheus answers with one tier whose windows are all in one state; it asks
// for a password when one is given.
func prometheus(t *testing.T, state, password string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, got, _ := r.BasicAuth(); got != password {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		vector := func(labels string, value int) {
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"app":"a","tier":"t"%s},"value":[1768446000,"%d"]}]}}`, labels, value)
		}
		switch query := r.FormValue("query"); {
		case strings.HasSuffix(r.URL.Path, "buildinfo"):
			fmt.Fprint(w, `{"status":"success","data":{"version":"3.15.0"}}`)
		case query == "time()":
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"scalar","result":[1768446000,"1768446000"]}}`)
		case strings.HasPrefix(query, "count_over_time("):
			vector(`,"state":"idle"`, 180)
		case strings.HasPrefix(query, "sum_over_time("):
			vector(`,"state":"`+state+`"`, 180)
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
		{[]string{"--prometheus", prometheus(t, "saturated", "")}, 0, "t is the bottleneck of a", ""},
		{[]string{"--prometheus", prometheus(t, "saturated", ""), "--exit-code"}, 3, "t is the bottleneck of a", ""},
		{[]string{"--prometheus", prometheus(t, "normal", ""), "--exit-code"}, 0, "No tier has been seen saturated", ""},
		{[]string{"--prometheus", prometheus(t, "idle", ""), "--exit-code"}, 4, "no requests", ""},
		{[]string{"--prometheus", prometheus(t, "saturated", ""), "--output", "json"}, 0, `"verdict": "single_bottleneck"`, ""},
		{[]string{"--prometheus", prometheus(t, "saturated", "secret"), "--http.config.file", config}, 0, "t is the bottleneck of a", ""},
		{[]string{"--prometheus", prometheus(t, "saturated", "secret")}, 1, "", "--http.config.file"},
		{[]string{"--http.config.file", "/nonexistent.yml"}, 1, "", "nonexistent.yml"},
		{[]string{"--prometheus", "localhost:9090"}, 1, "", "must begin with http://"},
		{[]string{"--prometheus", "http://[::1"}, 1, "", "is not a URL"},
		{[]string{"--last", "soon"}, 1, "", "write for example 90s, 3m or 2h"},
		{[]string{"--last", "0s"}, 1, "", "write for example 90s, 3m or 2h"},
		{[]string{"--output", "xml"}, 1, "", "text,json"},
		{[]string{"--nonsense"}, 1, "", "try nstartool --help"},
		{[]string{"--help"}, 0, "Exit codes: 0", ""},
	} {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"diagnose"}, test.args...), &stdout, &stderr)
		if code != test.code || !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(), test.stderr) {
			t.Errorf("%v: code %d, want %d; stdout %q; stderr %q", test.args, code, test.code, stdout.String(), stderr.String())
		}
		if strings.Count(stderr.String(), "\n") > 1 {
			t.Errorf("%v: more than one line: %s", test.args, stderr.String())
		}
	}
}
