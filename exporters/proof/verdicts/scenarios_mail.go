// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// opened is a message of somebody's, and listing a page of the list of messages, as the browser asks for it.
func opened(user, n int) string {
	return fmt.Sprintf("/?_task=mail&_mbox=INBOX&_uid=%d&_action=show&u=%d", n, user)
}

func listing(user, n int) string {
	return fmt.Sprintf("/?_task=mail&_action=list&_mbox=INBOX&_page=%d&_remote=1&u=%d", n, user)
}

// sought looks for a word in subjects and senders, or in everything.
func sought(user int, where, word string) string {
	return fmt.Sprintf("/?_task=mail&_action=search&_mbox=INBOX&_scope=base&_headers=%s&_q=%s&_remote=1&u=%d", where,
		word,
		user)
}

// corresponding is what users of a webmail do: most read messages and lists of them, some look for one.
func corresponding() (out []string) {
	for u := 1; u <= 20; u++ {
		out = append(out, fmt.Sprintf("/?_task=mail&_mbox=INBOX&u=%d", u),
			listing(u, 1), listing(u, u), opened(u, 100*u), opened(u, 3000-7*u), opened(u, 1500+u))
		switch u % 4 {
		case 0:
			out = append(out, sought(u, "subject%2Cfrom", "budget"))
		case 1:
			out = append(out, fmt.Sprintf("/?_task=addressbook&u=%d", u))
		case 2:
			out = append(out, fmt.Sprintf("/?_task=settings&_action=preferences&u=%d", u))
		}
	}
	return out
}

// scans look for words that no message has: Dovecot reads all of them.
func scans() (out []string) {
	for u := 1; u <= 20; u++ {
		out = append(out, sought(u, "text", fmt.Sprintf("nowhere%d", u)))
	}
	return out
}

// mailScenarios are the faults of the webmail.
func mailScenarios() []scenario {
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(2), expect: always("healthy")},
		// Each password is looked up outside for 150 ms, any number at a time: no request waits for another.
		{name: "healthy-waiting", params: params{"CHILDREN": "48", "OUTSIDE": "0.15"}, loads: visit(0.3),
			expect: always("healthy")},
		{name: "imap-stop", loads: visit(0.3), stops: stop("dovecot", 200*time.Millisecond),
			expect: is("dovecot", "stopped")},
		{name: "db-stop", loads: visit(0.3), stops: stop("mariadbd", 200*time.Millisecond),
			expect: is("mariadbd", "stopped")},
		{name: "php-stop", loads: visit(0.3), stops: stop("php-fpm8.2", 200*time.Millisecond),
			expect: is("php-fpm8.2", "stopped")},
		{name: "imap-limit", loads: crowd(12, 100*time.Millisecond, scans()...),
			expect: is("dovecot", "demand").orUnknown("dovecot")},
		{name: "imap-quota", loads: visit(0.4), beside: throttle("dovecot", 0.5), expect: is("dovecot", "throttled")},
		// Pages of nobody, because for anybody else Dovecot has more to do than PHP.
		{name: "php-limit", loads: crowd(40, 100*time.Millisecond, "/?_task=login"),
			expect: is("php-fpm8.2", "demand").or(bottleneck("php-fpm8.2", "soft_resource")).orUnknown("php-fpm8.2")},
		// Two children of PHP-FPM, while each password is looked up outside for 150 ms: 13 pages a second at most.
		{name: "php-few", params: params{"CHILDREN": "2", "OUTSIDE": "0.15"},
			loads: calmThenCrowd(30, corresponding()...), expect: crowdedOut("php-fpm8.2")},
		// Two processes that look up passwords, and the same wait: 13 logins a second at most.
		{name: "logins-few", params: params{"CHILDREN": "48", "LOGINS": "2", "OUTSIDE": "0.15"},
			loads: calmThenCrowd(30, corresponding()...), expect: crowdedOut("dovecot")},
		{name: "burst", loads: burst, expect: burstOf("php-fpm8.2")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("php-fpm8.2")},
	}
}
