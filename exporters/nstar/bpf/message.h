/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a segment means for turn-taking (judge.h finds it), judged by its first bytes alone.
 * No content that is read here leaves the kernel, and no code here changes a connection:
 * turn.h applies the judgement under the connection's lock, where no helper may be called.
 */
#ifndef NSTAR_MESSAGE_H
#define NSTAR_MESSAGE_H

#include "conn.h"
#include "maps.h"
#include "segment.h"

enum kind {
	KIND_MORE = 0,    /* goes on with what is under way; begins nothing */
	KIND_REQUEST = 1, /* begins a request */
	KIND_ANSWER = 2,  /* belongs to an answer */
	KIND_SILENT = 3,  /* neither asks nor answers: handshake, alert, ping, a command without a reply */
	KIND_INTERIM = 4, /* from the server, but the request stays in the queue: 100 Continue, AJP's call for the body */
};

struct message {
	__u8 kind;
	__u8 protocol;
	__u8 tls;
	__u8 asks;        /* as in struct conn */
	__u8 login_turns;
	__u8 first;       /* no byte towards the server was seen before on this connection */
	__u8 guess;       /* as in struct conn */
	__u8 alpn;        /* as in struct conn */
	__u32 silent_until; /* as in struct conn */
	__u32 begins;     /* requests that begin, where framing tells */
	__u32 waits;      /* requests beside these that wait on purpose for what others do: they stand in no queue */
	__u32 before;     /* of `begins`, those in front of the first of `waits` */
	__u8 turn;        /* of the connection, before this segment */
	__u8 turns;       /* requests and answers can't be told apart by framing from here on, but take turns */
	__u8 upgrades;    /* an answer behind which there are no turns */
	__u8 failed;      /* an answer that says that the server failed: status 500 or above */
	__u32 node;       /* that the request's words lead to (kinds.h) */
	__u64 heads;      /* which of the requests of HTTP that begin are HEAD, the first of them lowest */
};

#define PREFIX 32
#define PACKETS_MAX 8 /* records walked in one segment */

/* The same as a type, for functions that the verifier looks at apart. */
struct prefix {
	__u8 b[PREFIX];
};

/* Loads up to PREFIX bytes of payload, the rest stays zero. */
static __always_inline void load_prefix(struct __sk_buff *skb, const struct segment *s, __u8 *b)
{
	__u32 n = s->length;

	__builtin_memset(b, 0, PREFIX);
	if (n >= PREFIX) {
		bpf_skb_load_bytes(skb, s->offset, b, PREFIX);
		return;
	}
	load_bytes(skb, s->offset, b, n, PREFIX - 1);
}

#endif
