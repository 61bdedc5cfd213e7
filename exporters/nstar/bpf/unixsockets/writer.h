/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where what is written to a Unix socket can be read. Up to some 3,700 bytes lie in one piece in the socket's buffer;
 * of what is longer all may lie in pages, to which a program has no way. But whoever writes is running, and what it
 * wrote still stands in its own memory, where its system call says.
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

/* What a system call writes, if it can be told where in the writer's memory that is. */
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

/*
 * Finds what went into a buffer in the writer's memory. A system call fills several buffers where it writes more than
 * some 36,500 bytes; how much of it went into those before is kept with the socket that receives. One in many pieces is
 * known by its first one, if all went into one buffer.
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
		if (call->base == w.first.base && call->length == w.length && call->done + length <= w.length)
			at = call->done;
		call->base = w.first.base;
		call->length = w.length;
		call->at = at;
		call->done = at + length < w.length ? at + length : 0;
	}
	if (at + length > w.length || w.first.length - at <= m->length)
		return;
	m->data = w.first.base + at;
	m->length = w.first.length - at;
}

/*
 * What was written last, and waits to be read, for the first time or again. Where the reader was faster, nothing is
 * known of it.
 */
static __always_inline void read_last(struct sock *sk, struct sent *m, struct segment *s, bool again)
{
	struct sk_buff *skb = BPF_CORE_READ(sk, sk_receive_queue.prev);
	struct progress_of_call *call;
	__u32 apart;

	__builtin_memset(s, 0, sizeof(*s));
	m->data = m->length = 0;
	s->length = 1;
	if ((void *)skb == (void *)&sk->sk_receive_queue || !skb)
		return;
	s->length = BPF_CORE_READ(skb, len);
	apart = BPF_CORE_READ(skb, data_len);
	m->data = (__u64)BPF_CORE_READ(skb, data);
	m->length = s->length - apart;
	call = bpf_sk_storage_get(&unix_marks, sk, 0, 0);
	if (apart || (call && call->done))
		read_writer(m, s->length, call, again);
}

#endif
