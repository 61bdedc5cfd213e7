/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several requests at once on a connection of an unknown protocol (RSocket, Bolt of SOFA, Hot Rod, Artery): they can't
 * be told apart, and counted as turns they are too few. What shows them is a turn in which the client sends twice
 * before the server does, and then the server sends twice before the client does, each time with a pause between. One
 * such turn may be a long request with a long answer. Where every ninth turn is like that, or more of them, the
 * connection is not measured any more.
 */
#ifndef NSTAR_SEVERAL_H
#define NSTAR_SEVERAL_H

#include "turn.h"

/* What the turn under way has shown. */
enum again {
	ASKS_AGAIN = 1,
	ANSWERS_AGAIN = 2,
};

#define SEVERAL_STEP 8   /* by which such a turn counts for more than another one against it */
#define SEVERAL_KNOWN 80 /* ten such turns */

/* A new turn begins. */
static __always_inline void note_turn(struct conn *c)
{
	if (c->again == (ASKS_AGAIN | ANSWERS_AGAIN))
		c->several = c->several + SEVERAL_STEP > SEVERAL_KNOWN ? SEVERAL_KNOWN : c->several + SEVERAL_STEP;
	else if (c->several)
		c->several--;
	c->again = 0;
}

/* The client sends something; `turn` says that this begins a turn. */
static __always_inline void note_asking(struct conn *c, bool turn, __u64 now)
{
	if (turn)
		note_turn(c);
	else if ((__s64)(now - c->asked) >= SOON)
		c->again |= ASKS_AGAIN;
	c->asked = now;
}

/* The server sends something beside the first part of an answer. */
static __always_inline void note_answering(struct conn *c, __u64 now)
{
	if ((__s64)(now - c->departed) >= SOON)
		c->again |= ANSWERS_AGAIN;
}

/* Whether it is known that several requests are under way at once. */
static __always_inline bool has_several_unknown(const struct conn *c)
{
	return c->several >= SEVERAL_KNOWN;
}

#endif
