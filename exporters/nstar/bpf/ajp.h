/* SPDX-License-Identifier: GPL-2.0-only */
/* AJP, which web servers speak to servlet containers. */
#ifndef NSTAR_AJP_H
#define NSTAR_AJP_H

#include "message.h"

/* The header of an AJP packet that forwards a request: magic, type 2, method, then the string "HTTP/1.x". */
static __always_inline bool is_ajp_forward(const __u8 *b, __u32 length)
{
	return b[0] == 0x12 && b[1] == 0x34 && b[4] == 2 && (length < 10 || (b[6] == 0 && b[8] == 'H' && b[9] == 'T'));
}

/* What begins a connection of AJP: a request, or the ping that tries the connection out. */
static __always_inline bool looks_like_ajp(const __u8 *b, __u32 length)
{
	if (length == 5)
		return b[0] == 0x12 && b[1] == 0x34 && b[2] == 0 && b[3] == 1 && b[4] == 10;
	return length >= 10 && is_ajp_forward(b, length);
}

static __always_inline void read_ajp_request(const __u8 *b, __u32 length, struct message *m)
{
	m->kind = is_ajp_forward(b, length) ? KIND_REQUEST : KIND_MORE; /* body chunks and CPING ask nothing */
}

static __always_inline void read_ajp_answer(const __u8 *b, __u32 length, struct message *m)
{
	/* GET_BODY_CHUNK, CPONG */
	if (b[0] == 'A' && b[1] == 'B' && ((b[4] == 6 && length == 7) || (b[4] == 9 && length == 5)))
		m->kind = KIND_INTERIM;
}

#endif
