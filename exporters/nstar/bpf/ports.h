/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ports that may belong to a station's socket. All other sockets are skipped at once: a look
 * at two words costs a tenth of finding a socket's state, and nothing is stored for them. A mark
 * means "perhaps" and is never taken back, so that connections stay in sight until they end.
 */
#ifndef NSTAR_PORTS_H
#define NSTAR_PORTS_H

#include "kernel.h"

#define PORT_WORDS 1024 /* of 64 ports each */

/* Each word has one writer, so that user space needs no lock against the kernel. */
struct ports {
	__u64 serving[PORT_WORDS]; /* local ports of listeners, by user space */
	struct {
		__u64 joined; /* remote ports of connections that were open before their tier was known, by user space */
		__u64 called; /* remote ports that tiers connect to, by the programs */
	} remote[PORT_WORDS];
	__u64 greeting[PORT_WORDS]; /* of servers that speak first, by the programs (greeting.h) */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ports);
} station_ports SEC(".maps");

static __always_inline struct ports *the_ports(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&station_ports, &zero);
}

/* Ports in host order. */
static __always_inline bool may_take_part(__u16 local, __u16 remote)
{
	const struct ports *p = the_ports();

	if (!p)
		return false;
	if (p->serving[local / 64] >> (local % 64) & 1)
		return true;
	return (p->remote[remote / 64].joined | p->remote[remote / 64].called) >> (remote % 64) & 1;
}

/* Whether a listener of a tier may have the port. */
static __always_inline bool may_serve(__u16 local)
{
	const struct ports *p = the_ports();

	return p && p->serving[local / 64] >> (local % 64) & 1;
}

/* A tier connects to a port. */
static __always_inline void mark_called(__u16 remote)
{
	struct ports *p = the_ports();
	__u64 bit = 1ull << (remote % 64);

	if (p && !(p->remote[remote / 64].called & bit))
		__sync_fetch_and_or(&p->remote[remote / 64].called, bit);
}

#endif
