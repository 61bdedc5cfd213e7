// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"testing"
)

// rare are series that the rules read and that most tiers do not have: those of consumers, and of Unix sockets.
var rare = []string{"nstar_edge_commits_total", "nstar_edge_patient_calls_total", "nstar_edge_patient_seconds_total",
	"nstar_tier_unix_socket_info"}

// The figures of the bench hold only if the synthetic exporters show what the rules read of a real one.
func TestCrowdShowsWhatTheRulesRead(t *testing.T) {
	var shown bytes.Buffer
	for _, h := range crowd(10, 9, 2) {
		shown.Write(h.metrics(0, nil))
	}
	rules, err := os.ReadFile("../../../rules/judgement.yaml")
	if err != nil {
		t.Fatal(err)
	}
	read := regexp.MustCompile(`\bnstar_(tier|edge)_\w+`).FindAllString(string(rules), -1)
	if len(read) == 0 {
		t.Fatal("the rules read nothing")
	}
	for _, name := range read {
		if !bytes.Contains(shown.Bytes(), []byte("\n"+name+"{")) && !slices.Contains(rare, name) {
			t.Errorf("no synthetic exporter shows %s", name)
		}
	}
}
