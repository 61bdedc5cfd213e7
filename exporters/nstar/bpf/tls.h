/* SPDX-License-Identifier: GPL-2.0-only */
/* TLS by the types and sizes of its records: the handshake asks nothing, each record of data may. */
#ifndef NSTAR_TLS_H
#define NSTAR_TLS_H

#include "alpn.h"

#define TLS_CHANGE_CIPHER 20
#define TLS_ALERT 21
#define TLS_HANDSHAKE_RECORD 22
#define TLS_DATA 23
#define TLS_RECORD_HEADER 5
/* TLS 1.3 hides the true type: an alert is 2 bytes, a Finished 36 or 52, each with a type byte and a 16-byte tag. */
#define TLS13_ALERT 19
#define TLS13_FINISHED_SHA256 53
#define TLS13_FINISHED_SHA384 69
/* Before TLS 1.3 an encrypted Finished is 32 to 96 bytes, and follows the change of cipher at once. */
#define TLS12_FINISHED_MAX 96


static __always_inline bool is_tls_record(const __u8 *b)
{
	return b[0] >= TLS_CHANGE_CIPHER && b[0] <= TLS_DATA && b[1] == 3 && b[2] <= 4;
}

/*
 * A ClientHello begins a session. Its two lengths agree; the length in front of a message of another protocol can look
 * like a record.
 */
static __always_inline bool is_client_hello(const __u8 *b)
{
	return b[0] == TLS_HANDSHAKE_RECORD && b[1] == 3 && b[5] == 1 && b[6] == 0 &&
	       ((__u32)b[3] << 8 | b[4]) == ((__u32)b[7] << 8 | b[8]) + 4;
}

/* A record of data, in a connection that was joined in the middle of a session. */
static __always_inline bool is_tls_data(const __u8 *b)
{
	__u32 length = (__u32)b[3] << 8 | b[4];

	return b[0] == TLS_DATA && b[1] == 3 && b[2] == 3 && length > 16 && length <= (1 << 14) + 256;
}

struct tls_records {
	__u8 data;           /* records of encrypted data */
	__u8 finished;       /* one of them has the size of a TLS 1.3 Finished */
	__u8 after_finished; /* data records behind it */
	__u8 finished12;     /* the Finished of an older version */
	__u8 unused[4];      /* no hidden padding, see struct segment */
	__u32 first;         /* length of the first record of data */
};

/* Global, like walk_mysql(). */
__noinline int walk_tls(struct __sk_buff *skb, const struct segment *s, struct tls_records *r)
{
	__u32 at = 0, length;
	__u8 h[TLS_RECORD_HEADER], before = 0;

	if (!skb || !s || !r)
		return 0;
	for (int i = 0; i < PACKETS_MAX; i++) {
		if (at + sizeof(h) > s->length || bpf_skb_load_bytes(skb, s->offset + at, h, sizeof(h)) < 0)
			return 0;
		if (!is_tls_record(h))
			return 0;
		length = (__u32)h[3] << 8 | h[4];
		if (h[0] == TLS_DATA) {
			if (!r->data++)
				r->first = length;
			if (r->finished)
				r->after_finished++;
			else if (length == TLS13_FINISHED_SHA256 || length == TLS13_FINISHED_SHA384)
				r->finished = 1;
		} else if (h[0] == TLS_HANDSHAKE_RECORD && before == TLS_CHANGE_CIPHER && length <= TLS12_FINISHED_MAX) {
			r->finished12 = 1;
		}
		before = h[0];
		at += sizeof(h) + length;
	}
	return 0;
}

/* In an open session: alerts and renegotiation ask and answer nothing. */
static __always_inline bool is_tls_aside(const __u8 *b, __u32 length)
{
	if (!is_tls_record(b))
		return false;
	if (b[0] != TLS_DATA)
		return true;
	return b[3] == 0 && b[4] == TLS13_ALERT && length == TLS_RECORD_HEADER + TLS13_ALERT;
}

/* Several requests at once, or none that take turns: nothing can be measured from here on. */
static __always_inline void give_up_tls(struct message *m)
{
	m->protocol = PROTOCOL_OPAQUE;
	m->kind = KIND_SILENT;
}

/* A record of data that no request of HTTP/1 can be: a frame of WebSocket. */
static __always_inline bool is_frame(const __u8 *b, __u8 alpn)
{
	return alpn == ALPN_HTTP1 && b[0] == TLS_DATA && be16(b + 3) < TLS_SHORTEST_HTTP1;
}

/* Global, like walk_mysql(). */
__noinline int read_tls_request(struct __sk_buff *skb, const struct segment *s, const struct prefix *p,
				struct message *m)
{
	struct tls_records r = {};
	const __u8 *b;

	if (!skb || !s || !p || !m)
		return 0;
	b = p->b;
	if (m->tls == TLS_OPEN) {
		if (!is_tls_record(b))
			m->kind = KIND_MORE;
		else if (is_tls_aside(b, s->length))
			m->kind = KIND_SILENT;
		else if (takes_no_turns(b, m->alpn) || is_frame(b, m->alpn))
			give_up_tls(m);
		else
			m->kind = KIND_REQUEST;
		return 0;
	}
	m->kind = KIND_SILENT;
	if (is_client_hello(b)) {
		m->alpn = read_hello(skb, s, ALPN_UNKNOWN);
		if (m->alpn == ALPN_H2) {
			give_up_tls(m);
			return 0;
		}
	}
	walk_tls(skb, s, &r);
	if (m->tls == TLS_HANDSHAKE) {
		if (r.data || r.finished12) /* before TLS 1.3 only application data is of type data */
			m->tls = TLS_OPEN;
		if (r.data)
			m->kind = KIND_REQUEST;
	} else if (r.finished) {
		m->tls = TLS_OPEN;
		if (r.after_finished)
			m->kind = KIND_REQUEST;
	} else if (r.data) {
		m->tls = TLS_UNSURE;
	}
	return 0;
}

/* Global, like walk_mysql(). */
__noinline int read_tls_answer(struct __sk_buff *skb, const struct segment *s, const struct prefix *p,
			       struct message *m)
{
	struct tls_records r = {};
	const __u8 *b;

	if (!skb || !s || !p || !m)
		return 0;
	b = p->b;
	if (m->tls == TLS_OPEN) {
		if (is_tls_aside(b, s->length))
			m->kind = KIND_SILENT;
		else if (b[0] == TLS_DATA && takes_no_turns(b, m->alpn))
			give_up_tls(m);
		return 0;
	}
	m->kind = KIND_SILENT;
	if (b[0] == TLS_HANDSHAKE_RECORD && b[5] == TLS_SERVER_HELLO)
		m->alpn = read_hello(skb, s, m->alpn);
	walk_tls(skb, s, &r);
	if (m->tls == TLS_HANDSHAKE && r.data)
		m->alpn = choice_of(r.first, m->alpn);
	if (m->alpn == ALPN_H2) {
		give_up_tls(m);
		return 0;
	}
	if (r.data) /* encrypted records before the client sent any: TLS 1.3 */
		m->tls = m->tls == TLS_UNSURE ? TLS_OPEN : TLS_FINISHING;
	return 0;
}

#endif
