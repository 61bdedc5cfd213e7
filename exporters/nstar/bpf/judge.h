/* SPDX-License-Identifier: GPL-2.0-only */
/* Judges a segment by the protocol of its connection, which it may be the first to show. */
#ifndef NSTAR_JUDGE_H
#define NSTAR_JUDGE_H

#include "ajp.h"
#include "cassandra.h"
#include "dubbo.h"
#include "fastcgi.h"
#include "http.h"
#include "http2.h"
#include "kafka.h"
#include "memcached.h"
#include "modwsgi.h"
#include "mongodb.h"
#include "mysql.h"
#include "openwire.h"
#include "postgres.h"
#include "pushes.h"
#include "redis.h"
#include "tls.h"

/* The protocol that a segment towards the server shows, or PROTOCOL_AUTO. Global, like walk_mysql(). */
__noinline int recognize(struct __sk_buff *skb, const struct segment *s, const struct prefix *p)
{
	__u32 length;

	if (!skb || !s || !p)
		return PROTOCOL_AUTO;
	length = s->length;
	if (looks_like_ajp(p->b, length))
		return PROTOCOL_AJP;
	if (is_statement_close(p->b, length))
		return PROTOCOL_MYSQL;
	if (looks_like_fastcgi(p->b, length))
		return PROTOCOL_FASTCGI;
	if (is_pg_startup(p->b, length))
		return PROTOCOL_POSTGRES;
	if (is_redis_command(p->b))
		return PROTOCOL_REDIS;
	if (is_cql(p, length))
		return PROTOCOL_CASSANDRA;
	if (looks_like_memcached(p->b))
		return PROTOCOL_MEMCACHED;
	if (looks_like_mongodb(p->b, length))
		return PROTOCOL_MONGODB;
	if (is_kafka(p, length))
		return PROTOCOL_KAFKA;
	if (looks_like_openwire(p->b, length))
		return PROTOCOL_OPENWIRE;
	if (looks_like_dubbo(p->b, length))
		return PROTOCOL_DUBBO;
	if (is_h2_preface(p->b) || looks_like_h2(p->b, length))
		return PROTOCOL_HTTP2;
	if (is_broker(skb, s, p) || is_pg_standby(p->b, length))
		return PROTOCOL_OPAQUE;
	return PROTOCOL_AUTO;
}

/* If a connection is joined in the middle of a session, its records say more than the protocol of its neighbours. */
static __always_inline bool may_be_tls_data(const struct message *m)
{
	return m->protocol == PROTOCOL_AUTO || (m->first && m->protocol != PROTOCOL_TURNS);
}

/*
 * What a segment towards the server means. Global, like all judging functions: the verifier looks at it once,
 * apart from its callers. Some of these hold data that must not be passed on (a connection has a lock in it).
 */
__noinline int read_request(struct __sk_buff *skb, const struct segment *s, struct half *h, struct message *m)
{
	__u8 b[PREFIX];

	if (!skb || !s || !h || !m)
		return 0;
	load_prefix(skb, s, b);
	/* the continuation of a request may look like anything */
	if (m->protocol == PROTOCOL_HTTP && m->turn == TURN_IN_FLIGHT) {
		read_http_request(skb, s, (struct prefix *)b, h, m);
		return 0;
	}
	if (m->protocol != PROTOCOL_TLS && m->protocol != PROTOCOL_AJP &&
	    (is_client_hello(b) || (may_be_tls_data(m) && is_tls_data(b)))) {
		/* MySQL logs in again inside TLS, in one exchange; that is no request either. */
		m->login_turns = m->protocol == PROTOCOL_MYSQL && b[0] != TLS_DATA;
		m->protocol = PROTOCOL_TLS;
		m->tls = b[0] == TLS_DATA ? TLS_OPEN : TLS_HANDSHAKE;
	}
	if (m->protocol == PROTOCOL_AUTO) {
		m->protocol = recognize(skb, s, (struct prefix *)b);
		if (m->protocol == PROTOCOL_AUTO && is_http_request(b, true)) {
			/* FTP's "LIST /x" begins like HTTP: the end of the line shows it, or the answer */
			m->guess = PROTOCOL_HTTP;
			if (find_http_version(skb, s))
				m->protocol = PROTOCOL_HTTP;
		} else if (m->protocol == PROTOCOL_AUTO && is_whole_command(b, s->length)) {
			m->guess = PROTOCOL_MYSQL;
		} else if (m->protocol == PROTOCOL_AUTO && looks_like_pg(skb, s, b)) {
			m->guess = PROTOCOL_POSTGRES;
		} else if (m->protocol == PROTOCOL_AUTO && is_empty_line(b, s->length)) {
			m->guess = PROTOCOL_OPAQUE;
		}
	}
	switch (m->protocol) {
	case PROTOCOL_HTTP2: /* by streams.h */
	case PROTOCOL_KAFKA:
	case PROTOCOL_CASSANDRA:
	case PROTOCOL_MONGODB:
	case PROTOCOL_OPENWIRE:
	case PROTOCOL_DUBBO:
		m->kind = KIND_SILENT;
		break;
	case PROTOCOL_HTTP:
		read_http_request(skb, s, (struct prefix *)b, h, m);
		break;
	case PROTOCOL_FASTCGI:
		read_fastcgi_request(b, m);
		break;
	case PROTOCOL_AJP:
		read_ajp_request(b, s->length, m);
		break;
	case PROTOCOL_MYSQL:
		read_mysql_request(skb, s, b, m);
		break;
	case PROTOCOL_POSTGRES:
		read_pg_request(skb, s, h, m);
		break;
	case PROTOCOL_MEMCACHED:
		read_mc_request(skb, s, b, h, m);
		break;
	case PROTOCOL_REDIS:
		read_redis_request(skb, s, b, h, m);
		break;
	case PROTOCOL_TLS:
		read_tls_request(skb, s, (struct prefix *)b, m);
		break;
	default:
		m->kind = KIND_REQUEST;
	}
	return 0;
}

/*
 * The continuation of a request with an unknown protocol may show that it
 * was no request, but a broker's message. Global, like read_request().
 */
__noinline int read_more(struct __sk_buff *skb, const struct segment *s, struct message *m)
{
	__u8 b[PREFIX];

	if (!skb || !s || !m)
		return 0;
	load_prefix(skb, s, b);
	if (is_broker(skb, s, (struct prefix *)b))
		m->protocol = PROTOCOL_OPAQUE;
	return 0;
}

/* How many answers end in a segment, of a connection that has several under way. */
static __always_inline int walk_answers(struct __sk_buff *skb, const struct segment *s, __u8 protocol, struct half *h,
					__u64 heads)
{
	switch (protocol) {
	case PROTOCOL_HTTP:
		return walk_http_answers(skb, s, h, heads);
	case PROTOCOL_FASTCGI:
		return walk_fastcgi_answers(skb, s, h, NULL);
	case PROTOCOL_AJP:
		return walk_ajp_answers(skb, s, h, NULL);
	case PROTOCOL_POSTGRES:
		return walk_pg_answers(skb, s, h, NULL);
	case PROTOCOL_REDIS:
		return walk_redis_answers(skb, s, h, NULL);
	case PROTOCOL_MEMCACHED:
		return walk_mc_answers(skb, s, h, NULL);
	}
	return LOST;
}

/*
 * Whether a segment from the server must be looked at. In HTTP its start shows
 * all; in AJP and TLS, messages that are no answers can come at any time.
 */
static __always_inline bool may_be_aside(const struct message *m)
{
	return m->turn < TURN_ANSWERED || m->protocol == PROTOCOL_AJP || m->protocol == PROTOCOL_TLS ||
	       m->protocol == PROTOCOL_POSTGRES;
}

/* What a segment from the server means, if it may not be a part of the answer. Global, like read_request(). */
__noinline int read_answer(struct __sk_buff *skb, const struct segment *s, struct message *m)
{
	__u8 b[PREFIX];

	if (!skb || !s || !m)
		return 0;
	m->kind = KIND_ANSWER;
	load_prefix(skb, s, b);
	switch (m->protocol) {
	case PROTOCOL_AUTO:
		if (m->turn == TURN_IDLE ? is_mysql_greeting(b, s->length) :
					   m->guess == PROTOCOL_MYSQL && is_mysql_reply(b, s->length)) {
			m->protocol = PROTOCOL_MYSQL;
		} else if (m->guess == PROTOCOL_HTTP && is_http_answer(b)) {
			m->protocol = PROTOCOL_HTTP;
			read_http_answer(skb, s, b, m);
		} else if (m->guess == PROTOCOL_POSTGRES && ends_with_ready(skb, s)) {
			m->protocol = PROTOCOL_POSTGRES;
		} else if (is_from_broker(b, s->length) || (m->guess == PROTOCOL_OPAQUE && is_empty_line(b, s->length))) {
			m->protocol = PROTOCOL_OPAQUE;
		} else if (asks_for_wsgi_body(b, s->length)) {
			m->kind = KIND_INTERIM;
		} else { /* uWSGI answers as HTTP does, SCGI as CGI */
			m->failed = is_http_answer(b) ? b[9] == '5' : is_cgi_failure(b);
		}
		break;
	case PROTOCOL_POSTGRES:
		read_pg_answer(b, s, m);
		break;
	case PROTOCOL_HTTP:
		read_http_answer(skb, s, b, m);
		break;
	case PROTOCOL_FASTCGI:
		read_fastcgi_answer(skb, s, b, m);
		break;
	case PROTOCOL_AJP:
		read_ajp_answer(b, s->length, m);
		break;
	case PROTOCOL_TLS:
		if (m->first) { /* joined in the middle: a server says nothing before the client's hello */
			m->kind = KIND_SILENT;
			break;
		}
		read_tls_answer(skb, s, (struct prefix *)b, m);
		break;
	}
	return 0;
}

#endif
