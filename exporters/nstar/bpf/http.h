/* SPDX-License-Identifier: GPL-2.0-only */
/* HTTP/1.x: request lines and the status of answers. */
#ifndef NSTAR_HTTP_H
#define NSTAR_HTTP_H

#include "message.h"

#define METHOD_MAX 20 /* the longest registered method has 17 letters */

static __always_inline bool is_connect(const __u8 *b)
{
	return b[0] == 'C' && b[1] == 'O' && b[2] == 'N' && b[3] == 'N';
}

/* An HTTP request line. Where the protocol is only guessed, the target must look like one, too: SMTP has methods as well. */
static __always_inline bool is_http_request(const __u8 *b, bool guess)
{
	for (int i = 0; i < METHOD_MAX; i++) {
		if (b[i] == ' ')
			return i >= 3 && (!guess || b[i + 1] == '/' || b[i + 1] == '*' ||
					  (b[i + 1] == 'h' && b[i + 2] == 't') || is_connect(b));
		if ((b[i] < 'A' || b[i] > 'Z') && b[i] != '-')
			return false;
	}
	return false;
}

#define LINE_MAX 96 /* of a request line is looked through for its end */

/*
 * Whether what begins like a request line goes on like one: it ends with the version of HTTP, or its end is still to come. Where
 * LINE_MAX bytes don't tell, the answer must. Asked once in the life of most connections. Global, like walk_mysql().
 */
__noinline int find_http_version(struct __sk_buff *skb, const struct segment *s)
{
	__u8 b[LINE_MAX] = {};
	__u32 n;

	if (!s)
		return 0;
	n = s->length < LINE_MAX ? s->length : LINE_MAX;
	if (n < 1 || n > LINE_MAX || bpf_skb_load_bytes(skb, s->offset, b, n) < 0)
		return 0;
	for (int i = 4; i + 8 < LINE_MAX; i++) {
		if (b[i] == '\n')
			return 0;
		if (b[i] == ' ' && b[i + 1] == 'H' && b[i + 2] == 'T' && (b[i + 6] == '1' || b[i + 6] == '2') && b[i + 7] == '.')
			return 1;
	}
	return n < LINE_MAX;
}

static __always_inline bool is_http_answer(const __u8 *b)
{
	return b[0] == 'H' && b[1] == 'T' && b[2] == 'T' && b[3] == 'P' && b[4] == '/';
}

/* The commonest requests of a connection that is known to speak HTTP, told by their first bytes. */
static __always_inline bool is_plain_http_request(struct __sk_buff *skb, const struct segment *s)
{
	__u64 b;

	if (bpf_skb_load_bytes(skb, s->offset, &b, sizeof(b)) < 0)
		return false;
	b = bpf_be64_to_cpu(b);
	return b >> 32 == 0x47455420 || b >> 24 == 0x504f535420 || b >> 32 == 0x50555420; /* "GET ", "POST ", "PUT " */
}

/* The same of answers: their status, which is neither interim nor a tunnel's. */
static __always_inline bool is_plain_http_answer(struct __sk_buff *skb, const struct segment *s)
{
	__u8 b[12];

	return bpf_skb_load_bytes(skb, s->offset, b, sizeof(b)) == 0 && b[0] == 'H' && b[9] >= '2' && b[9] <= '5';
}

static __always_inline void read_http_request(const __u8 *b, struct message *m)
{
	if (!is_http_request(b, false)) {
		m->kind = KIND_MORE; /* the rest of an upload that was answered early */
		return;
	}
	if (b[0] == 'P' && b[1] == 'R' && b[2] == 'I' && b[3] == ' ') {
		m->protocol = PROTOCOL_HTTP2;
		m->kind = KIND_SILENT;
		return;
	}
	m->upgrades = is_connect(b);
	m->kind = KIND_REQUEST;
}

/* Status 101, or success for CONNECT, ends the turns; the other 1xx come before the answer and leave the request in the queue. */
static __always_inline void read_http_answer(struct __sk_buff *skb, const struct segment *s, const __u8 *b, struct message *m)
{
	__u8 tail[4];

	if (b[0] != 'H' || b[1] != 'T' || b[2] != 'T' || b[3] != 'P')
		return;
	if (b[9] == '2')
		m->upgrades = m->wants_tunnel;
	if (b[9] != '1')
		return;
	if (b[10] == '0' && b[11] == '1') {
		m->upgrades = 1;
		return;
	}
	/* An interim answer ends with its blank line; if more follows, the final answer is in the same segment. */
	if (b[11] == '0' && s->length > 25)
		return;
	if (s->length >= 4 && bpf_skb_load_bytes(skb, s->offset + s->length - 4, tail, 4) == 0 && tail[0] == '\r' && tail[2] == '\r')
		m->kind = KIND_INTERIM;
}

#endif
