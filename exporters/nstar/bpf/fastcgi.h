/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FastCGI, which web servers speak to PHP and others. A request begins with a record of its own; parameters and body
 * follow in others, as long as they are. No web server sends a second request on a connection before the first is
 * answered.
 */
#ifndef NSTAR_FASTCGI_H
#define NSTAR_FASTCGI_H

#include "frames.h"

#define FCGI_HEADER 8
#define FCGI_BEGIN_REQUEST 1
#define FCGI_END_REQUEST 3
#define FCGI_STDOUT 6
#define FCGI_STDERR 7
#define FCGI_STATUS 17 /* of a record: its header, then "Status: 5" */

/*
 * BEGIN_REQUEST: version, type, id, a content of 8 bytes, padding, then a role (responder, authorizer, filter) and a
 * flag.
 */
static __always_inline bool begins_fastcgi(const __u8 *b)
{
	return b[0] == 1 && b[1] == FCGI_BEGIN_REQUEST && (b[2] | b[3]) && b[4] == 0 && b[5] == 8 && b[8] == 0 &&
	       b[9] >= 1 && b[9] <= 3 && b[10] <= 1;
}

/* The same if the protocol is only guessed: reserved bytes must be zero. */
static __always_inline bool looks_like_fastcgi(const __u8 *b, __u32 length)
{
	return length >= 16 && begins_fastcgi(b) && !(b[6] | b[7] | b[11] | b[12] | b[13] | b[14] | b[15]);
}

static __always_inline void read_fastcgi_request(const __u8 *b, struct message *m)
{
	m->begins = begins_fastcgi(b);
	m->kind = m->begins ? KIND_REQUEST : KIND_MORE; /* the rest of an upload that was answered early */
}

/* "Status: 5", with which a page of CGI begins that failed. */
static __always_inline bool is_cgi_failure(const __u8 *b)
{
	return b[0] == 'S' && b[1] == 't' && b[2] == 'a' && b[3] == 't' && b[6] == ':' && b[7] == ' ' && b[8] == '5';
}

/* The first record of an answer says whether the page failed, or the second, if PHP writes into the log first. */
static __always_inline void read_fastcgi_answer(struct __sk_buff *skb, const struct segment *s, const __u8 *b,
						struct message *m)
{
	__u8 page[FCGI_STATUS];
	__u32 at = s->offset;

	if (b[1] == FCGI_STDERR)
		at += FCGI_HEADER + be16(b + 4) + b[6];
	if (bpf_skb_load_bytes(skb, at, page, sizeof(page)) < 0)
		return;
	m->failed = page[0] == 1 && page[1] == FCGI_STDOUT && is_cgi_failure(page + FCGI_HEADER);
}

/* A record of an answer: a part of the page or of the log, or its end. */
static __always_inline struct frame judge_fastcgi_answer(const __u8 *b, struct half *h)
{
	struct frame f = {.counts = b[1] == FCGI_END_REQUEST};

	if (b[0] == 1 && b[1] >= FCGI_END_REQUEST && b[1] <= FCGI_STDERR)
		f.length = FCGI_HEADER + be16(b + 4) + b[6];
	return f;
}

DEFINE_WALK(walk_fastcgi_answers, step_any_frame(&w, FCGI_HEADER, true, judge_fastcgi_answer))

#endif
