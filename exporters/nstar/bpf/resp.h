/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RESP, which Redis and compatible servers speak, line by line. Commands are arrays of strings,
 * answers values of any kind; both are lines with a length or a number of elements that follow.
 *
 * Global functions judge what a line means. They see only bytes and the half of the connection: the
 * verifier looks at each of them once, and not once for every way in which a walk can reach them.
 */
#ifndef NSTAR_RESP_H
#define NSTAR_RESP_H

#include "frames.h"

#define RESP_LINE 16 /* the longest line that tells a number: its kind, sign, ten digits, line end */
#define RESP_LENGTH_MAX 0x20000000
#define RESP_ELEMENTS_MAX 0x100000

/* State of a half. */
#define RESP_TEXT 1  /* inside a line of text */
#define RESP_ASIDE 2 /* elements of a push or an attribute, which answer nothing */
#define RESP_NAME 4  /* a command's name comes next */
#define RESP_READ 8  /* among the arguments that come next may be BLOCK */

/* What a line is: the bytes that it and the string behind it take, 0 if it can't be one; and these. */
#define RESP_COUNTS (1ull << 32) /* a command, or the end of an answer */
#define RESP_WAITS (1ull << 33)  /* a command that waits on purpose */
#define RESP_QUIET (1ull << 35)  /* requests and answers can't be told apart from here on */
#define RESP_HOLD (1ull << 34)   /* too little of it has come */

struct resp_bytes {
	__u8 b[RESP_LINE];
};

/* A line "*3\r\n". */
struct resp_line {
	__u32 length; /* its line end included; 0 if it does not end here */
	__s32 number;
};

/*
 * Reads such a line: its length, and the number above eight bits. Negative numbers, which stand for nothing at all, are
 * bit 7. Global, like walk_mysql().
 */
__noinline __u64 read_number(const struct resp_bytes *line)
{
	__u64 number = 0, negative = 0;

	if (!line)
		return 0;
	for (int i = 1; i < RESP_LINE - 1; i++) {
		__u8 c = line->b[i];

		if (c == '\r')
			return number << 8 | negative | (i + 2);
		if (c == '-')
			negative = 128;
		else
			number = number * 10 + (__u8)(c - '0');
	}
	return 0;
}

static __always_inline struct resp_line read_resp_line(const struct resp_bytes *line)
{
	__u64 n = read_number(line);
	struct resp_line l = {.length = n & 127, .number = n >> 8 > 0x7fffffff ? 0x7fffffff : n >> 8};

	if (n & 128)
		l.number = -1;
	return l;
}

/* Where a line of text ends; 0 if not within the bytes that are read. Global, like walk_mysql(). */
__noinline int find_newline(const struct resp_bytes *line)
{
	if (!line)
		return 0;
	for (int i = 0; i < RESP_LINE; i++) {
		if (line->b[i] == '\n')
			return i + 1;
	}
	return 0;
}

/* Takes up to n bytes of a line of text; `ends` is set if the line ends. */
static __always_inline __u64 take_text(struct half *h, const struct resp_bytes *line, __u32 n, bool *ends)
{
	__u32 end = find_newline(line);

	*ends = end && end <= RESP_LINE;
	if (*ends) {
		h->state &= ~RESP_TEXT;
		return end;
	}
	h->state |= RESP_TEXT;
	return n < RESP_LINE ? n : RESP_LINE;
}

/* The next bytes of the stream, after those held from the previous segment; returns how many are new. */
static __always_inline __u32 load_line(struct walk *w, __u8 *b)
{
	struct half *h = w->h;
	__u32 n = w->s->length - w->p->at, held = h->held;

	if (n > RESP_LINE)
		n = RESP_LINE;
	if (!held) {
		__builtin_memset(b, 0, RESP_LINE);
		if (load_bytes(w->skb, w->s->offset + w->p->at, b, n, RESP_LINE) < 0)
			return 0;
		return n;
	}
	if (held >= RESP_LINE)
		return 0;
	if (n > RESP_LINE - held)
		n = RESP_LINE - held;
	if (load_behind(w->skb, w->s->offset + w->p->at, h, n) < 0)
		return 0;
	__builtin_memcpy(b, h->head, RESP_LINE);
	return n;
}

/* The next segment continues with the held bytes and n more bytes. */
static __always_inline bool hold_line(struct walk *w, const __u8 *b, __u32 held, __u32 n)
{
	if (!w->p->sure)
		return lose(w);
	if (!held)
		__builtin_memcpy(w->h->head, b, RESP_LINE);
	w->h->held = held + n;
	w->p->at += n;
	return goes_further(w);
}

/* One line, and the string behind it; false when the walk is over. */
static __always_inline bool step_resp(struct walk *w, const bool reply,
				      __u64 (*const take)(struct half *h, const struct resp_bytes *line, __u32 n))
{
	__u32 n, held = w->h->held;
	struct resp_bytes line;
	__u64 taken;

	if (!goes_further(w))
		return false;
	n = load_line(w, line.b);
	if (!n)
		return lose(w);
	taken = take(w->h, &line, held + n);
	if (taken & RESP_HOLD)
		return hold_line(w, line.b, held, n);
	if (taken & RESP_QUIET && w->m)
		w->m->turns = 1;
	if (!(__u32)taken)
		return lose(w);
	w->h->held = 0;
	w->p->at += (__u32)taken - held;
	if (taken & RESP_COUNTS)
		count(w, reply);
	if (taken & RESP_WAITS && w->m && !w->m->waits++)
		w->m->before = w->p->found;
	return goes_further(w);
}

/* Whether a line with a number is not complete. */
static __always_inline bool is_cut(const struct resp_bytes *line, __u32 n)
{
	return n < RESP_LINE && !find_newline(line);
}

/* A value is over: so may be all values around it. */
static __always_inline __u64 end_value(struct half *h)
{
	bool counts = !(h->state & RESP_ASIDE);

	h->rest--;
	if (h->rest)
		return 0;
	h->state = 0;
	return counts ? RESP_COUNTS : 0;
}

/*
 * One line from the server, and the string behind it. h->rest is the number of values that are still to come. Global,
 * see above.
 */
__noinline __u64 take_reply(struct half *h, const struct resp_bytes *line, __u32 n)
{
	struct resp_line l;
	__u32 times = 1;
	__u64 taken;
	bool ends;

	if (!h || !line)
		return 0;
	if (!(h->state & RESP_TEXT) && !h->rest)
		h->rest = 1;
	switch (h->state & RESP_TEXT ? '+' : line->b[0]) {
	case '+':
	case '-':
	case ':':
	case '_':
	case ',':
	case '#':
	case '(':
		taken = take_text(h, line, n, &ends);
		return ends ? taken | end_value(h) : taken;
	case '$':
	case '=':
	case '!':
		if (is_cut(line, n))
			return RESP_HOLD;
		l = read_resp_line(line);
		if (!l.length || l.number > RESP_LENGTH_MAX)
			return 0;
		return (l.length + (l.number < 0 ? 0 : l.number + 2)) | end_value(h);
	case '%':
	case '|':
		times = 2;
		break;
	case '>':
	case '*':
	case '~':
		break;
	default:
		return 0;
	}
	if (is_cut(line, n))
		return RESP_HOLD;
	l = read_resp_line(line);
	if (!l.length || l.number > RESP_ELEMENTS_MAX || h->rest > RESP_ELEMENTS_MAX)
		return 0;
	if (l.number > 0)
		h->rest += l.number * times;
	if (line->b[0] == '|') /* an attribute comes in front of the value that it belongs to */
		return l.length;
	if (line->b[0] == '>' && h->rest == 1 + (__u32)l.number)
		h->state |= RESP_ASIDE;
	return l.length | end_value(h);
}

/* Global, like walk_mysql(). */
DEFINE_WALK(walk_redis_answers, step_resp(&w, true, take_reply))

#endif
