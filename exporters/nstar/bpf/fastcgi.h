/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FastCGI, which web servers speak to PHP and others. A request begins with a record of its own; parameters and body
 * follow in others, as long as they are. No web server sends a second request on a connection before the first is
 * answered.
 */
#ifndef NSTAR_FASTCGI_H
#define NSTAR_FASTCGI_H

#include "message.h"

#define FCGI_BEGIN_REQUEST 1

/*
 * BEGIN_REQUEST: version, type, id, a content of 8 bytes, padding, then a role (responder, authorizer, filter) and a
 * flag.
 */
static __always_inline bool begins_fastcgi(const __u8 *b)
{
	return b[0] == 1 && b[1] == FCGI_BEGIN_REQUEST && (b[2] | b[3]) && b[4] == 0 && b[5] == 8 && b[8] == 0 &&
	       b[9] >= 1 && b[9] <= 3 && b[10] <= 1;
}

/* The same where the protocol is only guessed: what is reserved must be zero. */
static __always_inline bool looks_like_fastcgi(const __u8 *b, __u32 length)
{
	return length >= 16 && begins_fastcgi(b) && !(b[6] | b[7] | b[11] | b[12] | b[13] | b[14] | b[15]);
}

static __always_inline void read_fastcgi_request(const __u8 *b, struct message *m)
{
	m->kind = begins_fastcgi(b) ? KIND_REQUEST : KIND_MORE; /* the rest of an upload that was answered early */
}

#endif
