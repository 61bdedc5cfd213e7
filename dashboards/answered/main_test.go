// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/dashboards"
)

const board = "../bottlenecks.json"

var boards = []string{board, "../capacity.json"}

// prometheus answers every question with one series, but those that contain a word of special.
func prometheus(t *testing.T, special map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := `{"status":"success","data":{"version":"3.15.0"}}`
		switch {
		case strings.Contains(r.URL.Path, "/label/"):
			answer = `{"status":"success","data":["one"]}`
		case strings.HasSuffix(r.URL.Path, "/query_range"):
			answer = `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1700000000,"NaN"],[1700000005,"1"]]}]}}`
		case strings.HasSuffix(r.URL.Path, "/query"):
			answer = `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"app":"shop"},"value":[1700000000,"1"]}]}}`
		}
		for word, other := range special {
			if strings.Contains(r.FormValue("query"), word) {
				answer = other
			}
		}
		if strings.Contains(answer, `"error"`) {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func ask(t *testing.T, special map[string]string) (int, string) {
	t.Helper()
	var out strings.Builder
	failed, err := run(append([]string{"--prometheus", prometheus(t, special), "--app", "shop"}, boards...), &out)
	if err != nil {
		t.Fatal(err)
	}
	return failed, out.String()
}

func TestEverythingIsAsked(t *testing.T) {
	failed, out := ask(t, nil)
	if failed != 0 {
		t.Errorf("%d failed:\n%s", failed, out)
	}
	for _, file := range boards {
		d, err := dashboards.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		const asksNothing = 1 // the choice of the data source
		want := len(d.Templating.List) - asksNothing + len(d.Annotations.List)
		for _, p := range d.Leaves() {
			want += len(p.Targets)
		}
		if got := strings.Count(out, "--- PASS: "+d.Title+"/"); got != want {
			t.Errorf("%s: %d queries, the dashboard has %d", d.Title, got, want)
		}
	}
}

func TestWhatIsNotAnswered(t *testing.T) {
	const (
		emptyMatrix = `{"status":"success","data":{"resultType":"matrix","result":[]}}`
		noNumber    = `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1700000000,"NaN"]]}]}}`
		emptyVector = `{"status":"success","data":{"resultType":"vector","result":[]}}`
		refused     = `{"status":"error","errorType":"bad_data","error":"exceeded maximum resolution"}`
	)
	for _, tt := range []struct{ name, word, answer, want string }{
		{"empty", "nstar_tier_aborts_total", emptyMatrix, "--- FAIL: Bottlenecks/Aborted requests/aborts"},
		{"no number", "nstar_tier_aborts_total", noNumber, "--- FAIL: Bottlenecks/Aborted requests/aborts"},
		{"error", "nstar_tier_aborts_total", refused, "exceeded maximum resolution"},
		{"may be empty", "ALERTS_FOR_STATE", emptyVector, "--- SKIP: Bottlenecks/Alerts firing/since"},
		{"error of what may be empty", "ALERTS_FOR_STATE", refused, "--- FAIL: Bottlenecks/Alerts firing/since"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			failed, out := ask(t, map[string]string{tt.word: tt.answer})
			if !strings.Contains(out, tt.want) {
				t.Errorf("no %q in\n%s", tt.want, out)
			}
			if fails := strings.Count(out, "--- FAIL"); failed != fails ||
				(fails > 0) == strings.Contains(tt.want, "SKIP") {
				t.Errorf("%d failed, %d lines say so", failed, fails)
			}
		})
	}
}

// TestExceptionsExist keeps the list of exceptions from outliving the queries.
func TestExceptionsExist(t *testing.T) {
	_, out := ask(t, nil)
	for name, reason := range mayBeEmpty {
		if !strings.Contains(out, "--- PASS: "+name+" ") {
			t.Errorf("no query %s", name)
		}
		if len(reason) < 10 {
			t.Errorf("%s: no reason", name)
		}
	}
}

// refusing is the address of a port that refuses connections until the test ends: it is taken, so that no other server
// can get it, but nobody listens.
func refusing(t *testing.T) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("http://127.0.0.1:%d", at.(*unix.SockaddrInet4).Port)
}

func TestArguments(t *testing.T) {
	nobody := refusing(t)
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"no Prometheus", []string{"--prometheus", nobody, board}, "no Prometheus answers at " + nobody},
		{"time", []string{"--time", "yesterday", board}, "--time"},
		{"range", []string{"--last", "0s", board}, "--last"},
		{"file", []string{"--prometheus", prometheus(t, nil), "nothing.json"}, "nothing.json"},
		{"no dashboard", []string{"--prometheus", prometheus(t, nil), "../package.json"}, "is not a dashboard"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := run(tt.args, &strings.Builder{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
	for text, want := range map[string]int64{"1700000000.25": 1700000000250, "2023-11-14T22:13:20Z": 1700000000000} {
		if at, err := parseTime(text); err != nil || at.UnixMilli() != want {
			t.Errorf("%s: %v %v", text, at, err)
		}
	}
}
