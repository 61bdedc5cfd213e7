/* SPDX-License-Identifier: GPL-2.0-only */
/* AJP, which web servers speak to servlet containers. */
#ifndef NSTAR_AJP_H
#define NSTAR_AJP_H

#include "frames.h"

#define AJP_HEADER 5 /* magic, length, type */
#define AJP_SEND_HEADERS 4
#define AJP_END_RESPONSE 5

/* The header of an AJP packet that forwards a request: magic, type 2, method, then the string "HTTP/1.x". */
static __always_inline bool is_ajp_forward(const __u8 *b, __u32 length)
{
	return b[0] == 0x12 && b[1] == 0x34 && b[4] == 2 && (length < 10 || (b[6] == 0 && b[8] == 'H' && b[9] == 'T'));
}

/* How a connection of AJP begins: with a request, or with the ping that tests the connection. */
static __always_inline bool looks_like_ajp(const __u8 *b, __u32 length)
{
	if (length == 5)
		return b[0] == 0x12 && b[1] == 0x34 && b[2] == 0 && b[3] == 1 && b[4] == 10;
	return length >= 10 && is_ajp_forward(b, length);
}

static __always_inline void read_ajp_request(const __u8 *b, __u32 length, struct message *m)
{
	m->begins = is_ajp_forward(b, length);
	m->kind = m->begins ? KIND_REQUEST : KIND_MORE; /* body chunks and CPING ask nothing */
}

static __always_inline void read_ajp_answer(const __u8 *b, __u32 length, struct message *m)
{
	m->failed = b[0] == 'A' && b[1] == 'B' && b[4] == AJP_SEND_HEADERS && be16(b + 5) >= 500;
	/* GET_BODY_CHUNK, CPONG */
	if (b[0] == 'A' && b[1] == 'B' && ((b[4] == 6 && length == 7) || (b[4] == 9 && length == 5)))
		m->kind = KIND_INTERIM;
}

/* A packet from the container: a part of the page, a call for more of the request, or the answer's end. */
static __always_inline struct frame judge_ajp_answer(const __u8 *b, struct half *h)
{
	struct frame f = {.counts = b[4] == AJP_END_RESPONSE};

	if (b[0] == 'A' && b[1] == 'B')
		f.length = 4 + be16(b + 2);
	return f;
}

DEFINE_WALK(walk_ajp_answers, step_any_frame(&w, AJP_HEADER, true, judge_ajp_answer))

#endif
