/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memcached's text protocol, meta commands included. A command is a line, followed by a
 * block of data if the line has its length; `noreply` asks for no answer. Answers come in
 * the order of the commands. Quiet meta commands are answered only sometimes: from there on
 * the connection is read as turns. Lines are read in pieces like those of RESP (resp.h).
 *
 * The binary protocol has a header instead of a line: magic, opcode, and the
 * length of what follows. Its quiet commands are answered only sometimes, too.
 */
#ifndef NSTAR_MEMCACHED_H
#define NSTAR_MEMCACHED_H

#include "resp.h"

#define MC_WORDS_MAX 250
#define MC_NOREPLY 7 /* letters */
#define MC_LENGTH_MAX 0x40000000
#define MC_BINARY_REQUEST 0x80
#define MC_BINARY_ANSWER 0x81
#define MC_BINARY_STAT 0x10
#define MC_BINARY_HEADER 24
#define MC_BINARY_FIELDS 12
#define MC_BINARY_OPCODES 0x24
#define MC_KEY_MAX 250
#define MC_ITEM_MAX 0x100000 /* as servers have it if they are not told otherwise */

/* What a line is, according to its first word; kept in `state` of the half, 0 between lines. */
enum mc_line {
	MC_PLAIN = 1,   /* a command, or an answer */
	MC_STORE = 2,   /* data follows; the fifth word is its length */
	MC_META = 3,    /* a meta command */
	MC_META_SET = 4, /* the same with data; the third word is its length */
	MC_QUIT = 5,
	MC_VALUE = 6,   /* part of an answer, with data; the fourth word is its length */
	MC_META_VALUE = 7, /* an answer with data; the second word is its length */
	MC_PART = 8,    /* part of an answer */
};

/*
 * `id` of the half while a line is read: the number of the word, its letters so far, its first letter; `rest` is a
 * length.
 */
#define MC_WORD(id) ((id) & 0xff)
#define MC_LETTERS(id) ((id) >> 8 & 0xff)
#define MC_FIRST(id) ((id) >> 16 & 0xff)
#define MC_QUIET (1u << 24)

static __always_inline __u8 mc_command(const __u8 *b)
{
	__u32 word = be32(b);

	switch (word) {
	case 0x73657420: /* "set " */
	case 0x61646420: /* "add " */
	case 0x63617320: /* "cas " */
	case 0x7265706c: /* replace */
	case 0x61707065: /* append */
	case 0x70726570: /* prepend */
		return MC_STORE;
	case 0x71756974: /* quit */
		return MC_QUIT;
	}
	switch (word >> 8) {
	case 0x6d7320: /* "ms " */
		return MC_META_SET;
	case 0x6d6720: /* "mg " */
	case 0x6d6420:
	case 0x6d6120:
	case 0x6d6520:
	case 0x6d6e0d: /* "mn\r" */
		return MC_META;
	}
	return MC_PLAIN;
}

static __always_inline __u8 mc_answer(const __u8 *b)
{
	switch (be32(b)) {
	case 0x56414c55: /* VALUE */
		return MC_VALUE;
	case 0x53544154: /* STAT */
	case 0x4954454d: /* ITEM */
		return MC_PART;
	}
	return be32(b) >> 8 == 0x564120 ? MC_META_VALUE : MC_PLAIN; /* "VA " */
}

/* The index of the word that holds the length of the data; MC_WORDS_MAX for none. */
static __always_inline __u32 mc_length_word(__u8 line)
{
	switch (line) {
	case MC_STORE:
		return 4;
	case MC_META_SET:
		return 2;
	case MC_VALUE:
		return 3;
	case MC_META_VALUE:
		return 1;
	}
	return MC_WORDS_MAX;
}

/* One letter of a line. Global, see resp.h. */
__noinline int take_letter(struct half *h, __u32 c, __u32 length_word)
{
	__u32 id;

	if (!h)
		return 0;
	id = h->id;

	if (c == '\r')
		return 0;
	if (c == ' ') {
		if (MC_LETTERS(id) == 1 && MC_FIRST(id) == 'q')
			id |= MC_QUIET;
		h->id = (id & MC_QUIET) | (MC_WORD(id) < MC_WORDS_MAX ? MC_WORD(id) + 1 : MC_WORDS_MAX);
		return 0;
	}
	if (!MC_LETTERS(id))
		id |= (__u32)c << 16;
	if (MC_LETTERS(id) < 255)
		id += 1 << 8;
	h->id = id;
	if (MC_WORD(id) == length_word && c >= '0' && c <= '9' && h->rest < MC_LENGTH_MAX / 10)
		h->rest = h->rest * 10 + (c - '0');
	return 0;
}

/* A line is over; returns the bytes of data behind it. Global, see resp.h. */
__noinline __u64 end_line(struct half *h)
{
	bool data, missing, noreply, quiet;
	__u64 means;

	if (!h)
		return 0;
	data = mc_length_word(h->state) != MC_WORDS_MAX;
	missing = data && MC_WORD(h->id) < mc_length_word(h->state);
	noreply = MC_WORD(h->id) >= 2 && MC_LETTERS(h->id) == MC_NOREPLY && MC_FIRST(h->id) == 'n';
	quiet = h->id & MC_QUIET || (MC_LETTERS(h->id) == 1 && MC_FIRST(h->id) == 'q');
	means = data ? h->rest + 2 : 0;

	switch (h->state) {
	case MC_PLAIN:
	case MC_STORE:
		if (!noreply)
			means |= RESP_COUNTS;
		break;
	case MC_META:
	case MC_META_SET:
		means |= quiet ? RESP_QUIET : RESP_COUNTS;
		break;
	case MC_META_VALUE:
		means |= RESP_COUNTS;
	}
	h->state = h->rest = h->id = 0;
	return missing ? RESP_QUIET : means;
}

/* The next piece of a line, and the data behind it. */
static __always_inline __u64 take_piece(struct half *h, const struct resp_bytes *line, __u32 n)
{
	__u32 length_word = mc_length_word(h->state);

	for (__u32 i = 0; i < RESP_LINE; i++) {
		if (i >= n)
			return n;
		if (line->b[i] == '\n')
			return (i + 1) + end_line(h);
		take_letter(h, line->b[i], length_word);
	}
	return RESP_LINE;
}

/* A message of the binary protocol, which means that; the fields of its header that matter come first. */
static __always_inline __u64 take_binary(const struct resp_bytes *line, __u32 n, __u64 means)
{
	__u32 length = be32(line->b + 8);

	if (n < MC_BINARY_FIELDS)
		return RESP_HOLD;
	if (length > MC_LENGTH_MAX)
		return RESP_QUIET;
	return (MC_BINARY_HEADER + length) | means;
}

/* Whether an opcode asks for no answer but now and then: GetQ, GetKQ, SetQ to PrependQ, GatQ, GatKQ. */
static __always_inline bool is_quiet(__u8 opcode)
{
	return opcode == 0x09 || opcode == 0x0d || (opcode >= 0x11 && opcode <= 0x1a) || opcode == 0x1e || opcode == 0x24;
}

/* Global, see resp.h. */
__noinline __u64 take_mc_command(struct half *h, const struct resp_bytes *line, __u32 n)
{
	if (!h || !line)
		return 0;
	if (!h->state) {
		if (line->b[0] == MC_BINARY_REQUEST)
			return take_binary(line, n, is_quiet(line->b[1]) ? RESP_QUIET : RESP_COUNTS);
		if (line->b[0] < 'a' || line->b[0] > 'z')
			return RESP_QUIET; /* no command begins so */
		if (is_cut(line, n))
			return RESP_HOLD;
		h->state = mc_command(line->b);
		h->rest = h->id = 0;
	}
	return take_piece(h, line, n);
}

/* Global, see resp.h. */
__noinline __u64 take_mc_answer(struct half *h, const struct resp_bytes *line, __u32 n)
{
	if (!h || !line)
		return 0;
	if (!h->state) {
		if (line->b[0] == MC_BINARY_ANSWER) /* statistics are many, up to one without a key */
			return take_binary(line, n, line->b[1] == MC_BINARY_STAT && be16(line->b + 2) ? 0 : RESP_COUNTS);
		if (is_cut(line, n))
			return RESP_HOLD;
		h->state = mc_answer(line->b);
		h->rest = h->id = 0;
	}
	return take_piece(h, line, n);
}

/* Global, like walk_mysql(). */
DEFINE_WALK(walk_mc_commands, step_resp(&w, false, take_mc_command))
DEFINE_WALK(walk_mc_answers, step_resp(&w, true, take_mc_answer))

/*
 * A command of the binary protocol with a key: its parts are not longer than the whole, and unused fields are zero.
 */
static __always_inline bool looks_binary(const __u8 *b)
{
	__u32 key = be16(b + 2), all = be32(b + 8);

	return b[0] == MC_BINARY_REQUEST && b[1] <= MC_BINARY_OPCODES && key > 0 && key <= MC_KEY_MAX && b[4] <= 20 &&
	       !b[5] && !be16(b + 6) && all >= key + b[4] && all <= MC_ITEM_MAX;
}

/* What a segment shows if it begins with a command: only commands that no other protocol of lines has. */
static __always_inline bool looks_like_memcached(const __u8 *b)
{
	if (looks_binary(b))
		return true;
	switch (be32(b)) {
	case 0x73657420: /* "set " */
	case 0x61646420: /* "add " */
	case 0x63617320: /* "cas " */
	case 0x67657420: /* "get "; a path is HTTP's */
		return b[4] > ' ' && b[4] != '/';
	case 0x67617420: /* "gat " */
		return b[4] > ' ';
	case 0x67657473: /* "gets" */
	case 0x696e6372: /* incr */
	case 0x64656372: /* decr */
		return b[4] == ' ' && b[5] > ' ';
	}
	return (be32(b) >> 8 == 0x6d6720 || be32(b) >> 8 == 0x6d7320) && b[3] > ' ';
}

/* If commands can't be separated, the connection is read as turns from here on. */
static __always_inline void read_mc_request(struct __sk_buff *skb, const struct segment *s, const __u8 *b,
					    struct half *h, struct message *m)
{
	int n;

	if (!h->known && (m->first || looks_like_memcached(b)))
		h->known = AT_NEXT_SEGMENT;
	n = walk_mc_commands(skb, s, h, m);
	if (m->turns || n == LOST) {
		m->protocol = PROTOCOL_TURNS;
		m->kind = KIND_REQUEST;
		return;
	}
	m->begins = n;
	m->kind = n ? KIND_REQUEST : KIND_SILENT;
}

#endif
