/* SPDX-License-Identifier: GPL-2.0-only */
/* Which station a socket belongs to: asked once per connection, and again when the tables of tiers change. */
#ifndef NSTAR_ROLE_H
#define NSTAR_ROLE_H

#include "maps.h"

struct endpoints {
	__u32 netns;
	__u16 local_port;
	__u16 remote_port;
	__u8 local[16];
	__u8 remote[16];
};

static __always_inline void map_ipv4(__u8 *addr, __be32 v4)
{
	__builtin_memset(addr, 0, 10);
	addr[10] = addr[11] = 0xff;
	__builtin_memcpy(addr + 12, &v4, 4);
}

static __always_inline void endpoints_of(struct sock *sk, struct endpoints *e)
{
	const struct sock_common *k = &sk->__sk_common;

	__builtin_memset(e, 0, sizeof(*e));
	e->netns = k->skc_net.net->ns.inum;
	e->local_port = k->skc_num;
	e->remote_port = bpf_ntohs(k->skc_dport);
	if (k->skc_family == AF_INET) {
		map_ipv4(e->local, k->skc_rcv_saddr);
		map_ipv4(e->remote, k->skc_daddr);
	} else {
		BPF_CORE_READ_INTO(&e->local, sk, __sk_common.skc_v6_rcv_saddr);
		BPF_CORE_READ_INTO(&e->remote, sk, __sk_common.skc_v6_daddr);
	}
}

static __always_inline bool is_ipv4(const __u8 *addr)
{
	return !(addr[0] | addr[1] | addr[2] | addr[3] | addr[8] | addr[9]) && addr[10] == 0xff && addr[11] == 0xff;
}

/* The listener behind a local address: bound to it, or to all addresses of its family, or to all addresses. */
static __always_inline struct listener *listener_of(const struct endpoints *e)
{
	struct listener_key k = {.netns = e->netns, .port = e->local_port};
	struct listener *l;

	__builtin_memcpy(k.addr, e->local, 16);
	l = bpf_map_lookup_elem(&listeners, &k);
	if (l)
		return l;
	if (is_ipv4(e->local)) {
		map_ipv4(k.addr, 0);
		l = bpf_map_lookup_elem(&listeners, &k);
		if (l)
			return l;
	}
	__builtin_memset(k.addr, 0, 16);
	return bpf_map_lookup_elem(&listeners, &k);
}

/* The server at the remote end, if it has a name: a remote that the file names, or a tier of this host. */
static __always_inline struct listener *destination_of(const struct endpoints *e)
{
	struct listener_key k = {.port = e->remote_port}; /* named remotes have no namespace */
	struct endpoints there = {.netns = e->netns, .local_port = e->remote_port};
	struct listener *l;

	__builtin_memcpy(k.addr, e->remote, 16);
	l = bpf_map_lookup_elem(&listeners, &k);
	if (l)
		return l;
	__builtin_memcpy(there.local, e->remote, 16);
	return listener_of(&there);
}

/* Looks up the protocol of the destination, once for every change of the tables. */
static __always_inline void refresh_edge(__u32 station, const struct endpoints *e)
{
	struct edge_state *state = edge_state_of(station);
	__u32 current = generation;
	struct listener *l;

	if (!state || state->shared || state->generation == current)
		return;
	l = destination_of(e);
	state->given = l ? l->protocol : PROTOCOL_AUTO;
	state->generation = current;
}

/* A number that no edge has: one that was given back, or the next. */
static __always_inline __u32 free_number(void)
{
	__u32 edge;

	if (bpf_map_pop_elem(&free_edges, &edge) == 0) {
		__sync_fetch_and_add(&edges_reused, 1);
		return edge;
	}
	if (edges_used >= max_edges)
		return NO_STATION;
	edge = max_tiers + __sync_fetch_and_add(&edges_used, 1);
	return edge < max_tiers + max_edges ? edge : NO_STATION;
}

static __always_inline __u32 number_edge(struct edge_key *k)
{
	__u32 *known, edge;

	known = bpf_map_lookup_elem(&edges, k);
	if (known)
		return *known;
	edge = free_number();
	if (edge == NO_STATION) {
		dropped(DROP_EDGE_LIMIT);
		return NO_STATION;
	}
	if (bpf_map_update_elem(&edges, k, &edge, BPF_NOEXIST) == 0) {
		__sync_fetch_and_add(&edges_changed, 1);
		return edge;
	}
	if (bpf_map_push_elem(&free_edges, &edge, 0) == 0) /* another CPU was first */
		__sync_fetch_and_add(&edges_reused, -1);
	known = bpf_map_lookup_elem(&edges, k);
	return known ? *known : NO_STATION;
}

/*
 * The edge from a tier to the destination of its connection, numbered when first seen. A tier may connect to any
 * number of addresses (a proxy, a crawler): nameless ones get their own edges only in half of the table. Then they
 * share one edge for each tier, with address and port 0, so that they never displace the edges between tiers.
 */
static __noinline __u32 edge_of(__u32 from, const struct endpoints *e)
{
	struct edge_key k = {.from = from};
	struct edge_state *shared;
	__u32 *known, edge;

	if (!e)
		return NO_STATION;
	k.netns = e->netns;
	k.port = e->remote_port;
	__builtin_memcpy(k.addr, e->remote, 16);
	known = bpf_map_lookup_elem(&edges, &k);
	if (known || edges_used + edges_reused - edges_freed < max_edges / 2 || destination_of(e)) {
		edge = known ? *known : number_edge(&k);
		refresh_edge(edge, e);
		return edge;
	}
	k.netns = 0;
	k.port = 0;
	__builtin_memset(k.addr, 0, 16);
	edge = number_edge(&k);
	shared = edge_state_of(edge);
	if (shared)
		shared->shared = 1;
	return edge;
}

/* The result of the look-up of a socket. */
struct place {
	__u32 station;
	__u8 role;
	__u8 protocol; /* that the configuration names */
};

static __always_inline struct place place_at(__u8 role, __u32 station, __u8 protocol)
{
	struct place p = {.station = station, .role = station == NO_STATION ? ROLE_NONE : role, .protocol = protocol};

	return p;
}

/* Finds role and station by the socket's addresses. */
static __always_inline struct place find_place(struct sock *sk)
{
	struct endpoints e;
	struct outgoing_key o = {};
	struct listener *l;
	__u32 *from;

	endpoints_of(sk, &e);
	l = listener_of(&e);
	if (l)
		return place_at(ROLE_SERVER, l->station, l->protocol);
	o.netns = e.netns;
	o.local_port = e.local_port;
	o.remote_port = e.remote_port;
	__builtin_memcpy(o.local, e.local, 16);
	__builtin_memcpy(o.remote, e.remote, 16);
	from = bpf_map_lookup_elem(&outgoing, &o);
	if (from)
		return place_at(ROLE_CLIENT, edge_of(*from, &e), PROTOCOL_AUTO);
	return place_at(ROLE_NONE, NO_STATION, PROTOCOL_AUTO);
}

/* The tier of the process that is running: its own, or its parent's (a worker that has just been forked). */
static __always_inline __u32 running_tier(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u32 id = bpf_get_current_pid_tgid() >> 32;
	__u32 *tier = bpf_map_lookup_elem(&tier_processes, &id);

	if (tier)
		return *tier;
	id = BPF_CORE_READ(task, real_parent, tgid);
	tier = bpf_map_lookup_elem(&tier_processes, &id);
	return tier ? *tier : NO_STATION;
}

#endif
