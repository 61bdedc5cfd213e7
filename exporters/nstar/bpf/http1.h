/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where messages of HTTP/1.x begin and end (RFC 9112): a start line, lines of fields up
 * to a blank one, then a body whose length is in a field, or that comes in chunks.
 * Lines are read in pieces, each by its first letters alone; most of a line is skipped.
 *
 * Requests are followed if a segment may hold more than one or comes while another is under
 * way. Answers are followed only on connections where requests were sent ahead (pipe.h).
 */
#ifndef NSTAR_HTTP1_H
#define NSTAR_HTTP1_H

#include "frames.h"

#define HTTP_PIECE 64
#define HTTP_LENGTH_MAX 0x40000000 /* of a body: what is longer is followed as turns */
#define HTTP_LINE_NAME 16          /* letters that tell a field */
#define HTTP_HEADS 64              /* requests under way of which it is known whether they are HEAD */

/* The position of a half in its message; kept in `state`, together with flags. */
enum http_part {
	HTTP_START = 0,        /* a message begins here */
	HTTP_FIELD = 1,        /* the next line of the head */
	HTTP_FIELD_REST = 2,   /* inside one */
	HTTP_LENGTH = 3,       /* inside the number of Content-Length; `rest` is the number so far */
	HTTP_BODY = 4,         /* a body that may not come; `rest` is its length */
	HTTP_CHUNK = 5,        /* the line with a chunk's length; `rest` is the number so far */
	HTTP_CHUNK_REST = 6,   /* behind that number */
	HTTP_TRAILER = 7,      /* the next line behind the last chunk */
	HTTP_TRAILER_REST = 8, /* inside one */
	HTTP_TUNNEL = 9,       /* what follows is another protocol */
	HTTP_UNTIL_CLOSE = 10, /* a body that ends with the connection */
};

#define HTTP_PART 0x0f
#define HTTP_CHUNKED 0x10
#define HTTP_HAS_LENGTH 0x20
#define HTTP_EXPECTS 0x40  /* a request whose body comes when the server wants it */
#define HTTP_BODILESS 0x40 /* an answer that has none, whatever its fields say */
#define HTTP_INTERIM 0x80  /* an answer before the answer */

/* What a piece is: the bytes that it and the body behind it take, 0 if it can't be one; and these. */
#define HTTP_COUNTS (1ull << 32) /* a request begins, or an answer ends */
#define HTTP_HOLD (1ull << 33)   /* too little of it has come */
#define HTTP_HEAD (1ull << 34)   /* the request's answer has no body */
#define HTTP_LINE (1ull << 35)   /* a message begins, whose line take_http() takes */

/* Whether the answer that has come goes on for as long as the connection does. */
static __always_inline bool lasts_until_close(const struct half *h)
{
	return (h->state & HTTP_PART) == HTTP_UNTIL_CLOSE;
}

struct http_piece {
	__u64 words[HTTP_PIECE / 8];
};

/* Both cases of letters are one. */
#define LOWER 0x2020202020202020ull
#define WORD(a, b, c, d, e, f, g, h) \
	((__u64)(a) | (__u64)(b) << 8 | (__u64)(c) << 16 | (__u64)(d) << 24 | (__u64)(e) << 32 | (__u64)(f) << 40 | \
	 (__u64)(g) << 48 | (__u64)(h) << 56)
#define SEVEN 0xffffffffffffffull /* letters of a word */

static __always_inline bool is_content_length(const struct http_piece *p)
{
	return (p->words[0] | LOWER) == WORD('c', 'o', 'n', 't', 'e', 'n', 't', '-') &&
	       ((p->words[1] | LOWER) & SEVEN) == WORD('l', 'e', 'n', 'g', 't', 'h', ':', 0);
}

static __always_inline bool is_transfer_encoding(const struct http_piece *p)
{
	return (p->words[0] | LOWER) == WORD('t', 'r', 'a', 'n', 's', 'f', 'e', 'r') &&
	       (p->words[1] | LOWER) == WORD('-', 'e', 'n', 'c', 'o', 'd', 'i', 'n');
}

/* Events come for as long as their client listens: their answer has no end that anybody waits for. */
static __always_inline bool tells_events(const struct http_piece *p)
{
	return (p->words[0] | LOWER) == WORD('c', 'o', 'n', 't', 'e', 'n', 't', '-') &&
	       (p->words[1] | LOWER) == WORD('t', 'y', 'p', 'e', ':', ' ', 't', 'e') &&
	       (p->words[2] | LOWER) == WORD('x', 't', '/', 'e', 'v', 'e', 'n', 't');
}

static __always_inline bool is_expect(const struct http_piece *p)
{
	return ((p->words[0] | LOWER) & SEVEN) == WORD('e', 'x', 'p', 'e', 'c', 't', ':', 0);
}

static __always_inline void enter(struct half *h, enum http_part part)
{
	h->state = (h->state & ~HTTP_PART) | part;
}

/* The bytes up to the line's end, or n if that is not among them. Global, see resp.h. */
__noinline int skip_line(const struct http_piece *p, __u32 n)
{
	const __u8 *b = (const __u8 *)p;

	if (!p)
		return 0;
	for (__u32 i = 0; i < HTTP_PIECE; i++) {
		if (i >= n)
			return n;
		if (b[i] == '\n')
			return i + 1;
	}
	return HTTP_PIECE;
}

/* Skips the part of a line that is there; `next` follows it. */
static __always_inline __u64 skip(struct half *h, const struct http_piece *p, __u32 n, enum http_part rest,
				  enum http_part next)
{
	const __u8 *b = (const __u8 *)p;
	__u32 taken = skip_line(p, n);

	if (!taken || taken > HTTP_PIECE)
		return 0;
	enter(h, b[(taken - 1) & (HTTP_PIECE - 1)] == '\n' ? next : rest);
	return taken;
}

/* The head is over, with a line of n bytes. */
static __always_inline __u64 end_head(struct half *h, __u32 n, bool request)
{
	__u8 flags = h->state;
	__u32 rest = h->rest;

	h->rest = 0;
	if (!request && flags & HTTP_INTERIM) {
		h->state = HTTP_START;
		return n;
	}
	if (!request && flags & HTTP_BODILESS) {
		h->state = HTTP_START;
		return n | HTTP_COUNTS;
	}
	if (flags & HTTP_CHUNKED) {
		h->state = HTTP_CHUNK;
		return n;
	}
	if (request && flags & HTTP_EXPECTS && rest) {
		h->rest = rest;
		h->state = HTTP_BODY;
		return n;
	}
	h->state = HTTP_START;
	if (request)
		return n + rest;
	if (flags & HTTP_HAS_LENGTH)
		return (n + rest) | HTTP_COUNTS;
	h->state = HTTP_UNTIL_CLOSE;
	return n;
}

/* A line of the head, or behind the last chunk. */
static __always_inline __u64 take_field(struct half *h, const struct http_piece *p, __u32 n, bool request)
{
	const __u8 *b = (const __u8 *)p;
	bool trailer = (h->state & HTTP_PART) == HTTP_TRAILER;
	__u32 blank = b[0] == '\n' ? 1 : b[0] == '\r' && b[1] == '\n' ? 2 : 0;

	if (n < HTTP_LINE_NAME && skip_line(p, n) == n && b[(n - 1) & (HTTP_PIECE - 1)] != '\n')
		return HTTP_HOLD;
	if (trailer) {
		if (!blank)
			return skip(h, p, n, HTTP_TRAILER_REST, HTTP_TRAILER);
		h->state = HTTP_START;
		return request ? blank : blank | HTTP_COUNTS;
	}
	if (blank)
		return end_head(h, blank, request);
	if (!request && tells_events(p))
		return 0;
	if (is_content_length(p)) {
		h->rest = 0;
		h->state |= HTTP_HAS_LENGTH;
		enter(h, HTTP_LENGTH);
		return 15;
	}
	if (is_transfer_encoding(p))
		h->state |= HTTP_CHUNKED;
	if (request && is_expect(p))
		h->state |= HTTP_EXPECTS;
	return skip(h, p, n, HTTP_FIELD_REST, HTTP_FIELD);
}

/* Digits and blanks up to the end of the line. */
static __always_inline __u64 take_length(struct half *h, const struct http_piece *p, __u32 n)
{
	const __u8 *b = (const __u8 *)p;

	for (__u32 i = 0; i < HTTP_LINE_NAME; i++) {
		if (i >= n)
			return n;
		if (b[i] == '\n') {
			enter(h, HTTP_FIELD);
			return i + 1;
		}
		if (b[i] == ' ' || b[i] == '\t' || b[i] == '\r')
			continue;
		if (b[i] < '0' || b[i] > '9' || h->rest > HTTP_LENGTH_MAX / 10 - 1)
			return 0;
		h->rest = h->rest * 10 + (b[i] - '0');
	}
	return HTTP_LINE_NAME;
}

/* A chunk's length is known: the chunk follows, or the part behind the last chunk. */
static __always_inline __u64 end_chunk_line(struct half *h, __u32 n)
{
	__u32 length = h->rest;

	h->rest = 0;
	enter(h, length ? HTTP_CHUNK : HTTP_TRAILER);
	return length ? n + length + 2 : n;
}

static __always_inline __u64 take_chunk_line(struct half *h, const struct http_piece *p, __u32 n)
{
	const __u8 *b = (const __u8 *)p;

	for (__u32 i = 0; i < HTTP_LINE_NAME; i++) {
		__u8 c = b[i], low = c | 0x20;

		if (i >= n)
			return n;
		if (c == '\n')
			return end_chunk_line(h, i + 1);
		if (c == '\r')
			continue;
		if (c == ';' || c == ' ') {
			enter(h, HTTP_CHUNK_REST);
			return i + 1;
		}
		if (h->rest > HTTP_LENGTH_MAX / 16 - 1)
			return 0;
		if (c >= '0' && c <= '9')
			h->rest = h->rest * 16 + (c - '0');
		else if (low >= 'a' && low <= 'f')
			h->rest = h->rest * 16 + (low - 'a' + 10);
		else
			return 0;
	}
	return HTTP_LINE_NAME;
}

/* The rest of a message of either direction. Global, see resp.h. */
__noinline __u64 take_http(struct half *h, const struct http_piece *p, __u32 n, __u32 request)
{
	const __u8 *b = (const __u8 *)p;
	__u32 taken;

	if (!h || !p)
		return 0;
	switch (h->state & HTTP_PART) {
	case HTTP_FIELD:
	case HTTP_TRAILER:
		return take_field(h, p, n, request);
	case HTTP_FIELD_REST:
		return skip(h, p, n, HTTP_FIELD_REST, HTTP_FIELD);
	case HTTP_TRAILER_REST:
		return skip(h, p, n, HTTP_TRAILER_REST, HTTP_TRAILER);
	case HTTP_LENGTH:
		return take_length(h, p, n);
	case HTTP_BODY:
		taken = h->rest;
		h->state = h->rest = 0;
		return taken;
	case HTTP_CHUNK:
		return take_chunk_line(h, p, n);
	case HTTP_CHUNK_REST:
		taken = skip_line(p, n);
		if (!taken || taken > HTTP_PIECE)
			return 0;
		return b[(taken - 1) & (HTTP_PIECE - 1)] == '\n' ? end_chunk_line(h, taken) : taken;
	}
	return 0;
}

/*
 * The first bytes of a request. The walk does not go on after CONNECT and the preface of HTTP/2:
 * the function that looks at the first bytes of the segment takes these. Global, see resp.h.
 */
__noinline __u64 begin_http_request(struct half *h, const struct http_piece *p, __u32 n)
{
	const __u8 *b = (const __u8 *)p;
	__u32 word, i;

	if (!h || !p)
		return 0;
	if (b[0] == '\r' || b[0] == '\n') /* servers overlook blank lines between requests */
		return 1;
	for (i = 0; i < HTTP_LINE_NAME; i++) {
		if (i >= n)
			return HTTP_HOLD;
		if (b[i] == ' ')
			break;
		if ((b[i] < 'A' || b[i] > 'Z') && b[i] != '-')
			return 0;
	}
	word = p->words[0];
	if (i < 3 || word == (__u32)WORD('C', 'O', 'N', 'N', 0, 0, 0, 0) ||
	    word == (__u32)WORD('P', 'R', 'I', ' ', 0, 0, 0, 0))
		return 0;
	h->rest = 0;
	h->state = HTTP_FIELD_REST;
	return HTTP_LINE | HTTP_COUNTS | (word == (__u32)WORD('H', 'E', 'A', 'D', 0, 0, 0, 0) && i == 4 ? HTTP_HEAD : 0);
}

/* The first bytes of an answer; `bodiless` if HEAD asked for it. Global, see resp.h. */
__noinline __u64 begin_http_answer(struct half *h, const struct http_piece *p, __u32 n, __u32 bodiless)
{
	const __u8 *b = (const __u8 *)p;

	if (!h || !p)
		return 0;
	if (n < 13)
		return HTTP_HOLD;
	if ((p->words[0] & SEVEN) != WORD('H', 'T', 'T', 'P', '/', '1', '.', 0) || b[8] != ' ')
		return 0;
	if (b[9] == '1' && b[10] == '0' && b[11] == '1') {
		h->state = HTTP_TUNNEL;
		return 1;
	}
	h->rest = 0;
	h->state = HTTP_FIELD_REST;
	if (b[9] == '1')
		h->state |= HTTP_INTERIM;
	if (bodiless || (b[9] == '2' && b[10] == '0' && b[11] == '4') || (b[9] == '3' && b[10] == '0' && b[11] == '4'))
		h->state |= HTTP_BODILESS;
	return HTTP_LINE;
}

/* The next bytes of the stream, after those held from the previous segment; returns how many are new. */
static __always_inline __u32 load_piece(struct walk *w, struct http_piece *p)
{
	__u32 n = w->s->length - w->p->at, held = w->h->held;

	__builtin_memset(p, 0, sizeof(*p));
	if (!held) {
		if (n > HTTP_PIECE)
			n = HTTP_PIECE;
		if (load_bytes(w->skb, w->s->offset + w->p->at, p, n, HTTP_PIECE) < 0)
			return 0;
		return n;
	}
	if (held >= HEAD_MAX)
		return 0;
	if (n > HEAD_MAX - held)
		n = HEAD_MAX - held;
	if (load_behind(w->skb, w->s->offset + w->p->at, w->h, n) < 0)
		return 0;
	__builtin_memcpy(p, w->h->head, HEAD_MAX);
	return n;
}

/* One piece; false when the walk is over. */
static __always_inline bool step_http(struct walk *w, const bool request, __u64 heads)
{
	__u32 n, held = w->h->held;
	struct http_piece piece;
	__u64 taken;

	if (!goes_further(w))
		return false;
	if (!request && lasts_until_close(w->h)) {
		w->p->at = w->s->length;
		return false;
	}
	n = load_piece(w, &piece);
	if (!n)
		return lose(w);
	if (w->h->state & HTTP_PART)
		taken = HTTP_LINE;
	else if (request)
		taken = begin_http_request(w->h, &piece, held + n);
	else
		taken = begin_http_answer(w->h, &piece, held + n, w->p->found < HTTP_HEADS ? heads >> w->p->found & 1 : 0);
	if (taken & HTTP_LINE)
		taken |= take_http(w->h, &piece, held + n, request);
	if (taken & HTTP_HOLD) {
		if (!held)
			__builtin_memcpy(w->h->head, &piece, HEAD_MAX);
		w->h->held = held + n;
		w->p->at += n;
		return goes_further(w);
	}
	if (!(__u32)taken)
		return lose(w);
	w->h->held = 0;
	w->p->at += (__u32)taken - held;
	if (!request && (w->h->state & HTTP_PART) == HTTP_TUNNEL) {
		w->p->at = w->s->length;
		w->p->found++;
		return false;
	}
	if (taken & HTTP_HEAD && w->m && w->p->found < HTTP_HEADS)
		w->m->heads |= 1ull << w->p->found;
	if (taken & HTTP_COUNTS)
		count(w, !request);
	return goes_further(w);
}

/* One step; global, see struct walk. */
__noinline int step_http_request(struct __sk_buff *skb, const struct segment *s, struct half *h, struct message *m,
				 struct progress *p)
{
	struct walk w = {.skb = skb, .s = s, .h = h, .m = m, .p = p};

	return skb && s && h && m && p && step_http(&w, true, 0);
}

static long more_http_requests(struct bpf_map *map, __u32 *key, __u32 *value, struct walk *w)
{
	return stop_unless(step_http_request(w->skb, w->s, w->h, w->m, w->p));
}

/* Counts the requests that begin in a segment, before the part that can't be read. */
static __always_inline int walk_http_requests(struct __sk_buff *skb, const struct segment *s, struct half *h,
					      struct message *m)
{
	struct progress p = {};
	struct walk w = {.skb = skb, .s = s, .h = h, .m = m, .p = &p};

	m->heads = 0;
	if (!find_first(s, h, &p.at, &p.found))
		return 0;
	p.sure = h->known;
	if (step_http_request(skb, s, h, m, &p))
		bpf_for_each_map_elem(&steps, more_http_requests, &w, 0);
	/* a client that waits for the server's word may send another request if that is no */
	if ((h->state & HTTP_PART) == HTTP_BODY && p.at == s->length)
		forget(h);
	else
		finish(&w);
	return p.found;
}

/* One step; global, see struct walk. */
__noinline int step_http_answer(struct __sk_buff *skb, const struct segment *s, struct half *h, __u64 heads,
				struct progress *p)
{
	struct walk w = {.skb = skb, .s = s, .h = h, .p = p};

	return skb && s && h && p && step_http(&w, false, heads);
}

struct http_answers {
	struct walk w;
	__u64 heads; /* as in struct pipe */
};

static long more_http_answers(struct bpf_map *map, __u32 *key, __u32 *value, struct http_answers *a)
{
	return stop_unless(step_http_answer(a->w.skb, a->w.s, a->w.h, a->heads, a->w.p));
}

/* Counts the answers that end in a segment, or returns LOST. Global, like walk_mysql(). */
__noinline int walk_http_answers(struct __sk_buff *skb, const struct segment *s, struct half *h, __u64 heads)
{
	struct progress p = {};
	struct http_answers a = {.w = {.skb = skb, .s = s, .h = h, .p = &p}, .heads = heads};

	if (!skb || !s || !h)
		return 0;
	if (!find_first(s, h, &p.at, &p.found))
		return p.found;
	if (!h->known) /* what is missing may have been an answer */
		return LOST;
	p.sure = true;
	if (step_http_answer(skb, s, h, heads, &p))
		bpf_for_each_map_elem(&steps, more_http_answers, &a, 0);
	return finish(&a.w);
}

#endif
