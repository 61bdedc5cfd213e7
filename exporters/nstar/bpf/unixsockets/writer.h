/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where what is written to a Unix socket can be read. Up to about 3,700 bytes are in one piece in
 * the socket's buffer; longer data may be completely in pages, which a program can't reach. But the
 * writer is running, and the data are still in its own memory, at the address in its system call.
 */
#ifndef NSTAR_UNIX_WRITER_H
#define NSTAR_UNIX_WRITER_H

#include "connections.h"

struct pt_regs___x86 {
	unsigned long di, si, dx;
	unsigned long orig_ax; /* number of the system call */
} RELOCATED;

struct pt_regs___arm64 {
	__u64 regs[31];
	int syscallno;
} RELOCATED;

/* A system call with a file, and two words more. */
struct call {
	long number;
	__u64 second;
	__u64 third;
};

enum way {
	WAY_OTHER = 0,
	WAY_BUFFER = 1,  /* write, sendto: address and length */
	WAY_VECTOR = 2,  /* writev: pieces, and how many */
	WAY_MESSAGE = 3, /* sendmsg: struct user_msghdr */
};

struct piece {
	__u64 base;
	__u64 length;
};

struct user_msghdr_head {
	__u64 name;
	__u64 name_length;
	__u64 pieces;
	__u64 count;
};

#define PIECES_MAX 8

static __always_inline enum way way_of(struct call *c)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	struct pt_regs___x86 *x86 = (void *)regs;
	struct pt_regs___arm64 *arm64 = (void *)regs;

	if (bpf_core_field_exists(x86->orig_ax)) {
		c->number = BPF_CORE_READ(x86, orig_ax);
		c->second = BPF_CORE_READ(x86, si);
		c->third = BPF_CORE_READ(x86, dx);
		switch (c->number) {
		case 1:
		case 44:
			return WAY_BUFFER;
		case 20:
			return WAY_VECTOR;
		case 46:
			return WAY_MESSAGE;
		}
	} else if (bpf_core_field_exists(arm64->syscallno)) {
		c->number = BPF_CORE_READ(arm64, syscallno);
		c->second = BPF_CORE_READ(arm64, regs[1]);
		c->third = BPF_CORE_READ(arm64, regs[2]);
		switch (c->number) {
		case 64:
		case 206:
			return WAY_BUFFER;
		case 66:
			return WAY_VECTOR;
		case 211:
			return WAY_MESSAGE;
		}
	}
	return WAY_OTHER;
}

/* The data that a system call writes, if their place in the writer's memory is known. */
struct written {
	struct piece first;
	__u64 length; /* in all */
	__u64 pieces;
};

/* Global, so that the verifier looks at it once. */
__noinline int find_written(struct written *w)
{
	struct user_msghdr_head head;
	struct piece piece;
	struct call c = {};

	if (!w)
		return 0;
	switch (way_of(&c)) {
	case WAY_BUFFER:
		w->first.base = c.second;
		w->first.length = w->length = c.third;
		w->pieces = 1;
		return 1;
	case WAY_MESSAGE:
		if (bpf_probe_read_user(&head, sizeof(head), (void *)c.second))
			return 0;
		c.second = head.pieces;
		c.third = head.count;
		break;
	case WAY_VECTOR:
		break;
	default:
		return 0;
	}
	for (__u64 i = 0; i < PIECES_MAX && i < c.third; i++) {
		if (bpf_probe_read_user(&piece, sizeof(piece), (void *)(c.second + i * sizeof(piece))))
			return 0;
		if (!i)
			w->first = piece;
		w->length += piece.length;
	}
	w->pieces = c.third;
	return c.third > 0 && c.third <= PIECES_MAX;
}

/* The most that fits into a buffer if none was seen full yet: the contents of a page and eight pages of 4 kB. */
#define PAGE 4096
#define CACHE_LINE 64

static __always_inline __u32 full_of(const struct progress_of_call *call)
{
	__u32 shared = (bpf_core_type_size(struct skb_shared_info) + CACHE_LINE - 1) & -CACHE_LINE;

	return call && call->full ? call->full : PAGE - shared + 8 * PAGE;
}

/*
 * How much of a call went into the buffers before this one, which is `length` long (0: not known). A system call
 * fills several buffers if it writes more than about 36,500 bytes. The value is stored with the receiving socket.
 */
static __always_inline __u64 written_before(const struct progress_of_call *call, const struct written *w, __u32 length)
{
	bool same = call->base == w->first.base && call->length == w->length;

	return same && call->done + length <= w->length ? call->done : 0;
}

/* Keeps how far a call is. */
static __always_inline void progress(struct progress_of_call *call, const struct written *w, __u64 at, __u32 length)
{
	bool more = at + length < w->length;

	call->base = w->first.base;
	call->length = w->length;
	call->at = at;
	call->present = length;
	call->done = more ? at + length : 0;
}

/* The same for a call whose one buffer can be read: the reader may take it before it is read again. */
static __always_inline void begin_call(struct progress_of_call *call, __u32 length)
{
	call->at = 0;
	call->present = length;
}

/*
 * Finds the data of a buffer in the writer's memory. A call in many
 * pieces is identified by its first one, if all went into one buffer.
 */
static __always_inline void read_writer(struct sent *m, __u32 length, struct progress_of_call *call, bool again)
{
	struct written w = {};
	__u64 at = 0;

	if (!find_written(&w) || ((w.pieces > 1 || !call) && w.length != length))
		return;
	if (call && again) {
		at = call->at;
	} else if (call) {
		at = written_before(call, &w, length);
		progress(call, &w, at, length);
		if (call->done)
			call->full = length;
	}
	if (at + length > w.length || w.first.length - at <= m->length)
		return;
	m->data = w.first.base + at;
	m->length = w.first.length - at;
}

/* The part that the reader has already taken: all that is left of the call, or as much as a buffer holds. */
static __always_inline void read_taken(struct sent *m, struct segment *s, struct progress_of_call *call, bool again)
{
	struct written w = {};
	__u64 at = 0;

	if (!find_written(&w) || !w.length)
		return;
	if (call && again) {
		at = call->at;
		s->length = call->present;
	} else {
		at = call ? written_before(call, &w, 0) : 0;
		s->length = w.length - at < full_of(call) ? w.length - at : full_of(call);
		if (call)
			progress(call, &w, at, s->length);
	}
	if (at >= w.first.length)
		return;
	m->data = w.first.base + at;
	m->length = w.first.length - at;
}

/* The buffer that was written last; NULL if the reader has taken it. */
static __always_inline struct sk_buff *last_of(const struct sock *sk)
{
	struct sk_buff *skb = BPF_CORE_READ(sk, sk_receive_queue.prev);

	return (void *)skb == (void *)&sk->sk_receive_queue ? NULL : skb;
}

/* The part of a buffer that is in one piece. */
static __always_inline void read_buffer(struct sk_buff *skb, struct sent *m, struct segment *s)
{
	s->length = BPF_CORE_READ(skb, len);
	m->data = (__u64)BPF_CORE_READ(skb, data);
	m->length = s->length - BPF_CORE_READ(skb, data_len);
}

/*
 * The data that were written last, for the first time or again. Global,
 * so that the verifier forgets afterwards which path was taken.
 */
__noinline int read_last(struct sent *m, struct segment *s, struct progress_of_call *call, bool again)
{
	struct sk_buff *skb;
	struct sock *sk;

	if (!m || !s)
		return 0;
	sk = (void *)m->receiver;
	skb = last_of(sk);
	s->length = 1;
	if (skb)
		read_buffer(skb, m, s);
	if (!skb || last_of(sk) != skb)
		read_taken(m, s, call, again);
	else if (m->length < s->length || (call && call->done))
		read_writer(m, s->length, call, again);
	else if (call && !again)
		begin_call(call, s->length);
	return 0;
}

#endif
