/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of each end of a connection over a Unix socket. It is stored by the socket's
 * address, because the functions that all programs share look it up again, and no pointer
 * to a socket may be passed to them. A mark in the socket's own storage shows that it is
 * still the same socket: a new socket may have the address of one that is gone.
 */
#ifndef NSTAR_UNIX_CONNECTIONS_H
#define NSTAR_UNIX_CONNECTIONS_H

#include "../apply.h"

#define ENDS_MAX 65536

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, ENDS_MAX);
	__type(key, __u64);
	__type(value, struct conn);
} unix_conns SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, ENDS_MAX);
	__type(key, __u64);
	__type(value, struct pipe);
} unix_pipes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, ENDS_MAX);
	__type(key, __u64);
	__type(value, struct streams);
} unix_streams SEC(".maps");

/* How much of a system call that writes to the socket went there already (writer.h). */
struct progress_of_call {
	__u64 base;    /* of what it writes, in the writer's memory */
	__u64 length;
	__u64 done;    /* 0 before the first buffer, and behind the last one */
	__u64 at;      /* where the present buffer begins */
	__u32 present; /* bytes in it */
	__u32 full;    /* the same of one behind which the call went on; 0: none was seen */
};

/* Shows that a socket is still the same one, and holds the data of the socket that belong to no tier or edge. */
struct socket_mark {
	struct progress_of_call call;
	__u32 early; /* answers since the last request that found none (unix.bpf.c) */
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct socket_mark);
} unix_marks SEC(".maps");

/* The walk over the sockets that runs, or ran last: a socket that it does not find is gone. Written by user space. */
volatile __u32 unix_walk SEC(".data.unix") = 1;

/* Ends in unix_conns, and those that this walk has found: if it has found all, none is gone. */
volatile __u32 unix_ends SEC(".data.unix") = 0;
volatile __u32 unix_found SEC(".data.unix") = 0;

/* The template of a new entry; the largest value. */
static const __u8 nothing[sizeof(struct streams)];

#define FIND_OR_MAKE(map, key, create) \
	({ \
		void *v = bpf_map_lookup_elem(map, key); \
		if (!v && (create)) { \
			bpf_map_update_elem(map, key, nothing, BPF_NOEXIST); \
			v = bpf_map_lookup_elem(map, key); \
		} \
		v; \
	})

static __always_inline struct conn *connection_of(struct sent *m)
{
	return m ? bpf_map_lookup_elem(&unix_conns, &m->end) : NULL;
}

static __always_inline struct pipe *pipe_of(struct sent *m, bool create)
{
	return m ? FIND_OR_MAKE(&unix_pipes, &m->end, create) : NULL;
}

static __always_inline struct streams *streams_of(struct sent *m)
{
	return m ? FIND_OR_MAKE(&unix_streams, &m->end, true) : NULL;
}

/*
 * The socket is gone, or its other end is: requests under way leave without an answer. `hung_up`: it is the server's
 * end, which the server has closed while its client waits.
 */
static __noinline int end_of(__u64 end, bool hung_up)
{
	struct conn *c = bpf_map_lookup_elem(&unix_conns, &end);
	__u64 now = bpf_ktime_get_ns();

	if (!c)
		return 0;
	if (c->role != ROLE_NONE) {
		if (c->pipelined)
			take_end(c, bpf_map_lookup_elem(&unix_pipes, &end), now);
		take_leave(c, kinds_on && has_ids(c->protocol) ? bpf_map_lookup_elem(&unix_streams, &end) : NULL,
			   hung_up, now);
	}
	bpf_map_delete_elem(&unix_pipes, &end);
	bpf_map_delete_elem(&unix_streams, &end);
	if (!bpf_map_delete_elem(&unix_conns, &end))
		__sync_fetch_and_add(&unix_ends, -1);
	return 0;
}

#define UNMARKED 0 /* in place of a walk */

/* The state of a new end; NULL if there is no memory for it. */
static __always_inline struct conn *make(__u64 end, __u32 walk)
{
	struct conn *c;

	if (!bpf_map_update_elem(&unix_conns, &end, nothing, BPF_NOEXIST))
		__sync_fetch_and_add(&unix_ends, 1);
	c = bpf_map_lookup_elem(&unix_conns, &end);
	if (!c) {
		dropped(DROP_SOCKET_STORAGE);
		return NULL;
	}
	c->seen = walk;
	c->asked = bpf_ktime_get_ns();
	return c;
}

static __always_inline struct socket_mark *mark_of(struct sock *sk)
{
	return bpf_sk_storage_get(&unix_marks, sk, 0, 0);
}

static __always_inline bool mark(struct sock *sk)
{
	return bpf_sk_storage_get(&unix_marks, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
}

/* The state of an end that is there already. */
static __always_inline struct conn *known(struct sock *sk)
{
	__u64 end = (__u64)sk;
	struct conn *c = bpf_map_lookup_elem(&unix_conns, &end);

	if (!c || mark_of(sk))
		return c;
	if (c->seen != UNMARKED || !mark(sk))
		return NULL; /* that of a socket that had this address */
	c->seen = unix_walk;
	return c;
}

/* The same, created if there is none; NULL if there is no memory for it. */
static __always_inline struct conn *conn_of(struct sock *sk)
{
	struct conn *c = known(sk);

	if (c)
		return c;
	end_of((__u64)sk, false);
	if (mark(sk))
		return make((__u64)sk, unix_walk);
	dropped(DROP_SOCKET_STORAGE);
	return NULL;
}

#endif
