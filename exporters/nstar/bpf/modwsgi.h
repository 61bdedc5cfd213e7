/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The socket between httpd and the daemons of mod_wsgi. A daemon answers the head of each request as soon as a thread
 * takes it, and asks for the body, which httpd sends even if it is empty. Then the page follows. All else is turns.
 */
#ifndef NSTAR_MODWSGI_H
#define NSTAR_MODWSGI_H

#include "http1.h"

/* Whether an answer is "Status: 200 Continue" and an empty line: it asks for the body. */
static __always_inline bool asks_for_wsgi_body(const __u8 *b, __u32 length)
{
	__u64 words[3];

	__builtin_memcpy(words, b, sizeof(words));
	return length == sizeof(words) && words[0] == WORD('S', 't', 'a', 't', 'u', 's', ':', ' ') &&
	       words[1] == WORD('2', '0', '0', ' ', 'C', 'o', 'n', 't') &&
	       words[2] == WORD('i', 'n', 'u', 'e', '\r', '\n', '\r', '\n');
}

#endif
