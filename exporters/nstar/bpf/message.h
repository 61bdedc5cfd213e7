/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a segment means for turn-taking, judged by its first bytes alone. Nothing read here leaves the
 * kernel, and nothing here changes a connection: turn.h applies the judgement under the connection's lock,
 * where no helper may be called.
 */
#ifndef NSTAR_MESSAGE_H
#define NSTAR_MESSAGE_H

#include "conn.h"
#include "maps.h"
#include "packet.h"

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
	__u8 upgrades;
	__u8 login_turns;
};

#define PREFIX 16
#define PACKETS_MAX 8 /* records or packets walked in one segment */

#define TLS_CHANGE_CIPHER 20
#define TLS_ALERT 21
#define TLS_HANDSHAKE_RECORD 22
#define TLS_DATA 23
#define TLS_RECORD_HEADER 5
/* TLS 1.3 hides the true type: an alert is 2 bytes, a Finished 36 or 52, each with a type byte and a 16-byte tag. */
#define TLS13_ALERT 19
#define TLS13_FINISHED_SHA256 53
#define TLS13_FINISHED_SHA384 69

/* Loads up to PREFIX bytes of payload, the rest stays zero. */
static __always_inline void load_prefix(struct __sk_buff *skb, const struct segment *s, __u8 *b)
{
	__u32 n = s->length;

	__builtin_memset(b, 0, PREFIX);
	if (n >= PREFIX) {
		bpf_skb_load_bytes(skb, s->offset, b, PREFIX);
		return;
	}
	n &= PREFIX - 1;
	if (n)
		bpf_skb_load_bytes(skb, s->offset, b, n);
}

static __always_inline bool is_tls_record(const __u8 *b)
{
	return b[0] >= TLS_CHANGE_CIPHER && b[0] <= TLS_DATA && b[1] == 3 && b[2] <= 4;
}

/* Length of the method if an HTTP request line starts here, else 0. */
static __always_inline int http_method(const __u8 *b)
{
#pragma unroll
	for (int i = 0; i < PREFIX - 1; i++) {
		if (b[i] == ' ')
			return i >= 3 ? i : 0;
		if ((b[i] < 'A' || b[i] > 'Z') && b[i] != '-')
			return 0;
	}
	return 0;
}

static __always_inline bool is_connect(const __u8 *b)
{
	return b[0] == 'C' && b[1] == 'O' && b[2] == 'N' && b[3] == 'N';
}

/* A request line in a connection whose protocol is not known yet: the target must look like one, too. */
static __always_inline bool looks_like_http(const __u8 *b)
{
	int n = http_method(b);

	if (!n)
		return false;
	if (is_connect(b))
		return true;
#pragma unroll
	for (int i = 3; i < PREFIX - 1; i++) /* b[n + 1] without a variable index */
		if (i == n)
			return b[i + 1] == '/' || b[i + 1] == '*' || b[i + 1] == 'h';
	return false;
}

/* The header of an AJP packet that forwards a request: magic, type 2, method, then the string "HTTP/1.x". */
static __always_inline bool is_ajp_forward(const __u8 *b, __u32 length)
{
	return b[0] == 0x12 && b[1] == 0x34 && b[4] == 2 && (length < 10 || (b[6] == 0 && b[8] == 'H' && b[9] == 'T'));
}

static __always_inline void read_http_request(const __u8 *b, struct message *m)
{
	if (!http_method(b)) {
		m->kind = KIND_MORE; /* the rest of an upload that was answered early */
		return;
	}
	if (b[0] == 'P' && b[1] == 'R' && b[2] == 'I' && b[3] == ' ') {
		m->protocol = PROTOCOL_OPAQUE;
		m->kind = KIND_SILENT;
		return;
	}
	m->upgrades = is_connect(b);
	m->kind = KIND_REQUEST;
}

static __always_inline void read_ajp_request(const __u8 *b, __u32 length, struct message *m)
{
	m->kind = is_ajp_forward(b, length) ? KIND_REQUEST : KIND_MORE; /* body chunks and CPING ask nothing */
}

/* Commands start a new sequence, so their sequence number is 0; the login's is not. */
static __noinline void read_mysql_request(struct __sk_buff *skb, const struct segment *s, struct message *m)
{
	__u32 at = 0;
	__u8 h[5];

	m->kind = KIND_REQUEST;
	for (int i = 0; i < PACKETS_MAX; i++) {
		if (at + sizeof(h) > s->length) {
			if (at)
				m->kind = KIND_SILENT;
			return;
		}
		if (bpf_skb_load_bytes(skb, s->offset + at, h, sizeof(h)) < 0)
			return;
		if (h[3] != 0) {
			m->kind = KIND_MORE;
			return;
		}
		/* COM_QUIT, COM_STMT_SEND_LONG_DATA and COM_STMT_CLOSE get no answer; a command may follow them at once. */
		if (h[4] != 0x01 && h[4] != 0x18 && h[4] != 0x19)
			return;
		at += 4 + ((__u32)h[0] | (__u32)h[1] << 8 | (__u32)h[2] << 16);
	}
}

struct tls_records {
	__u8 data;           /* records of encrypted data */
	__u8 finished;       /* one of them has the size of a TLS 1.3 Finished */
	__u8 after_finished; /* data records behind it */
};

static __noinline void walk_tls(struct __sk_buff *skb, const struct segment *s, struct tls_records *r)
{
	__u32 at = 0, length;
	__u8 h[TLS_RECORD_HEADER];

	for (int i = 0; i < PACKETS_MAX; i++) {
		if (at + sizeof(h) > s->length || bpf_skb_load_bytes(skb, s->offset + at, h, sizeof(h)) < 0)
			return;
		if (!is_tls_record(h))
			return;
		length = (__u32)h[3] << 8 | h[4];
		if (h[0] == TLS_DATA) {
			r->data++;
			if (r->finished)
				r->after_finished++;
			else if (length == TLS13_FINISHED_SHA256 || length == TLS13_FINISHED_SHA384)
				r->finished = 1;
		}
		at += sizeof(h) + length;
	}
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

static __always_inline void read_tls_request(struct __sk_buff *skb, const struct segment *s, const __u8 *b, struct message *m)
{
	struct tls_records r = {};

	if (m->tls == TLS_OPEN) {
		if (!is_tls_record(b))
			m->kind = KIND_MORE;
		else
			m->kind = is_tls_aside(b, s->length) ? KIND_SILENT : KIND_REQUEST;
		return;
	}
	walk_tls(skb, s, &r);
	m->kind = KIND_SILENT;
	if (!r.data)
		return;
	if (m->tls == TLS_HANDSHAKE) { /* before TLS 1.3 only application data has this type */
		m->tls = TLS_OPEN;
		m->kind = KIND_REQUEST;
	} else if (r.finished) {
		m->tls = TLS_OPEN;
		if (r.after_finished)
			m->kind = KIND_REQUEST;
	}
}

static __always_inline void read_request(struct __sk_buff *skb, const struct segment *s, struct message *m)
{
	__u8 b[PREFIX];

	load_prefix(skb, s, b);
	if (m->protocol != PROTOCOL_TLS && m->protocol != PROTOCOL_AJP && is_tls_record(b) &&
	    (b[0] == TLS_HANDSHAKE_RECORD || (b[0] == TLS_DATA && m->protocol == PROTOCOL_AUTO))) {
		/* MySQL logs in again inside TLS, in one exchange; that is no request either. */
		m->login_turns = m->protocol == PROTOCOL_MYSQL;
		m->protocol = PROTOCOL_TLS;
		m->tls = b[0] == TLS_DATA ? TLS_OPEN : TLS_HANDSHAKE;
	}
	if (m->protocol == PROTOCOL_AUTO) {
		if (is_ajp_forward(b, s->length) && s->length >= 10)
			m->protocol = PROTOCOL_AJP;
		else if (looks_like_http(b))
			m->protocol = PROTOCOL_HTTP;
	}
	switch (m->protocol) {
	case PROTOCOL_HTTP:
		read_http_request(b, m);
		break;
	case PROTOCOL_AJP:
		read_ajp_request(b, s->length, m);
		break;
	case PROTOCOL_MYSQL:
		read_mysql_request(skb, s, m);
		break;
	case PROTOCOL_TLS:
		read_tls_request(skb, s, b, m);
		break;
	default:
		m->kind = KIND_REQUEST;
	}
}

/* "HTTP/1.1 1xx": 101 ends the turns; the others come before the answer and leave the request in the queue. */
static __always_inline void read_http_answer(struct __sk_buff *skb, const struct segment *s, const __u8 *b, struct message *m)
{
	__u8 tail[4];

	if (b[0] != 'H' || b[1] != 'T' || b[2] != 'T' || b[3] != 'P' || b[9] != '1')
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

static __always_inline void read_answer(struct __sk_buff *skb, const struct segment *s, struct conn *c, struct message *m)
{
	struct tls_records r = {};
	__u8 b[PREFIX];

	m->kind = KIND_ANSWER;
	/* Only the start of an answer tells anything in HTTP; asides can come at any time in AJP and TLS. */
	if (c->turn >= TURN_ANSWERED && m->protocol != PROTOCOL_AJP && m->protocol != PROTOCOL_TLS)
		return;
	load_prefix(skb, s, b);
	switch (m->protocol) {
	case PROTOCOL_AUTO: /* MySQL's server speaks first: one packet, number 0, protocol version 10 */
		if (c->turn == TURN_IDLE && b[3] == 0 && b[4] == 10 && s->length == 4 + ((__u32)b[0] | (__u32)b[1] << 8))
			m->protocol = PROTOCOL_MYSQL;
		break;
	case PROTOCOL_HTTP:
		read_http_answer(skb, s, b, m);
		break;
	case PROTOCOL_AJP: /* GET_BODY_CHUNK and CPONG */
		if (b[0] == 'A' && b[1] == 'B' && ((b[4] == 6 && s->length == 7) || (b[4] == 9 && s->length == 5)))
			m->kind = KIND_INTERIM;
		break;
	case PROTOCOL_TLS:
		if (m->tls == TLS_OPEN) {
			if (is_tls_aside(b, s->length))
				m->kind = KIND_SILENT;
			break;
		}
		m->kind = KIND_SILENT;
		walk_tls(skb, s, &r);
		if (r.data) /* encrypted records before the client sent any: TLS 1.3 */
			m->tls = TLS_FINISHING;
		break;
	}
}

#endif
