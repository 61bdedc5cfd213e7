/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data written to a Unix socket. The headers that all programs share read a packet,
 * `struct __sk_buff`; if they are included after this file, that is a struct sent.
 */
#ifndef NSTAR_UNIX_SENT_H
#define NSTAR_UNIX_SENT_H

#include "kernel.h"

struct sent {
	__u64 end;      /* the socket's address in the kernel: whose connection it is (connections.h) */
	__u64 receiver; /* the same of the socket that it was written to */
	__u64 data;     /* the address of the bytes, in the kernel or in the memory of who writes (writer.h) */
	__u64 length;   /* of those that can be read there */
};

/* Without a branch, of which the verifier can't follow as many as there are loads: at address 0 nothing can be read. */
static __always_inline long load_sent(const struct sent *m, __u32 at, void *to, __u32 n)
{
	__u64 beyond = (m->length - at - n) >> 63;

	return bpf_probe_read(to, n, (const void *)((m->data + at) & (beyond - 1)));
}

#define __sk_buff sent
#define bpf_skb_load_bytes load_sent

#endif
