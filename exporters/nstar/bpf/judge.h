/* SPDX-License-Identifier: GPL-2.0-only */
/* Judges a segment by the protocol of its connection, which it may be the first to show. */
#ifndef NSTAR_JUDGE_H
#define NSTAR_JUDGE_H

#include "ajp.h"
#include "http.h"
#include "mysql.h"
#include "tls.h"

/* The protocol that a segment towards the server shows, else PROTOCOL_AUTO. Global, like walk_mysql(). */
__noinline int recognize(const struct prefix *p, __u32 length)
{
	if (!p)
		return PROTOCOL_AUTO;
	if (looks_like_ajp(p->b, length))
		return PROTOCOL_AJP;
	if (is_http_request(p->b, true))
		return PROTOCOL_HTTP;
	if (is_statement_close(p->b, length))
		return PROTOCOL_MYSQL;
	return PROTOCOL_AUTO;
}

/* Where a connection is joined in the middle of a session, its records say more than the protocol of its neighbours. */
static __always_inline bool may_be_tls_data(const struct message *m)
{
	return m->protocol == PROTOCOL_AUTO || (m->first && m->protocol != PROTOCOL_TURNS);
}

static __always_inline void read_request(struct __sk_buff *skb, const struct segment *s, struct message *m)
{
	__u8 b[PREFIX];

	load_prefix(skb, s, b);
	if (m->protocol != PROTOCOL_TLS && m->protocol != PROTOCOL_AJP &&
	    (is_client_hello(b) || (may_be_tls_data(m) && is_tls_data(b)))) {
		/* MySQL logs in again inside TLS, in one exchange; that is no request either. */
		m->login_turns = m->protocol == PROTOCOL_MYSQL && b[0] != TLS_DATA;
		m->protocol = PROTOCOL_TLS;
		m->tls = b[0] == TLS_DATA ? TLS_OPEN : TLS_HANDSHAKE;
	}
	if (m->protocol == PROTOCOL_AUTO) {
		m->protocol = recognize((struct prefix *)b, s->length);
		m->mysql_guess = m->protocol == PROTOCOL_AUTO && is_whole_command(b, s->length);
	}
	switch (m->protocol) {
	case PROTOCOL_HTTP:
		read_http_request(b, m);
		break;
	case PROTOCOL_AJP:
		read_ajp_request(b, s->length, m);
		break;
	case PROTOCOL_MYSQL:
		read_mysql_request(skb, s, b, m);
		break;
	case PROTOCOL_TLS:
		read_tls_request(skb, s, b, m);
		break;
	default:
		m->kind = KIND_REQUEST;
	}
}

static __always_inline void read_answer(struct __sk_buff *skb, const struct segment *s, struct conn *c, struct message *m)
{
	__u8 b[PREFIX];

	m->kind = KIND_ANSWER;
	/* Only the start of an answer tells anything in HTTP; asides can come at any time in AJP and TLS. */
	if (c->turn >= TURN_ANSWERED && m->protocol != PROTOCOL_AJP && m->protocol != PROTOCOL_TLS)
		return;
	load_prefix(skb, s, b);
	switch (m->protocol) {
	case PROTOCOL_AUTO:
		if (c->turn == TURN_IDLE ? is_mysql_greeting(b, s->length) : c->mysql_guess && is_mysql_reply(b, s->length))
			m->protocol = PROTOCOL_MYSQL;
		break;
	case PROTOCOL_HTTP:
		read_http_answer(skb, s, c, b, m);
		break;
	case PROTOCOL_AJP:
		read_ajp_answer(b, s->length, m);
		break;
	case PROTOCOL_TLS:
		if (!c->request_seen) { /* joined in the middle: a server says nothing before the client's hello */
			m->kind = KIND_SILENT;
			break;
		}
		read_tls_answer(skb, s, b, m);
		break;
	}
}

#endif
