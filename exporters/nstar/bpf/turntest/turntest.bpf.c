//go:build ignore

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state machine on connections that the test owns, driven by BPF_PROG_TEST_RUN: a socket made for a
 * test run lives for that run only, so connections are kept in an array instead of socket storage. The packet's
 * mark is the connection's number, and its time stamp is the clock. Everything else is what the exporter runs.
 */
#include "../apply.h"
#include "../packet.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, struct conn);
} connections SEC(".maps");

static __always_inline struct conn *connection_of(struct __sk_buff *skb)
{
	__u32 number = skb->mark;

	return bpf_map_lookup_elem(&connections, &number);
}

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, struct pipe);
} pipes SEC(".maps");

static __always_inline struct pipe *pipe_of(struct __sk_buff *skb, bool create)
{
	__u32 number = skb->mark;

	return bpf_map_lookup_elem(&pipes, &number);
}

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, struct streams);
} stream_tables SEC(".maps");

static __always_inline struct streams *streams_of(struct __sk_buff *skb)
{
	__u32 number = skb->mark;

	return bpf_map_lookup_elem(&stream_tables, &number);
}

/* As in the exporter: if each request under way has a kind of its own. */
static __always_inline struct streams *open_streams(struct __sk_buff *skb, struct conn *c)
{
	return kinds_on && has_ids(c->protocol) ? streams_of(skb) : NULL;
}

/* A packet's priority stands for what the exporter learns from the socket: this, or a value of enum keeps. */
#define BEYOND_WINDOW 99

static __always_inline __u8 keeps_of(const struct __sk_buff *skb)
{
	return skb->priority == BEYOND_WINDOW ? 0 : skb->priority;
}

__noinline int is_in_window(struct __sk_buff *skb, const struct segment *s)
{
	return s && skb->priority != BEYOND_WINDOW;
}

SEC("cgroup_skb/ingress")
int test_request(struct __sk_buff *skb)
{
	struct conn *c = connection_of(skb);
	struct segment s = {};

	if (!c || !read_segment(skb, &s) || c->protocol == PROTOCOL_OPAQUE)
		return 1;
	s.keeps = keeps_of(skb);
	take_request(skb, c, &s, goes_on(c, &s), skb->tstamp);
	return 1;
}

SEC("cgroup_skb/ingress")
int test_answer(struct __sk_buff *skb)
{
	struct conn *c = connection_of(skb);
	struct segment s = {};

	if (!c || !read_segment(skb, &s) || c->protocol == PROTOCOL_OPAQUE)
		return 1;
	s.keeps = keeps_of(skb);
	take_answer(skb, c, &s, skb->tstamp);
	return 1;
}

/* The connection takes its place at the station that the packet's priority names. */
SEC("cgroup_skb/ingress")
int test_place(struct __sk_buff *skb)
{
	struct conn *c = connection_of(skb);
	__u32 station = skb->priority;

	if (c)
		take_place(c, open_streams(skb, c), station < max_tiers ? ROLE_SERVER : ROLE_CLIENT, station, PROTOCOL_AUTO,
			   skb->tstamp);
	return 1;
}

SEC("cgroup_skb/ingress")
int test_close(struct __sk_buff *skb)
{
	struct conn *c = connection_of(skb);

	if (c)
		take_end(c, pipe_of(skb, false), skb->tstamp);
	if (c) {
		take_leave(c, open_streams(skb, c), false, skb->tstamp);
		c->left = 0; /* scripts go on with a new connection in the same place */
	}
	return 1;
}
