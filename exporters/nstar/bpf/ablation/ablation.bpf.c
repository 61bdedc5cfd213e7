//go:build ignore

// SPDX-License-Identifier: GPL-2.0-only
/* The exporter's programs, cut off at the very beginning, after the headers, and after the socket's storage. */
#include "../conn.h"
#include "../packet.h"
#include "../ports.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct conn);
} conns SEC(".maps");

/* Has the compiler believe that a value is needed. */
#define USE(x) asm volatile("" : : "r"(x))

static __always_inline bool reads_headers(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct segment s;

	if (!sk || !may_take_part(sk->src_port, bpf_ntohs(sk->dst_port)) || !read_segment(skb, &s))
		return false;
	USE(s.seq);
	return true;
}

static __always_inline void finds_storage(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct conn *c;

	if (!sk || !reads_headers(skb))
		return;
	c = bpf_sk_storage_get(&conns, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (c)
		USE((__u64)c->role);
}

SEC("cgroup_skb/ingress")
int empty_ingress(struct __sk_buff *skb)
{
	return 1;
}

SEC("cgroup_skb/egress")
int empty_egress(struct __sk_buff *skb)
{
	return 1;
}

/* Where segments could be seen as well: as TCP receives them, and as they are given to a device. */
SEC("tp_btf/tcp_probe")
int empty_probe(void *ctx)
{
	return 0;
}

SEC("tp_btf/net_dev_queue")
int empty_queue(void *ctx)
{
	return 0;
}

/* The time that the kernel needs for any program at a context switch. */
SEC("tp_btf/sched_switch")
int empty_switch(void *ctx)
{
	return 0;
}

SEC("cgroup_skb/ingress")
int header_ingress(struct __sk_buff *skb)
{
	reads_headers(skb);
	return 1;
}

SEC("cgroup_skb/egress")
int header_egress(struct __sk_buff *skb)
{
	reads_headers(skb);
	return 1;
}

SEC("cgroup_skb/ingress")
int storage_ingress(struct __sk_buff *skb)
{
	finds_storage(skb);
	return 1;
}

SEC("cgroup_skb/egress")
int storage_egress(struct __sk_buff *skb)
{
	finds_storage(skb);
	return 1;
}
