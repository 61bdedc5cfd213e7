// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"strings"
	"testing"
)

// Values just inside and just outside the limits of each kind of value.
func TestLimits(t *testing.T) {
	tests := []struct {
		field    string
		accepted []string
		refused  []string
	}{
		{"port", []string{"1", "65535", `"80"`}, []string{"0", "65536", "-1", "80.5", "0x50", `"80 "`, "[80]"}},
		{"address", []string{"10.0.0.1", "::1", "0.0.0.0", "'::'", "::ffff:10.0.0.1"},
			[]string{"10.0.0", "10.0.0.0/8", "fe80::1%eth0", "host", "{}"}},
		{"command", []string{"java", "a b", "80", "'~'", "größe"}, []string{"", "~", "' '", `"a\tb"`, "[a]"}},
		{"unit", []string{"web", "web@1.service"}, []string{"null", `"\u0000"`}},
		{"container", []string{"4", "web-1", "shop/front-1/nginx", `"0123456789"`}, []string{"''", "[a]"}},
	}
	for _, tt := range tests {
		parse := func(v string) error {
			_, err := Parse("f.yml", fmt.Appendf(nil, "ignore:\n- %s: %s\n", tt.field, v))
			return err
		}
		for _, v := range tt.accepted {
			if err := parse(v); err != nil {
				t.Errorf("%s: %s refused: %v", tt.field, v, err)
			}
		}
		for _, v := range tt.refused {
			if err := parse(v); err == nil {
				t.Errorf("%s: %s accepted", tt.field, v)
			} else if !strings.HasPrefix(err.Error(), "f.yml:2: ignore[0]."+tt.field+": ") {
				t.Errorf("%s: %s: the error does not name the place: %v", tt.field, v, err)
			}
		}
	}
}

// An error in the value of an alias names the line where the alias is used.
func TestAliasLine(t *testing.T) {
	_, err := Parse("f.yml", []byte("ignore:\n- port: &p 80\n\ntiers:\n- name: a\n  match:\n    address: *p\n"))
	if want := "f.yml:7: tiers[0].match.address: 80 is not an IP address"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
