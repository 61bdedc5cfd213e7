// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// The words of an answer are no complaint.
func TestPromtoolComplains(t *testing.T) {
	const begin = "Unit Testing:  /tmp/replay.yaml\n  FAILED:\n"
	for answer, want := range map[string]bool{
		begin + `    expr: "nstar:app_verdict", time: 1m,
        exp: nil
        got: {app="shop", cause="errors", tier="web", verdict="single_bottleneck"} 0E+00

`: false,
		begin + "  unsupported type of an expression, error\n":                                  true,
		"Unit Testing:  /tmp/replay.yaml\n  FAILED:\nyaml: line 3: did not find expected key\n": true,
	} {
		if got := complains(answer); got != want {
			t.Errorf("%v, want %v: %s", got, want, answer)
		}
	}
}
