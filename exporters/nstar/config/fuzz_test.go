// SPDX-License-Identifier: Apache-2.0

package config

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// FuzzParse checks that no input panics, that errors are one line that begins with the file's name, and that
// an accepted file has the promised properties.
func FuzzParse(f *testing.F) {
	example, err := os.ReadFile("../nstar.example.yml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example)
	for _, seed := range []string{
		"", "a: &a [*a]", "tiers: &t\n- name: x\n  match: *t", "<<: {tiers: []}", "? {a: b}\n: c",
		"tiers: [{name: !!binary aGk=, match: {port: 0x50}}]", "--- a\n--- b", "%YAML 9.9\n---\n", "\ufeff", "{",
		"ignore: [{address: fe80::1%eth0}]", "remotes: [{name: a, address: '0.0.0.0:1'}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("f.yml", data)
		if err != nil {
			if text := err.Error(); !strings.HasPrefix(text, "f.yml:") || strings.ContainsAny(text, "\n\r") {
				t.Errorf("error is not one line with the file's name: %q", text)
			}
			return
		}
		for _, tier := range c.Tiers {
			if tier.Name == "" || tier.App == "" || len(tier.Match) == 0 || slices.Contains(tier.Match, Match{}) ||
				!slices.Contains(protocols, tier.Protocol) {
				t.Errorf("accepted %+v", tier)
			}
		}
		if slices.Contains(c.Ignore, Match{}) {
			t.Error("accepted an empty ignore entry")
		}
		for _, r := range c.Remotes {
			if name, ok := c.RemoteName(r.Address); !ok || name != r.Name {
				t.Errorf("RemoteName(%s) = %q, %v", r.Address, name, ok)
			}
		}
	})
}
