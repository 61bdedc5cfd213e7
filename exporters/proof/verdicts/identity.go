// SPDX-License-Identifier: Apache-2.0

package main

// identity is Keycloak, as it is published: HAProxy, Keycloak on Quarkus (an event loop that reads all requests,
// threads that serve them, a pool of connections) and PostgreSQL. The tiers have the names that an exporter finds by
// itself.
var identity = application{
	name: "identity",
	tiers: []tier{
		{name: "haproxy", protocol: "http", port: 28094, calls: []string{"java"}},
		{name: "java", protocol: "http", port: 28095, calls: []string{"postgres"}},
		{name: "postgres", protocol: "postgres", port: 25437},
	},
	ports: map[string]int{"HAPROXY_PORT": 28094, "KEYCLOAK_PORT": 28095, "POSTGRESQL_PORT": 25437,
		"OUTSIDE_PORT": outsidePort},
	outside: []int{outsidePort},
	params: params{"COLLECTOR": "G1GC", "THREADS": "50", "POOL": "100", "REALM_CACHE": "true", // Keycloak's own
		"COMPILER": "1", "INDEX": "1", "OUTSIDE": ""},
	pages:   loggingIn(),
	warm:    25 * second,
	prepare: installed("postgresql", "keycloak", "haproxy", "log"),
	start:   startIdentity,
}

func startIdentity(s *stack) error {
	if err := s.postgresql("postgres", others()); err != nil {
		return err
	}
	start := s.script("start.sh")
	if s.params["OUTSIDE"] != "" {
		if err := s.part("outside", others(), s.listens("OUTSIDE_PORT"), start, "outside"); err != nil {
			return err
		}
	}
	if err := s.part("java", middle(), s.listens("KEYCLOAK_PORT"), start, "keycloak"); err != nil {
		return err
	}
	return s.part("haproxy", others(), func() error { return s.answers("/realms/shop") }, start, "haproxy")
}
