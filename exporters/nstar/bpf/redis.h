/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RESP, the protocol of Redis and its kin. A command is an array of strings, an answer a value of any kind; both are lines with
 * a length or a number of elements that follow. Answers come in the order of the commands, however many are sent ahead.
 */
#ifndef NSTAR_REDIS_H
#define NSTAR_REDIS_H

#include "frames.h"

#define RESP_LINE 16 /* the longest line that tells a number: its kind, sign, ten digits, line end */
#define RESP_COMMAND 32
#define RESP_LENGTH_MAX 0x20000000
#define RESP_ELEMENTS_MAX 0x100000

/* State of a half. */
#define RESP_TEXT 1  /* inside a line of text */
#define RESP_ASIDE 2 /* elements of a push or an attribute, which answer nothing */

struct resp_bytes {
	__u8 b[RESP_LINE];
};

/* A line "*3\r\n". */
struct resp_line {
	__u32 length; /* its line end included; 0 if it does not end here */
	__s32 number;
};

/*
 * Reads such a line: its length, and the number above eight bits. Negative numbers, which stand for nothing at all, are bit 7.
 * Global, like walk_mysql().
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

static __always_inline struct resp_line read_resp_line(const __u8 *b)
{
	__u64 n = read_number((const struct resp_bytes *)b);
	struct resp_line l = {.length = n & 127, .number = n >> 8 > 0x7fffffff ? 0x7fffffff : n >> 8};

	if (n & 128)
		l.number = -1;
	return l;
}

/* Where a line of text ends; 0 if not within what is looked at. Global, like walk_mysql(). */
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

static __always_inline __u32 find_line_end(const __u8 *b)
{
	__u32 end = find_newline((const struct resp_bytes *)b);

	return end <= RESP_LINE ? end : 0;
}

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
 * SUBSCRIBE, PSUBSCRIBE, SSUBSCRIBE, MONITOR, SYNC and PSYNC begin a stream from the server, which answers nothing that is asked.
 * Letters of either case.
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
	case 9:
		return name == 0x53554253; /* SUBS */
	case 10:
		return name == 0x50535542 || name == 0x53535542; /* PSUB, SSUB */
	}
	return false;
}

/* Takes in n bytes of the stream as text or as a number's line, see below; false where more of it must come first. */
static __always_inline bool read_text(struct half *h, const __u8 *b, __u32 n, __u32 *taken)
{
	__u32 end = find_line_end(b);

	if (!end && n < RESP_LINE) {
		*taken = n;
		h->state |= RESP_TEXT;
		return false;
	}
	*taken = end ? end : RESP_LINE;
	if (end)
		h->state &= ~RESP_TEXT;
	else
		h->state |= RESP_TEXT;
	return end;
}

/* One line towards the server, and the string behind it; returns the bytes that it takes, 0 if it is none. */
static __always_inline __u32 step_command(struct walk *w, const __u8 *b, __u32 n)
{
	struct resp_line l;
	struct half *h = w->h;
	__u32 taken;

	if (h->state & RESP_TEXT) {
		read_text(h, b, n, &taken);
		return taken;
	}
	if (!h->rest && b[0] != '*') { /* a command as a line of text */
		if (b[0] != '\r' && b[0] != '\n')
			w->found++;
		read_text(h, b, n, &taken);
		return taken;
	}
	l = read_resp_line(b);
	if (!l.length)
		return 0;
	if (!h->rest) {
		if (l.number > RESP_ELEMENTS_MAX)
			return 0;
		if (l.number > 0) {
			h->rest = l.number;
			w->found++;
		}
		return l.length;
	}
	if (b[0] != '$' || l.number < 0 || l.number > RESP_LENGTH_MAX)
		return 0;
	h->rest--;
	return l.length + l.number + 2;
}

/* A value is over: so may be all values around it. */
static __always_inline void end_value(struct walk *w, struct half *h)
{
	h->rest--;
	if (h->rest)
		return;
	if (!(h->state & RESP_ASIDE))
		count(w, true);
	h->state = 0;
}

/* One line from the server, and the string behind it. h->rest is the number of values that are still to come. */
static __always_inline __u32 step_reply(struct walk *w, const __u8 *b, __u32 n)
{
	struct half *h = w->h;
	struct resp_line l;
	__u32 taken, times = 1;

	if (h->state & RESP_TEXT) {
		if (read_text(h, b, n, &taken)) {
			w->at += taken;
			end_value(w, h);
			w->at -= taken;
		}
		return taken;
	}
	if (!h->rest)
		h->rest = 1;
	switch (b[0]) {
	case '+':
	case '-':
	case ':':
	case '_':
	case ',':
	case '#':
	case '(':
		if (read_text(h, b, n, &taken)) {
			w->at += taken;
			end_value(w, h);
			w->at -= taken;
		}
		return taken;
	case '$':
	case '=':
	case '!':
		l = read_resp_line(b);
		if (!l.length || l.number > RESP_LENGTH_MAX)
			return 0;
		taken = l.length + (l.number < 0 ? 0 : l.number + 2);
		w->at += taken;
		end_value(w, h);
		w->at -= taken;
		return taken;
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
	l = read_resp_line(b);
	if (!l.length || l.number > RESP_ELEMENTS_MAX || h->rest > RESP_ELEMENTS_MAX)
		return 0;
	if (l.number > 0)
		h->rest += l.number * times;
	if (b[0] == '|') { /* an attribute comes in front of the value that it belongs to */
		return l.length;
	}
	if (b[0] == '>' && h->rest == 1 + (__u32)l.number)
		h->state |= RESP_ASIDE;
	w->at += l.length;
	end_value(w, h);
	w->at -= l.length;
	return l.length;
}

/* The next bytes of the stream, those held from the segment before in front; returns how many are new. */
static __always_inline __u32 load_line(struct walk *w, __u8 *b)
{
	struct half *h = w->h;
	__u32 n = w->s->length - w->at, held = h->held;

	if (n > RESP_LINE)
		n = RESP_LINE;
	if (!held) {
		__builtin_memset(b, 0, RESP_LINE);
		if (n == 0 || n > RESP_LINE || bpf_skb_load_bytes(w->skb, w->s->offset + w->at, b, n) < 0)
			return 0;
		return n;
	}
	if (held >= RESP_LINE)
		return 0;
	if (n > RESP_LINE - held)
		n = RESP_LINE - held;
	if (n == 0 || n > RESP_LINE || bpf_skb_load_bytes(w->skb, w->s->offset + w->at, h->head + held, n) < 0)
		return 0;
	__builtin_memcpy(b, h->head, RESP_LINE);
	return n;
}

/* Whether a line that tells a number has not come in full. */
static __always_inline bool is_cut(const struct half *h, const __u8 *b, __u32 have, bool reply)
{
	if (have >= RESP_LINE || h->state & RESP_TEXT)
		return false;
	switch (b[0]) {
	case '*':
	case '$':
		break;
	case '=':
	case '!':
	case '%':
	case '|':
	case '>':
	case '~':
		if (!reply)
			return false;
		break;
	default:
		return false;
	}
	return !find_line_end(b);
}

static __always_inline bool step_resp(struct walk *w, bool reply)
{
	__u32 n, held = w->h->held, taken;
	__u8 b[RESP_LINE];

	if (w->at >= w->s->length)
		return false;
	n = load_line(w, b);
	if (!n)
		return lose(w);
	if (is_cut(w->h, b, held + n, reply)) {
		if (!w->sure)
			return lose(w);
		if (!held)
			__builtin_memcpy(w->h->head, b, RESP_LINE);
		w->h->held = held + n;
		w->at += n;
		return true;
	}
	w->h->held = 0;
	w->at -= held;
	taken = reply ? step_reply(w, b, held + n) : step_command(w, b, held + n);
	if (!taken)
		return lose(w);
	w->at += taken;
	return true;
}

#define DEFINE_RESP_WALK(name, reply) \
	static long name##_more(struct bpf_map *map, __u32 *key, __u32 *value, struct walk *w) \
	{ \
		return !step_resp(w, reply); \
	} \
	__noinline int name(struct __sk_buff *skb, const struct segment *s, struct half *h) \
	{ \
		struct walk w = {.skb = skb, .s = s, .h = h}; \
\
		if (!s || !h) \
			return 0; \
		if (!find_first(s, h, &w.at, &w.found)) \
			return w.found; \
		w.sure = h->known; \
		bpf_for_each_map_elem(&steps, name##_more, &w, 0); \
		return finish(&w); \
	}

/* Global, like walk_mysql(). */
DEFINE_RESP_WALK(walk_redis_requests, false)
DEFINE_RESP_WALK(walk_redis_answers, true)

static __always_inline void read_redis_request(struct __sk_buff *skb, const struct segment *s, const __u8 *b, struct half *h,
					       struct message *m)
{
	int n;

	if ((!h->known || h->next == s->seq) && begins_stream(b)) {
		m->protocol = PROTOCOL_OPAQUE;
		m->kind = KIND_SILENT;
		return;
	}
	if (!h->known && is_redis_command(b))
		h->known = AT_NEXT_SEGMENT;
	n = walk_redis_requests(skb, s, h);
	m->begins = n > 0 ? n : 0;
	m->kind = m->begins ? KIND_REQUEST : KIND_SILENT;
}

#endif
