/* SPDX-License-Identifier: GPL-2.0-only */
/* A part of the byte stream in one direction of a connection, as it arrives or leaves, and how its bytes are read. */
#ifndef NSTAR_SEGMENT_H
#define NSTAR_SEGMENT_H

#include "kernel.h"

/*
 * When the client keeps the message of a segment waiting: it has not sent more of its request, and the
 * server has read all that came. Or it has no room for more of the answer, and the server has written it.
 */
enum keeps {
	KEPT_BEFORE = 1, /* until this segment came */
	KEEPS_AFTER = 2, /* from this segment on, until the next one */
};

struct segment {
	__u32 seq;    /* of the first payload byte */
	__u32 length; /* payload bytes; one buffer may hold many messages (GRO, TSO) */
	__u32 offset; /* of the payload in the buffer */
	__u16 sender; /* its port */
	__u8 keeps;   /* enum keeps */
	__u8 unused;  /* no hidden padding: older kernels want every byte that a global function may read to be written */
};

/*
 * Loads n bytes from `at`, 1 to `most` of them; an error otherwise. Kernels before 6.8 do not learn from a comparison
 * with 0 that a length is not 0, and refuse it: here it is 1 plus a value that may be 0; the compiler must not see it.
 */
static __always_inline long load_bytes(struct __sk_buff *skb, __u32 at, void *b, __u32 n, const __u32 most)
{
	__u64 before_last = (__u64)n - 1;

	barrier_var(before_last);
	if (before_last >= most)
		return -1;
	return bpf_skb_load_bytes(skb, at, b, before_last + 1);
}

#endif
