// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/url"
	"time"
)

// outsidePort is where requests may name a server that is no tier (deploy/identity/realms.json allows it).
const outsidePort = 28096

// login is a login of a user of a realm with name and password: Keycloak reads the user, computes the hash of the
// password, and writes a session.
func login(realm string, user int) string {
	return fmt.Sprintf("POST /realms/%s/protocol/openid-connect/token?grant_type=password&client_id=shop&scope=openid"+
		"&username=user-%d&password=no-secret", realm, user)
}

// logins are those of several users.
func logins(realm string, n, apart int) []string {
	var out []string
	for i := 1; i <= n; i++ {
		out = append(out, login(realm, apart*i))
	}
	return out
}

// loginPage is the page with the form of the realm shop, for a client that is in some state.
func loginPage(state int) string {
	return fmt.Sprintf("/realms/shop/protocol/openid-connect/auth?client_id=shop&response_type=code&scope=openid"+
		"&redirect_uri=%s&state=%d", url.QueryEscape("http://127.0.0.1/"), state)
}

// askingOutside are silent checks whether a visitor is logged in, whose request must be read from another server, which
// takes this long. They show no login page: without its cache of realms this Keycloak can't, and answers with an error.
func askingOutside(wait time.Duration) []string {
	var out []string
	for i := 1; i <= 30; i++ {
		object := fmt.Sprintf("http://127.0.0.1:%d/%d/%d", outsidePort, i, wait.Milliseconds())
		out = append(out, loginPage(i)+"&prompt=none&response_mode=form_post&request_uri="+url.QueryEscape(object))
	}
	return out
}

// loggingIn are the requests to an identity provider: mostly logins, and the pages before them.
func loggingIn() []string {
	out := append(logins("shop", 60, 800), "/realms/shop/.well-known/openid-configuration",
		"/realms/shop/protocol/openid-connect/certs")
	for i := 1; i <= 20; i++ {
		out = append(out, loginPage(i))
	}
	return out
}

// identityScenarios are the faults of the identity provider.
func identityScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		// Any number of requests wait 150 ms for something outside, and no request for another.
		{name: "healthy-waiting", params: params{"OUTSIDE": "1"}, loads: func(float64) []load {
			return []load{{users: 40, think: 2 * second, pages: askingOutside(150 * time.Millisecond)}}
		}, expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("java", 300*time.Millisecond), expect: is("java", "stopped")},
		{name: "gc-frequent", params: params{"COLLECTOR": "SerialGC"}, loads: visit(0.3), beside: collect("java", 0.15),
			expect: always(bottleneck("java", "garbage_collection"), "alternating_bottleneck/java/garbage_collection")},
		// Without these indexes PostgreSQL reads all 150,000 users and their passwords for each login.
		{name: "db-limit", params: params{"INDEX": "0"},
			loads:  crowd(40, 100*time.Millisecond, logins("shop", 60, 800)...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		// The realm strict hashes passwords as Keycloak does by itself: with Argon2, in some 100 ms of computing.
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond, logins("strict", 60, 3)...),
			expect: is("java", "demand").orUnknown("java")},
		// Each request reads its realm from the database and then waits 40 ms for something outside with its connection
		// held: 50 pages a second at most, while all processors have time.
		{name: "pool-2", params: params{"POOL": "2", "REALM_CACHE": "false", "OUTSIDE": "1"},
			loads:  calmThenCrowd(40, askingOutside(40*time.Millisecond)...),
			expect: crowdedOut("java")},
		// Four threads, and requests wait 100 ms for something outside: 40 pages a second at most, while all processors
		// have time. The event loop reads every request at once; they wait for a thread in a queue of Keycloak's own.
		{name: "workers-few", params: params{"THREADS": "4", "OUTSIDE": "1"},
			loads:  calmThenCrowd(60, askingOutside(100*time.Millisecond)...),
			expect: crowdedOut("java")},
		{name: "burst", loads: burst, expect: burstOf("java")},
		{name: "cold-start", params: params{"COMPILER": "4"}, cold: true, loads: visit(0.3),
			expect: coldStartOf("java")},
	}
}
