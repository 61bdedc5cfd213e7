//go:build ignore

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The state machine on one connection that the test owns, driven by BPF_PROG_TEST_RUN: a socket made for a
 * test run lives for that run only, so the connection is kept in an array instead of socket storage. The
 * clock is the packet's own time stamp. Everything else is what the exporter runs.
 */
#include "../apply.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct conn);
} connection SEC(".maps");

static __always_inline struct conn *the_connection(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&connection, &zero);
}

SEC("cgroup_skb/ingress")
int test_request(struct __sk_buff *skb)
{
	struct conn *c = the_connection();
	struct segment s = {};

	if (!c || !read_segment(skb, &s) || c->protocol == PROTOCOL_OPAQUE)
		return 1;
	take_request(skb, c, &s, skb->tstamp);
	return 1;
}

SEC("cgroup_skb/ingress")
int test_answer(struct __sk_buff *skb)
{
	struct conn *c = the_connection();
	struct segment s = {};

	if (!c || !read_segment(skb, &s) || c->protocol == PROTOCOL_OPAQUE)
		return 1;
	take_answer(skb, c, &s, skb->tstamp);
	return 1;
}

SEC("cgroup_skb/ingress")
int test_close(struct __sk_buff *skb)
{
	struct conn *c = the_connection();

	if (c)
		take_leave(c, skb->tstamp);
	return 1;
}
