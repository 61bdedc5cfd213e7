/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Redis and compatible servers: the commands. Answers come in the order of the commands, however many are sent ahead.
 * Some commands wait on purpose, for data that others push or for replicas; they are in no queue and are not counted.
 */
#ifndef NSTAR_REDIS_H
#define NSTAR_REDIS_H

#include "resp.h"

#define RESP_WORD 4 /* letters that tell a name, with its length */

/* A command: its number of arguments, then the first of them. */
static __always_inline bool is_redis_command(const __u8 *b)
{
	if (b[0] != '*' || b[1] < '1' || b[1] > '9')
		return false;
	if (b[2] == '\r')
		return b[3] == '\n' && b[4] == '$' && b[5] >= '0' && b[5] <= '9';
	return b[2] >= '0' && b[2] <= '9';
}

/*
 * SUBSCRIBE, PSUBSCRIBE, SSUBSCRIBE, MONITOR, SYNC and PSYNC begin a stream from the server, which answers nothing that
 * is asked. A replica says by REPLCONF how far it has followed such a stream. Letters of either case.
 */
static __always_inline bool begins_stream(const __u8 *b)
{
	__u32 name, length;

	if (b[0] != '*' || b[2] != '\r' || b[4] != '$')
		return false;
	length = b[6] == '\r' ? b[5] - '0' : (b[5] - '0') * 10 + (b[6] - '0');
	name = be32(b + (b[6] == '\r' ? 8 : 9)) & 0xdfdfdfdf;
	switch (length) {
	case 4:
		return name == 0x53594e43; /* SYNC */
	case 5:
		return name == 0x5053594e; /* PSYN */
	case 7:
		return name == 0x4d4f4e49; /* MONI */
	case 8:
		return name == 0x5245504c; /* REPL */
	case 9:
		return name == 0x53554253; /* SUBS */
	case 10:
		return name == 0x50535542 || name == 0x53535542; /* PSUB, SSUB */
	}
	return false;
}

enum redis_word { WORD_OTHER, WORD_WAITS, WORD_READS, WORD_BLOCK, WORD_STREAMS };

/*
 * What a command's name, or a word among the arguments of XREAD and XREADGROUP, says about waiting:
 * for data that others push (BLPOP, BRPOP, BRPOPLPUSH, BLMOVE, BLMPOP, BZPOPMIN, BZPOPMAX, BZMPOP),
 * or for replicas and the disk (WAIT, WAITAOF). The line with its length is in front.
 */
static __always_inline enum redis_word read_word(const struct resp_bytes *line, __u32 length)
{
	__u32 word = be32(line->b + (line->b[2] == '\r' ? 4 : 5)) & 0xdfdfdfdf;

	switch (length) {
	case 4:
		return word == 0x57414954 ? WORD_WAITS : WORD_OTHER; /* WAIT */
	case 5:
		if (word == 0x424c504f || word == 0x4252504f) /* BLPO, BRPO */
			return WORD_WAITS;
		if (word == 0x58524541) /* XREA */
			return WORD_READS;
		return word == 0x424c4f43 ? WORD_BLOCK : WORD_OTHER; /* BLOC */
	case 6:
		/* BLMO, BLMP, BZMP */
		return word == 0x424c4d4f || word == 0x424c4d50 || word == 0x425a4d50 ? WORD_WAITS : WORD_OTHER;
	case 7:
		if (word == 0x57414954)
			return WORD_WAITS;
		return word == 0x53545245 ? WORD_STREAMS : WORD_OTHER; /* STRE */
	case 8:
		return word == 0x425a504f ? WORD_WAITS : WORD_OTHER; /* BZPO */
	case 10:
		if (word == 0x4252504f)
			return WORD_WAITS;
		return word == 0x58524541 ? WORD_READS : WORD_OTHER;
	}
	return WORD_OTHER;
}

/*
 * The next word of a command, `last` if it is the last one. XREAD
 * is a request as soon as its words show that it does not wait.
 */
static __always_inline __u64 judge_word(struct half *h, enum redis_word word, bool last)
{
	if (h->state & RESP_NAME) {
		h->state &= ~RESP_NAME;
		if (word == WORD_WAITS)
			return RESP_WAITS;
		if (word != WORD_READS || last)
			return RESP_COUNTS;
		h->state |= RESP_READ;
		return 0;
	}
	if (word != WORD_BLOCK && word != WORD_STREAMS && !last)
		return 0;
	h->state &= ~RESP_READ;
	return word == WORD_BLOCK ? RESP_WAITS : RESP_COUNTS;
}

/* One line towards the server, and the string behind it. Global, see resp.h. */
__noinline __u64 take_command(struct half *h, const struct resp_bytes *line, __u32 n)
{
	struct resp_line l;
	__u64 means = 0;
	bool ends;

	if (!h || !line)
		return 0;
	if (h->state & RESP_TEXT)
		return take_text(h, line, n, &ends);
	if (!h->rest && line->b[0] != '*') { /* a command as a line of text */
		if (line->b[0] != '\r' && line->b[0] != '\n')
			means = RESP_COUNTS;
		return take_text(h, line, n, &ends) | means;
	}
	if (line->b[0] != '*' && line->b[0] != '$')
		return 0;
	if (is_cut(line, n))
		return RESP_HOLD;
	l = read_resp_line(line);
	if (!l.length)
		return 0;
	if (!h->rest) {
		if (l.number > RESP_ELEMENTS_MAX)
			return 0;
		if (l.number > 0) {
			h->rest = l.number;
			h->state = RESP_NAME;
		}
		return l.length;
	}
	if (line->b[0] != '$' || l.number < 0 || l.number > RESP_LENGTH_MAX)
		return 0;
	if (h->state & (RESP_NAME | RESP_READ)) {
		if (n < RESP_LINE && n < l.length + l.number && n < l.length + RESP_WORD)
			return RESP_HOLD;
		means = judge_word(h, read_word(line, l.number), h->rest == 1);
	}
	h->rest--;
	return (l.length + l.number + 2) | means;
}

/* Global, like walk_mysql(). */
DEFINE_WALK(walk_redis_requests, step_resp(&w, false, take_command))

static __always_inline void read_redis_request(struct __sk_buff *skb, const struct segment *s, const __u8 *b,
					       struct half *h, struct message *m)
{
	int n;

	if ((!h->known || h->next == s->seq) && begins_stream(b)) {
		m->protocol = PROTOCOL_OPAQUE;
		m->kind = KIND_SILENT;
		return;
	}
	if (!h->known && is_redis_command(b))
		h->known = AT_NEXT_SEGMENT;
	n = walk_redis_requests(skb, s, h, m);
	if (n == LOST)
		m->waits = m->before = 0;
	else
		m->begins = n;
	m->kind = m->begins ? KIND_REQUEST : KIND_SILENT;
}

#endif
