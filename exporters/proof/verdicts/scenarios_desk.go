// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/base64"
	"fmt"
	"time"
)

// deskToken is the token by which a form proves that it is of the help desk; it matches nginx's cookie
// (deploy/desk/nginx.conf).
const deskToken = "TokenOfTheHelpDeskForItsOwnForms"

// request is a page of the help desk: a question of a customer, and the answers.
func request(n int) string { return fmt.Sprintf("/tickets/%d/", n) }

// listed is the request that a list of tickets makes after its page: tickets of one queue in a state, or all that
// contain a word.
func listed(filter, word string) string {
	asked := fmt.Sprintf(`{"filtering":{%s},"sorting":"created","search_string":%q}`, filter, word)
	return "/datatables_ticket_list/" + base64.StdEncoding.EncodeToString([]byte(asked))
}

// noted is a note on a ticket, behind which its page is shown again. nginx sends the cookie with the token.
func noted(n int) string {
	return fmt.Sprintf("POST /tickets/%d/update/?csrfmiddlewaretoken=%s&title=Note+of+a+run"+
		"&comment=Number+%d&public=1", n, deskToken, n)
}

// answering is what the staff of a help desk do: most read tickets and lists of them, some write notes.
func answering() []string {
	out := []string{"/tickets/", "/kb/", "/tickets/submit/"}
	for i := 1; i <= 20; i++ {
		out = append(out, request(40*i), request(70*i), request(500*i),
			listed(fmt.Sprintf(`"status__in":[1],"queue__id__in":[%d]`, 1+i%10), ""))
		switch i % 5 {
		case 0:
			out = append(out, fmt.Sprintf("/kb/queue-%d/", 1+i%10))
		case 1:
			out = append(out, "/rss/recent_activity/")
		case 2:
			out = append(out, noted(60*i))
		}
	}
	return out
}

// lookups look for words that no ticket has: PostgreSQL reads all of them, several times.
func lookups() (out []string) {
	for i := 1; i <= 30; i++ {
		out = append(out, listed("", fmt.Sprintf("nowhere%d", i)))
	}
	return out
}

// asking are tickets' pages with an argument.
func asking(argument string) (out []string) {
	for i := 1; i <= 30; i++ {
		out = append(out, request(40*i)+"?"+argument)
	}
	return out
}

// deskScenarios are the faults of the help desk.
func deskScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(2), expect: always("healthy")},
		// Each page waits 150 ms for something outside, and finds a process: no request waits for another.
		{name: "healthy-waiting", params: params{"PROCESSES": "24"}, loads: func(capacity float64) []load {
			return []load{{users: max(1, int(0.3*capacity*2)), think: 2 * second, pages: asking("outside=150")}}
		}, expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "bouncer-stop", loads: visit(0.3), stops: stop("pgbouncer", 300*time.Millisecond),
			expect: is("pgbouncer", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("uwsgi", 300*time.Millisecond),
			expect: is("uwsgi", "stopped")},
		// The table of tickets, which nearly all pages read, is locked for 300 ms every two seconds.
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("postgres", "stopped").orUnknown("postgres")},
		{name: "db-limit", loads: crowd(20, 100*time.Millisecond, lookups()...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond), expect: is("uwsgi", "demand").orUnknown("uwsgi")},
		// Two connections to PostgreSQL, which pages hold for 100 ms within a transaction while they wait for something
		// outside: 20 pages a second at most, while all processors have time. Each page finds a process of uWSGI; few
		// visitors at first, then 30.
		{name: "pool-2", params: params{"PROCESSES": "24", "POOL": "2"},
			loads:  calmThenCrowd(30, asking("hold=100")...),
			expect: crowdedOut("pgbouncer")},
		// The same with six processes, which all wait, most of them for a connection: pages wait in front of uWSGI,
		// too, and more processes would gain nothing.
		{name: "pool-2-crowd", params: params{"POOL": "2"}, loads: calmThenCrowd(30, asking("hold=100")...),
			expect: crowdedOut("pgbouncer")},
		// Two processes, and pages wait 150 ms for something outside, without a connection to anybody: 13 pages a
		// second at most.
		{name: "workers-few", params: params{"PROCESSES": "2"}, loads: calmThenCrowd(30, asking("outside=150")...),
			expect: crowdedOut("uwsgi")},
		{name: "burst", loads: burst, expect: burstOf("uwsgi")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("uwsgi")},
	}
}
