// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/url"
	"time"
)

// Users of the chat, and its rooms, of which each user is in one (deploy/chat/fill.py).
const (
	chatters  = 100
	chatRooms = 25
)

// inRoom is a user's request for the room that the user is in.
func inRoom(user int, what string) string {
	return fmt.Sprintf("/%d/rooms/%d/%s", user, 1+(user-1)%chatRooms, what)
}

// profile is a user's request about another user.
func profile(user, of int) string {
	return fmt.Sprintf("/%d/profile/%s", user, url.PathEscape(fmt.Sprintf("@user%d:chat.test", of)))
}

// unread is the request of a user who got all messages up to the last time, and would wait this long for new ones.
func unread(user int, wait time.Duration) string {
	filter := url.QueryEscape(`{"room":{"timeline":{"limit":10},"state":{"lazy_load_members":true}}}`)
	return fmt.Sprintf("/%d/sync?timeout=%d&filter=%s{&since=next_batch}", user, wait.Milliseconds(), filter)
}

// chatting is what users of a chat do: most ask for news and read messages, some write one.
func chatting() (out []string) {
	for u := 1; u <= chatters; u += 2 {
		out = append(out, unread(u, 0), unread(u, 0), inRoom(u, "messages?dir=b&limit=20"),
			inRoom(u, "messages?dir=b&limit=50"), inRoom(u, "state"), inRoom(u, "joined_members"),
			profile(u, 1+u*7%chatters), profile(u, 1+u*31%chatters))
		if u%3 == 0 {
			out = append(out, "POST "+inRoom(u,
				`send/m.room.message?{"msgtype":"m.text","body":"What user `+fmt.Sprint(u)+
					` says in a run"}`))
		}
	}
	return out
}

// polls wait until somebody writes something, for 10 to 30 s.
func polls() (out []string) {
	for u := 1; u <= chatters; u++ {
		out = append(out, unread(u, 10*second+time.Duration(u)*200*time.Millisecond))
	}
	return out
}

// polling are this many clients that each hold such a poll, with a short moment between two.
func polling(clients int) load {
	return load{users: clients, think: 200 * time.Millisecond, pages: polls(), patience: time.Minute}
}

// lookedFor are searches in the old room for two words that all messages have, but none has one right behind the other:
// PostgreSQL has to look at all of them.
func lookedFor() (out []string) {
	for u := 1; u <= chatters; u += chatRooms {
		out = append(out, fmt.Sprintf("POST /%d/search?", u)+
			`{"search_categories":{"room_events":{"search_term":"\"first second\""}}}`)
	}
	return out
}

// profiles are asked for by all users.
func profiles() (out []string) {
	for u := 1; u <= chatters; u++ {
		out = append(out, profile(u, 1+u*7%chatters))
	}
	return out
}

// chatScenarios are the faults of the chat.
func chatScenarios() []scenario {
	// beside adds clients that poll to a load that is measured.
	beside := func(loads demand) demand {
		return func(capacity float64) []load {
			waiting := polling(120)
			waiting.duration = time.Hour
			return append(loads(capacity), waiting)
		}
	}
	return []scenario{
		{name: "healthy-30", loads: visit(0.3), expect: always("healthy")},
		{name: "healthy-70", well: 0.7, loads: visit(0.7), expect: always("healthy")},
		{name: "healthy-slow", loads: slow(2), expect: always("healthy")},
		// A hundred and twenty clients wait for 10 to 30 s until something is written in their rooms: this is
		// not waiting for a tier.
		{name: "healthy-polling", loads: beside(visit(0.3)), expect: always("healthy")},
		// The same, and nobody writes anything.
		{name: "healthy-idle", patient: true, loads: func(float64) []load { return []load{polling(120)} },
			expect: always("healthy")},
		{name: "db-stop", loads: visit(0.3), stops: stop("postgres", 200*time.Millisecond),
			expect: is("postgres", "stopped")},
		{name: "app-stop", loads: visit(0.3), stops: stop("python3", 300*time.Millisecond),
			expect: is("python3", "stopped")},
		// The same while 120 clients poll.
		{name: "app-stop-polling", loads: beside(visit(0.3)), stops: stop("python3", 300*time.Millisecond),
			expect: is("python3", "stopped")},
		// The table of all that was ever said, which most requests read, is locked for 300 ms every two seconds.
		{name: "db-lock", loads: visit(0.3), beside: running("locks"),
			expect: is("postgres", "stopped").orUnknown("postgres")},
		{name: "app-limit", loads: crowd(40, 100*time.Millisecond),
			expect: is("python3", "demand").orUnknown("python3")},
		{name: "app-limit-polling", loads: beside(crowd(40, 100*time.Millisecond)),
			expect: is("python3", "demand").orUnknown("python3")},
		{name: "db-limit", loads: crowd(20, 100*time.Millisecond, lookedFor()...),
			expect: is("postgres", "demand").orUnknown("postgres")},
		// Two connections to PostgreSQL, and a statement that reads a profile waits there for 40 ms without computing:
		// 50 pages a second at most.
		{name: "pool-few", params: params{"POOL": "2", "HOLD": "40"}, loads: calmThenCrowd(100, profiles()...),
			expect: crowdedOut("python3")},
		{name: "burst", loads: burst, expect: burstOf("python3")},
		{name: "cold-start", cold: true, loads: visit(0.3), expect: coldStartOf("python3")},
	}
}
