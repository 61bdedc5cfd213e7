// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

func TestQuery(t *testing.T) {
	answer := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	client, err := api.NewClient(api.Config{Address: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, answer string
		want         int // series; -1: an error
	}{
		{"two series", `{"status": "success", "data": {"resultType": "vector", "result": [
			{"metric": {"tier": "web"}, "value": [1, "2.5"]}, {"metric": {"tier": "db"}, "value": [1, "NaN"]}]}}`, 2},
		{"none", `{"status": "success", "data": {"resultType": "vector", "result": []}}`, 0},
		{"a scalar", `{"status": "success", "data": {"resultType": "scalar", "result": [1, "2"]}}`, -1},
		{"refused", `{"status": "error", "errorType": "bad_data", "error": "no"}`, -1},
		{"no JSON", `<html>`, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer = c.answer
			found, err := Query(v1.NewAPI(client), "up")
			if c.want < 0 != (err != nil) || err == nil && len(found) != c.want {
				t.Errorf("%v, %v", found, err)
			}
			if c.want == 2 && (found[0].Metric["tier"] != "web" || found[0].Value != 2.5) {
				t.Errorf("%v", found[0])
			}
		})
	}
}

func TestRuleFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := RuleFiles(filepath.Join(dir, "*.yaml")); err == nil {
		t.Error("no error where no rules are")
	}
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := RuleFiles(filepath.Join(dir, "*.yaml")); err != nil || got != filepath.Join(dir, "*.yaml") {
		t.Errorf("%q, %v", got, err)
	}
}
