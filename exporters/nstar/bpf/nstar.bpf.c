//go:build ignore

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queue length and throughput of every tier and edge, from the packets at their sockets.
 *
 *   cgroup_skb/ingress, egress   every TCP segment of every socket below the cgroup: judge.h, turn.h, slots.h
 *   tp_btf/inet_sock_set_state   connections that begin (edges, deferred accepts) and end (aborts)
 *   iter/bpf_sk_storage_map      requests in flight and connections per station, for the drift check
 *
 * There is no event per request: user space reads the window slots through a memory map.
 */
#include "apply.h"
#include "role.h"

char LICENSE[] SEC("license") = "GPL";

/*
 * Data for a socket that still listens: with TCP_DEFER_ACCEPT (Apache's default) the request itself completes
 * the handshake, and the connection's own socket is created right behind this program, on the same CPU.
 */
struct deferred {
	__u16 local_port;
	__u8 pending;
	struct half half;
	struct segment segment;
	struct message message;
	__u64 now;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct deferred);
} deferred_requests SEC(".maps");

/* Looks a socket's role up, anew or for the first time. Rare, so it is kept out of the programs' hot code. */
static __noinline struct conn *resolve(struct bpf_sock *sk)
{
	struct conn *c = bpf_sk_storage_get(&conns, sk, 0, 0);
	struct tcp_sock *tcp = bpf_skc_to_tcp_sock(sk);
	__u32 current = generation; /* before the look-up: what changes meanwhile is looked up again */
	struct place p;

	if (!tcp)
		return NULL;
	p = find_place((struct sock *)tcp);
	if (!c) {
		c = bpf_sk_storage_get(&conns, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
		if (!c) {
			dropped(DROP_SOCKET_STORAGE);
			return NULL;
		}
	} else if (c->role == ROLE_CLIENT && p.role == ROLE_NONE) {
		/* an edge was found when its process connected; the addresses alone don't tell it */
		refresh_place((struct sock *)tcp, c->station);
		c->generation = current;
		return c;
	}
	take_place(c, p.role, p.station, p.protocol, bpf_ktime_get_ns());
	c->generation = current;
	return c;
}

/* The state of a socket that takes part, with an up-to-date role; NULL for all others. */
static __always_inline struct conn *conn_of(struct bpf_sock *sk)
{
	struct conn *c = bpf_sk_storage_get(&conns, sk, 0, 0);

	if (!c || c->generation != generation)
		c = resolve(sk);
	if (!c || c->role == ROLE_NONE || c->protocol == PROTOCOL_OPAQUE)
		return NULL;
	return c;
}

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct pipe);
} pipes SEC(".maps");

static __always_inline struct pipe *pipe_of(struct __sk_buff *skb, bool create)
{
	struct bpf_sock *sk = skb->sk;

	return sk ? bpf_sk_storage_get(&pipes, sk, 0, create ? BPF_SK_STORAGE_GET_F_CREATE : 0) : NULL;
}

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct streams);
} stream_tables SEC(".maps");

static __always_inline struct streams *streams_of(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;

	return sk ? bpf_sk_storage_get(&stream_tables, sk, 0, BPF_SK_STORAGE_GET_F_CREATE) : NULL;
}

static __noinline int is_in_window(struct __sk_buff *skb, const struct segment *s)
{
	struct bpf_sock *sk = skb->sk;
	struct tcp_sock *tcp;

	if (!sk || !s)
		return 0;
	if (s->sender == sk->src_port)
		return 1; /* our own TCP sends it */
	tcp = bpf_skc_to_tcp_sock(sk);
	if (!tcp)
		return 0;
	return (__s32)(s->seq - (BPF_CORE_READ(tcp, rcv_wup) + BPF_CORE_READ(tcp, rcv_wnd))) <= 0;
}

static __noinline void defer(struct __sk_buff *skb, struct bpf_sock *sk, const struct segment *s)
{
	__u32 zero = 0;
	struct deferred *f = bpf_map_lookup_elem(&deferred_requests, &zero);
	struct conn blank = {};
	struct half half = {};

	if (!f)
		return;
	f->local_port = sk->src_port;
	f->segment = *s;
	f->now = bpf_ktime_get_ns();
	start_message(&blank, &f->message);
	read_request(skb, s, &half, &f->message);
	f->half = half;
	f->pending = 1;
}

SEC("cgroup_skb/ingress")
int nstar_ingress(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct segment s = {};
	struct conn *c;

	if (!sk || !read_segment(skb, &s))
		return 1;
	if (sk->state == TCP_LISTEN) {
		defer(skb, sk, &s);
		return 1;
	}
	c = conn_of(sk);
	if (!c)
		return 1;
	if (c->role == ROLE_SERVER)
		take_request(skb, c, &s, bpf_ktime_get_ns());
	else
		take_answer(skb, c, &s, bpf_ktime_get_ns());
	return 1;
}

SEC("cgroup_skb/egress")
int nstar_egress(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct segment s = {};
	struct conn *c;

	if (!sk || !read_segment(skb, &s))
		return 1;
	c = conn_of(sk);
	if (!c)
		return 1;
	if (c->role == ROLE_SERVER)
		take_answer(skb, c, &s, bpf_ktime_get_ns());
	else
		take_request(skb, c, &s, bpf_ktime_get_ns());
	return 1;
}

/* An outgoing connection of a tier: runs in the process that connects. */
static __noinline void begin_edge(struct sock *sk)
{
	__u32 from = running_tier();
	__u32 current = generation;
	struct endpoints e;
	struct place p;
	struct conn *c;

	if (from == NO_STATION)
		return;
	c = bpf_sk_storage_get(&conns, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!c) {
		dropped(DROP_SOCKET_STORAGE);
		return;
	}
	endpoints_of(sk, &e);
	p = place_at(ROLE_CLIENT, edge_of(from, &e), PROTOCOL_AUTO);
	take_place(c, p.role, p.station, p.protocol, bpf_ktime_get_ns());
	c->generation = current;
}

/* The socket for a request that came while its listener still listened. */
static __noinline void begin_deferred(struct sock *sk)
{
	__u32 zero = 0;
	struct deferred *f = bpf_map_lookup_elem(&deferred_requests, &zero);
	__u32 current = generation;
	struct message m;
	struct place p;
	struct conn *c;

	if (!f || !f->pending)
		return;
	f->pending = 0;
	if (f->local_port != BPF_CORE_READ(sk, __sk_common.skc_num) ||
	    f->segment.sender != bpf_ntohs(BPF_CORE_READ(sk, __sk_common.skc_dport)))
		return;
	c = bpf_sk_storage_get(&conns, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!c) {
		dropped(DROP_SOCKET_STORAGE);
		return;
	}
	p = find_place(sk);
	take_place(c, p.role, p.station, p.protocol, f->now);
	c->generation = current;
	if (c->role != ROLE_SERVER)
		return;
	m = f->message;
	if (m.protocol == PROTOCOL_AUTO)
		m.protocol = c->protocol;
	c->request = f->half;
	request(c, &f->segment, &m, f->now);
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(nstar_state, struct sock *sk, int oldstate, int newstate)
{
	struct conn *c;

	if (newstate == TCP_LISTEN) {
		__sync_fetch_and_add(&listens, 1);
		return 0;
	}
	if (BPF_CORE_READ(sk, sk_protocol) != TCP)
		return 0;
	if (newstate == TCP_SYN_SENT) {
		begin_edge(sk);
		return 0;
	}
	if (newstate == TCP_ESTABLISHED) {
		begin_deferred(sk);
		return 0;
	}
	if (newstate != TCP_CLOSE)
		return 0;
	c = bpf_sk_storage_get(&conns, sk, 0, 0);
	if (!c || c->role == ROLE_NONE)
		return 0;
	take_leave(c, bpf_ktime_get_ns());
	return 0;
}

/* Requests in flight and connections of edges, per station, counted over the connections themselves. */
struct count {
	__u64 in_flight;
	__u64 open;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* stations, set when loaded */
	__type(key, __u32);
	__type(value, struct count);
} counts SEC(".maps");

SEC("iter/bpf_sk_storage_map")
int nstar_count(struct bpf_iter__bpf_sk_storage_map *ctx)
{
	struct conn *c = ctx->value;
	struct count *n;
	__u32 station;

	if (!ctx->sk || !c || (!c->outstanding && !c->open))
		return 0;
	station = c->station;
	n = bpf_map_lookup_elem(&counts, &station);
	if (!n)
		return 0;
	if (c->outstanding)
		ADD(n->in_flight, c->outstanding);
	if (c->open)
		ADD(n->open, 1);
	return 0;
}
