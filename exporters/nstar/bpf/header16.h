/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The walks of all protocols that have a header of 16 bytes (numbered_messages.h). A walk of its own for each protocol
 * would be much for the verifier; what a header says costs it little.
 */
#ifndef NSTAR_HEADER16_H
#define NSTAR_HEADER16_H

#include "dubbo.h"
#include "mongodb.h"
#include "openwire.h"

/* Global, see numbered_messages.h. */
__noinline int judge_request16(struct half *h, const struct head *head, struct mark *m)
{
	if (!h || !head || !m)
		return 0;
	switch (m->protocol) {
	case PROTOCOL_MONGODB:
		judge_mongo_request(head->b, m);
		break;
	case PROTOCOL_OPENWIRE:
		judge_openwire_command(head->b, m);
		break;
	case PROTOCOL_DUBBO:
		judge_dubbo_request(head->b, m);
	}
	return 0;
}

/* Global, see numbered_messages.h. */
__noinline int judge_more16(struct half *h, const struct peeked *p, struct mark *m)
{
	if (!h || !p || !m)
		return 0;
	if (m->protocol == PROTOCOL_MONGODB)
		judge_mongo_command(p->b, m);
	else if (m->protocol == PROTOCOL_OPENWIRE)
		take_openwire_number(p, m);
	return 0;
}

/* Global, see numbered_messages.h. */
__noinline int judge_answer16(struct half *h, const struct head *head, struct mark *m)
{
	if (!h || !head || !m)
		return 0;
	if (m->protocol == PROTOCOL_MONGODB)
		judge_mongo_answer(head->b, m);
	else if (m->protocol == PROTOCOL_DUBBO)
		judge_dubbo_answer(head->b, m);
	return 0;
}

/* Global, like walk_mysql(). */
DEFINE_MARK_WALK(walk_requests16, 16, true, judge_request16, judge_more16)
DEFINE_MARK_WALK(walk_answers16, 16, false, judge_answer16, NULL)

#endif
