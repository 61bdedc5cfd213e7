// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// An exporter per tier measures that tier, and none of the others.
func TestHostConfig(t *testing.T) {
	for _, test := range []struct {
		app  application
		tier string
	}{
		{board, "httpd"}, {board, "mariadb"}, {blog, "php"}, {shop, "haproxy"}, {shop, "service"}, {shop, "redis"},
		{wiki, "apache2"}, {tracker, "puma"}, {mesh, "gateway"}, {mesh, "rates"}, {identity, "java"},
		{desk, "pgbouncer"}, {magazine, "varnishd"}, {ticketing, "uvicorn"}, {mail, "php-fpm8.2"}, {chat, "python3"},
		{orders, "java"}, {pipeline, "spark"},
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
			if len(c.Tiers) != 1 || c.Tiers[0].Name != test.tier {
				t.Errorf("tiers %+v, want %s", c.Tiers, test.tier)
			}
		})
	}
}
