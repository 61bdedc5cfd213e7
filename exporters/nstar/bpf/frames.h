/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages one behind the other in a stream of bytes, each with a header that tells its length. Each direction of a
 * connection has a half of its own and is followed from message to message, over segments that begin and end anywhere.
 * A message of many segments costs one comparison for each.
 *
 * A protocol brings a function that judges a header. docs/protocols.md has the steps to add one.
 */
#ifndef NSTAR_FRAMES_H
#define NSTAR_FRAMES_H

#include "message.h"

#define LOST (-1) /* where messages begin is not known any more */

#define STEPS_MAX 4096 /* messages looked at in one segment */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, STEPS_MAX);
	__type(key, __u32);
	__type(value, __u32);
} steps SEC(".maps"); /* holds nothing: its entries are counted off */

/* How far a walk has come. */
struct progress {
	__u32 at;   /* offset in the segment of the next header */
	int found;  /* requests that begin, or answers that end */
	__u8 sure;  /* a message is known to begin there */
	__u8 lost;
	__u8 unused[6]; /* no hidden padding, see struct segment */
};

/*
 * A walk from message to message. Each step is a global function, which the verifier looks at once; for its caller
 * `p` is just bytes. Newer verifiers look at a callback again and again, until it leaves no state that they have
 * not seen. A callback that steps by itself leaves another offset each time, and Linux 6.8 finds no end.
 */
struct walk {
	struct __sk_buff *skb;
	const struct segment *s;
	struct half *h;
	struct message *m; /* NULL if the walk finds nothing but messages */
	struct progress *p;
};

/* What a header says about its message. */
struct frame {
	__u32 length; /* header included; 0 if this can't be a header */
	__u8 counts;  /* begins a request, or ends an answer */
};

static __always_inline __u32 be16(const __u8 *b)
{
	return (__u32)b[0] << 8 | b[1];
}

static __always_inline __u32 be32(const __u8 *b)
{
	return (__u32)b[0] << 24 | (__u32)b[1] << 16 | (__u32)b[2] << 8 | b[3];
}

static __always_inline void forget(struct half *h)
{
	h->known = h->held = h->due = h->state = 0;
	h->rest = 0;
}

/* The first bytes of a header that the next segment goes on with. */
static __always_inline void hold(struct __sk_buff *skb, const struct segment *s, struct half *h, __u32 at)
{
	__u32 n = s->length - at;

	if (load_bytes(skb, s->offset + at, h->head, n, HEAD_MAX - 1) < 0)
		return;
	h->held = n;
}

/* Loads n bytes, 1 to HEAD_MAX, behind the held ones, if there are fewer of these; an error otherwise. */
static __always_inline long load_behind(struct __sk_buff *skb, __u32 at, struct half *h, __u32 n)
{
	__u64 held = h->held;

	barrier_var(held); /* what is compared must be what is added, as for the verifiers before 6.8 */
	if (held >= HEAD_MAX)
		return -1;
	return load_bytes(skb, at, h->head + held, n, HEAD_MAX);
}

/* Completes a header that begins in the segment before; false if this segment does not complete it either. */
static __always_inline bool complete(struct __sk_buff *skb, const struct segment *s, struct half *h, __u32 header,
				     __u8 *b)
{
	__u32 held = h->held, n;

	if (held >= HEAD_MAX)
		return false;
	n = header - held;
	if (n > s->length)
		n = s->length;
	if (load_behind(skb, s->offset, h, n) < 0)
		return false;
	h->held = held + n;
	if (h->held < header)
		return false;
	__builtin_memcpy(b, h->head, HEAD_MAX);
	return true;
}

/* Where the first header in the segment is; false if there is none, or if it is not known. */
static __always_inline bool find_first(const struct segment *s, struct half *h, __u32 *at, int *found)
{
	*at = 0;
	if (!h->known)
		return true;
	if (h->known == AT_NEXT_SEGMENT)
		h->next = s->seq;
	*at = h->next - s->seq;
	if ((__s32)*at < 0) { /* something is missing in between */
		forget(h);
		*at = 0;
		return true;
	}
	if (*at > s->length)
		return false;
	if (h->due) {
		h->due = 0;
		*found = 1;
	}
	return *at < s->length;
}

static __always_inline bool lose(struct walk *w)
{
	w->p->lost = true;
	return false;
}

/* An answer ends with its last byte: if it goes on beyond the segment, it is due when that byte is reached. */
static __always_inline void count(struct walk *w, bool at_end)
{
	if (at_end && w->p->at > w->s->length)
		w->h->due = 1;
	else
		w->p->found++;
}

/* Whether the walk has more to look at. */
static __always_inline bool goes_further(const struct walk *w)
{
	return w->p->at < w->s->length;
}

/* One message with a header of fixed length; false when the walk is over. */
static __always_inline bool step_frame(struct walk *w, const __u32 header, const bool at_end,
				       struct frame (*const judge)(const __u8 *b, struct half *h))
{
	__u8 b[HEAD_MAX] = {};
	struct frame f;

	if (!goes_further(w))
		return false;
	if (w->p->at + header > w->s->length) {
		if (!w->p->sure)
			return lose(w);
		hold(w->skb, w->s, w->h, w->p->at);
		w->p->at = w->s->length;
		return false;
	}
	if (bpf_skb_load_bytes(w->skb, w->s->offset + w->p->at, b, header) < 0)
		return lose(w);
	f = judge(b, w->h);
	if (f.length < header)
		return lose(w);
	w->p->at += f.length;
	if (f.counts)
		count(w, at_end);
	return goes_further(w);
}

/* The message whose header began in the previous segment; false when the walk is over. */
static __always_inline bool step_held(struct walk *w, const __u32 header, const bool at_end,
				      struct frame (*const judge)(const __u8 *b, struct half *h))
{
	__u32 held = w->h->held;
	__u8 b[HEAD_MAX];
	struct frame f;

	if (!complete(w->skb, w->s, w->h, header, b)) {
		w->p->at = w->s->length;
		return false;
	}
	w->h->held = 0;
	f = judge(b, w->h);
	if (f.length < header)
		return lose(w);
	w->p->at = f.length - held;
	if (f.counts)
		count(w, at_end);
	return goes_further(w);
}

/*
 * The result of a walk. If no beginning was known, the messages are only believed
 * if they fill the segment exactly and all of their bytes (h->rest) are there.
 */
static __always_inline int finish(struct walk *w)
{
	struct half *h = w->h;

	if (w->p->lost || w->p->at < w->s->length || (!w->p->sure && (w->p->at != w->s->length || h->rest))) {
		forget(h);
		return LOST;
	}
	h->next = w->s->seq + w->p->at;
	h->known = KNOWN;
	return w->p->found;
}

/*
 * What a callback returns. The compiler may make a boolean of any byte that it knows to be one; the verifier wants 0 or
 * 1.
 */
static __always_inline long stop_unless(bool more)
{
	long stop = !more;

	asm volatile("%0 &= 1" : "+r"(stop));
	return stop;
}

/* One message with a header of fixed length, which may begin in the segment before; false when the walk is over. */
static __always_inline bool step_any_frame(struct walk *w, const __u32 header, const bool at_end,
					   struct frame (*const judge)(const __u8 *b, struct half *h))
{
	return w->h->held ? step_held(w, header, at_end, judge) : step_frame(w, header, at_end, judge);
}

/*
 * Makes the global function `name`, which counts what a walk w finds in a segment, or returns LOST.
 * `step` does one step with &w and tells whether another one follows. A message `m` is not required.
 */
#define DEFINE_WALK(name, step) \
	__noinline int name##_step(struct __sk_buff *skb, const struct segment *s, struct half *h, struct message *m, \
				   struct progress *p) \
	{ \
		struct walk w = {.skb = skb, .s = s, .h = h, .m = m, .p = p}; \
\
		return skb && s && h && p && step; \
	} \
	static long name##_more(struct bpf_map *map, __u32 *key, __u32 *value, struct walk *w) \
	{ \
		return stop_unless(name##_step(w->skb, w->s, w->h, w->m, w->p)); \
	} \
	__noinline int name(struct __sk_buff *skb, const struct segment *s, struct half *h, struct message *m) \
	{ \
		struct progress p = {}; \
		struct walk w = {.skb = skb, .s = s, .h = h, .m = m, .p = &p}; \
\
		if (!skb || !s || !h) \
			return 0; \
		if (!find_first(s, h, &p.at, &p.found)) \
			return p.found; \
		p.sure = h->known; \
		if (name##_step(skb, s, h, m, &p)) \
			bpf_for_each_map_elem(&steps, name##_more, &w, 0); \
		return finish(&w); \
	}

#endif
