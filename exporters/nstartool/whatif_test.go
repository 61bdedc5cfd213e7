// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
)

func TestWhatifChanges(t *testing.T) {
	p := prediction{freezes: []string{"tomcat", "tomcat:garbage_collection"}, speed: []string{"mariadb=1.5"},
		pool: []string{"tomcat:mariadb=32"}, load: 2}
	got, err := p.changes()
	want := []whatif.Change{whatif.NoFreezes{Tier: "tomcat"}, whatif.NoFreezes{Tier: "tomcat",
		Cause: "garbage_collection"},
		whatif.Speed{Tier: "mariadb", Factor: 1.5}, whatif.Pool{From: "tomcat", To: "mariadb",
			Places: 32}, whatif.Load{Factor: 2}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n-want +got:\n%s", err, diff)
	}
}

func TestWhatifRun(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"status":"error","errorType":"internal","error":"out of order"}`,
			http.StatusInternalServerError)
	}))
	defer s.Close()
	for _, test := range []struct {
		args   []string
		code   int
		stderr string
	}{
		{[]string{"--help"}, exitOK, ""},
		{[]string{"--last", "soon"}, exitError, "write for example 90s, 3m or 2h"},
		{[]string{"--speed", "mariadb"}, exitError, "write for example mariadb=2"},
		{[]string{"--pool", "tomcat=32"}, exitError, "write for example tomcat:mariadb=32"},
		{[]string{"--output", "xml"}, exitError, "text,json"},
		{[]string{"--prometheus", s.URL}, exitError, "Prometheus does not answer"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"whatif"}, test.args...), &stdout, &stderr)
		if code != test.code || !strings.Contains(stderr.String(), test.stderr) {
			t.Errorf("%v: code %d, want %d; stderr %q", test.args, code, test.code, stderr.String())
		}
		if strings.Count(stderr.String(), "\n") > 1 {
			t.Errorf("%v: more than one line: %s", test.args, stderr.String())
		}
	}
}

func TestWhatifWrite(t *testing.T) {
	one := whatif.Prediction{App: "shop", Changes: []whatif.Change{whatif.Load{Factor: 1.5}}}
	two := one
	two.Changes = []whatif.Change{whatif.Speed{Tier: "db", Factor: 2}}
	for _, test := range []struct {
		output string
		all    []whatif.Prediction
		want   string
	}{
		{"text", nil, "None of the usual changes"},
		{"text", []whatif.Prediction{one, two}, "With db 2 times as fast"},
		{"json", []whatif.Prediction{one}, `"load": 1.5`},
	} {
		var b bytes.Buffer
		if err := (&prediction{output: test.output}).write(&b,
			test.all); err != nil || !strings.Contains(b.String(), test.want) {
			t.Errorf("%v: %s", err, b.String())
		}
	}
}
