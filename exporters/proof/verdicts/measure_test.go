// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// An exporter per tier knows the tiers that its own calls, two in one case, and none of the others.
func TestHostConfig(t *testing.T) {
	for _, test := range []struct {
		app     application
		tier    string
		remotes []uint16 // ports
	}{
		{board, "httpd", []uint16{28009}},
		{board, "mariadb", nil},
		{blog, "php", []uint16{23307}},
		{shop, "haproxy", []uint16{28083}},
		{shop, "service", []uint16{26379, 25432}},
		{shop, "redis", nil},
		{wiki, "apache2", []uint16{21212, 23308}},
		{tracker, "puma", []uint16{25436}},
		{mesh, "gateway", []uint16{28087, 28088}},
		{mesh, "catalog", []uint16{25434}},
		{mesh, "rates", nil},
		{identity, "java", []uint16{25437}},
		{desk, "pgbouncer", []uint16{25439}},
		{magazine, "varnishd", []uint16{28102}},
		{ticketing, "uvicorn", []uint16{26380, 25441, 25672}},
		{mail, "php-fpm8.2", []uint16{21143, 23311}},
		{chat, "python3", []uint16{25445}},
		{orders, "java", []uint16{26381, 25446}},
		{pipeline, "spark", []uint16{29192, 29194}},
	} {
		t.Run(test.app.name+" "+test.tier, func(t *testing.T) {
			here := slices.IndexFunc(test.app.tiers, func(other tier) bool { return other.name == test.tier })
			c, err := config.Parse("nstar.yml", []byte(hostConfig("app", test.app.tiers, here, test.app.outside...)))
			if err != nil {
				t.Fatal(err)
			}
			if want := len(test.app.outside) + len(test.app.tiers) - 1; len(c.Ignore) != want {
				t.Errorf("ignores %+v, want %d servers: those outside and the other tiers", c.Ignore, want)
			}
			var ports []uint16
			for _, r := range c.Remotes {
				ports = append(ports, r.Address.Port())
			}
			if len(c.Tiers) != 1 || c.Tiers[0].Name != test.tier || !slices.Equal(ports, test.remotes) {
				t.Errorf("tiers %+v, remotes %+v, want %s and the ports %d", c.Tiers, c.Remotes,
					test.tier, test.remotes)
			}
		})
	}
}
