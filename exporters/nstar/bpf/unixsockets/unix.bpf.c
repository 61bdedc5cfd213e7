//go:build ignore

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same queues at Unix sockets, which packet programs don't see.
 *
 *   tp_btf/sk_data_ready      who connects to a server; and what is written to a socket: it is there at once, also
 *                             where the server does not read or has not accepted, so that a request arrives then, as
 *                             a segment of TCP does
 *   tp_btf/sock_recv_length   somebody reads that the other end is closed
 *   iter/bpf_sk_storage_map   connections that are there
 *   syscall                   ends those that are not there any more; counts them
 *
 * A server is known by the file of its socket: device and inode take the place of an address. The process
 * that writes runs in that moment, which shows whose call it is. Both ends of a connection are here, so
 * that each message counts twice: at the tier that receives it, and at the edge between the two.
 */
#include "sent.h"

#include "../role.h"
#include "../counts.h"
#include "../greeting.h"
#include "connections.h"
#include "writer.h"

char LICENSE[] SEC("license") = "GPL";

/* In the tables: no number of a network namespace. */
#define UNIX_NETNS 0xffffffff

/* Where a server listens, as in the tables; false if its socket has no file (an abstract name). */
static __always_inline bool listens_at(struct unix_sock *server, struct endpoints *e)
{
	struct dentry *file = BPF_CORE_READ(server, path.dentry);
	__u32 device, inode;

	__builtin_memset(e, 0, sizeof(*e));
	if (!file)
		return false;
	device = BPF_CORE_READ(file, d_sb, s_dev);
	inode = BPF_CORE_READ(file, d_inode, i_ino);
	e->netns = UNIX_NETNS;
	e->local[0] = 0xfd; /* an address of its own, whatever the numbers are */
	__builtin_memcpy(e->local + 8, &device, 4);
	__builtin_memcpy(e->local + 12, &inode, 4);
	__builtin_memcpy(e->remote, e->local, 16);
	return true;
}

static __always_inline bool takes_part(const struct conn *c)
{
	return c && c->role != ROLE_NONE && c->protocol != PROTOCOL_OPAQUE;
}

/* Gives the server's end its place, for the first time or again; returns whether it belongs to a tier. */
static __noinline bool place_server(struct sock *sk, struct unix_sock *server)
{
	__u32 current = generation; /* before the look-up: what changes meanwhile is looked up again */
	struct conn *c = known(sk);
	struct endpoints e;
	struct listener *l;

	if (c && c->generation == current)
		return takes_part(c);
	if (!listens_at(server, &e))
		return false;
	l = listener_of(&e);
	if (!c && !l)
		return false;
	c = conn_of(sk);
	if (!c)
		return false;
	take_place(c, NULL, l ? ROLE_SERVER : ROLE_NONE, l ? l->station : NO_STATION, l ? l->protocol : PROTOCOL_AUTO,
		   bpf_ktime_get_ns());
	c->generation = current;
	return takes_part(c);
}

/* Gives the end of a client, which is running, its place. */
static __noinline void place_client(struct sock *sk, struct unix_sock *server)
{
	__u32 current = generation, from;
	struct conn *c = known(sk);
	struct endpoints e;

	if (c && c->generation == current)
		return;
	if (!listens_at(server, &e))
		return;
	if (c && c->role == ROLE_CLIENT) {
		refresh_edge(c->station, &e);
		c->generation = current;
		return;
	}
	from = running_tier();
	if (from == NO_STATION)
		return;
	c = conn_of(sk);
	if (!c)
		return;
	from = edge_of(from, &e);
	take_place(c, NULL, from == NO_STATION ? ROLE_NONE : ROLE_CLIENT, from, PROTOCOL_AUTO, bpf_ktime_get_ns());
	c->generation = current;
}

/* Nothing gets lost between two sockets of one kernel. */
__noinline int is_in_window(struct __sk_buff *skb, const struct segment *s)
{
	return skb && s;
}

/* The two ends of a connection to which something was written. */
struct ends {
	struct sock *server;
	struct sock *client;
	struct unix_sock *accepted; /* the server's */
	bool asks;                  /* the client has written */
};

static __always_inline bool find_ends(struct sock *sk, struct ends *e)
{
	struct unix_sock *receiver, *sender;
	struct sock *peer;

	if (sk->__sk_common.skc_state != TCP_ESTABLISHED)
		return false;
	receiver = bpf_skc_to_unix_sock(sk);
	if (!receiver)
		return false;
	peer = receiver->peer;
	if (!peer)
		return false;
	sender = bpf_skc_to_unix_sock(peer);
	if (!sender)
		return false;
	e->asks = receiver->addr;
	if (e->asks == !!sender->addr) /* a socketpair, or both have names: which one serves is not known */
		return false;
	e->server = e->asks ? sk : peer;
	e->client = e->asks ? peer : sk;
	e->accepted = e->asks ? receiver : sender;
	return true;
}

static __always_inline bool is_stream(struct sock *sk)
{
	return sk->__sk_common.skc_family == AF_UNIX && sk->sk_type == SOCK_STREAM;
}

/* The stations whose server speaks first; learned as for a port. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* stations, set when loaded */
	__type(key, __u32);
	__type(value, __u32);
} unix_greeting SEC(".maps");

static __always_inline bool greets_at(__u32 station)
{
	__u32 *greets = bpf_map_lookup_elem(&unix_greeting, &station);

	return greets && *greets;
}

/* A connection begins: the one that is the last to wait to be accepted. Its client is running. */
static __noinline int begin(struct sock *sk, bool client)
{
	struct sk_buff *last = BPF_CORE_READ(sk, sk_receive_queue.prev);
	__u32 current = generation, station;
	struct unix_sock *listener, *new;
	struct endpoints e;
	struct listener *l;
	struct conn *c;
	__u64 end;

	listener = bpf_skc_to_unix_sock(sk);
	if (!listener || !last || (void *)last == (void *)&sk->sk_receive_queue || !listens_at(listener, &e))
		return 0;
	l = listener_of(&e);
	if (!l)
		return 0;
	new = (void *)BPF_CORE_READ(last, sk);
	end = client ? (__u64)BPF_CORE_READ(new, peer) : (__u64)new;
	end_of(end, false); /* of a socket that had this address */
	station = client ? running_tier() : l->station;
	if (station == NO_STATION || !end)
		return 0;
	if (client)
		station = edge_of(station, &e);
	if (station == NO_STATION)
		return 0;
	c = make(end, UNMARKED);
	if (!c)
		return 0;
	take_place(c, NULL, client ? ROLE_CLIENT : ROLE_SERVER, station, client ? PROTOCOL_AUTO : l->protocol,
		   bpf_ktime_get_ns());
	c->generation = current;
	begin_fresh(c, greets_at(station), bpf_ktime_get_ns());
	return 0;
}

/* The first that is written, for one of the ends. */
static __noinline int first_written(struct conn *c, bool by_server)
{
	__u32 station = c->station, *greets = bpf_map_lookup_elem(&unix_greeting, &station);

	if (greets)
		*greets = by_server;
	end_fresh(c, bpf_ktime_get_ns());
	return 0;
}

/*
 * The part of a request that can't be read is skipped: mostly the rest of a message. If several
 * may be there, the requests that begin in it are not counted, and their answers find no
 * request. Answers are not skipped: if an answer may end unseen, all due answers have ended.
 */
static __always_inline void pass_over(struct conn *c, __u32 unread)
{
	c->request_seq += unread;
	if (unread && (has_several(c->protocol) || has_ids(c->protocol)) &&
	    !(c->request.known && (__s32)(c->request.next - c->request_seq) >= 0))
		dropped(DROP_UNIX_LARGE_WRITE);
}

/*
 * An answer may be announced before its request: the writer of the request was interrupted, or the reader
 * looked for it at that moment. Then the answer finds no request, and the request ends when it is announced. Both
 * may happen at once on two processors. The atomic steps are also barriers: the answer is noted before it looks for
 * its request, and the request is booked before it looks for the note, so that one of them sees the other.
 */
static __always_inline void note_early(struct sock *end)
{
	struct socket_mark *mark = mark_of(end);

	if (mark)
		__sync_fetch_and_add(&mark->early, 1);
}

/* How many there were since the last request; 0 from then on. */
static __always_inline __u32 take_early(struct sock *end)
{
	struct socket_mark *mark = mark_of(end);

	return mark ? __sync_lock_test_and_set(&mark->early, 0) : 0;
}

/* Requests end whose answers are not read. Global, so that the verifier looks at it once. */
__noinline int end_early(struct sent *m, __u32 n)
{
	struct conn *c = connection_of(m);
	struct leaving l = {.c = c, .now = bpf_ktime_get_ns(), .left = n};
	struct segment s = {.length = 1};
	struct message answers;

	if (!c || !n)
		return 0;
	s.seq = c->response_seq;
	if (c->pipelined) {
		l.p = pipe_of(m, false);
		if (l.p)
			leave_run(NULL, NULL, NULL, &l);
		return 0;
	}
	start_message(c, &answers);
	answers.kind = KIND_ANSWER;
	answer(c, &s, &answers, l.now);
	return 0;
}

/* A request was written, for one of the ends. Global, as above. */
__noinline int take_written(struct sent *m, struct segment *s)
{
	struct conn *c = connection_of(m);
	__u32 unread;

	if (!m || !s || !c)
		return 0;
	unread = m->length && s->length > m->length ? s->length - m->length : 0;
	s->seq = c->request_seq;
	s->length -= unread;
	take_request(m, c, s, goes_on(c, s), bpf_ktime_get_ns());
	pass_over(c, unread);
	return 0;
}

/* Handles written data, for one of the ends. */
static __always_inline void take(struct sock *sk, const struct ends *e, struct sock *end, bool again)
{
	struct sent m = {.end = (__u64)end, .receiver = (__u64)sk};
	struct socket_mark *mark = mark_of(sk);
	struct segment s = {};
	struct conn *c;
	__u32 early;

	read_last(&m, &s, mark ? &mark->call : NULL, again);
	c = connection_of(&m);
	if (!takes_part(c))
		return;
	if (c->fresh)
		first_written(c, !e->asks);
	if (e->asks) {
		take_written(&m, &s);
		early = take_early(end);
		/* the client writes, and does not read: the answer waits for it */
		if (last_of(e->client))
			end_early(&m, early);
		return;
	}
	if (!in_flight(c))
		note_early(end);
	s.seq = c->response_seq;
	take_answer(&m, c, &s, bpf_ktime_get_ns());
}

/* For the tier. The edge has a program of its own, because both together are more than the verifier can walk. */
SEC("tp_btf/sk_data_ready")
int BPF_PROG(nstar_unix_tier, struct sock *sk)
{
	struct ends e;

	if (!is_stream(sk))
		return 0;
	if (sk->__sk_common.skc_state == TCP_LISTEN)
		begin(sk, false);
	else if (find_ends(sk, &e) && place_server(e.server, e.accepted))
		take(sk, &e, e.server, false);
	return 0;
}

/* Runs after the other one: if no tier serves, there is no edge. */
SEC("tp_btf/sk_data_ready")
int BPF_PROG(nstar_unix_edge, struct sock *sk)
{
	struct ends e;

	if (!is_stream(sk))
		return 0;
	if (sk->__sk_common.skc_state == TCP_LISTEN) {
		begin(sk, true);
		return 0;
	}
	if (!find_ends(sk, &e) || !takes_part(known(e.server)))
		return 0;
	if (e.asks)
		place_client(e.client, e.accepted);
	if (takes_part(known(e.client)))
		take(sk, &e, e.client, true);
	return 0;
}

#define ECONNRESET 104

/*
 * Whether the other end was closed, and not only shut down. A server that closes without having read everything resets
 * the connection.
 */
static __always_inline bool is_closed(const struct sock *end)
{
	return end && end->__sk_common.skc_state == TCP_CLOSE;
}

SEC("tp_btf/sock_recv_length")
int BPF_PROG(nstar_unix_end, struct sock *sk, int length)
{
	struct unix_sock *reader;
	struct sock *peer;

	if ((length && length != -ECONNRESET) || !is_stream(sk) || sk->sk_shutdown != SHUTDOWN_BOTH)
		return 0;
	reader = bpf_skc_to_unix_sock(sk);
	if (!reader)
		return 0;
	peer = reader->peer;
	end_of((__u64)sk, false);
	end_of((__u64)peer, !reader->addr && is_closed(peer));
	return 0;
}

SEC("iter/bpf_sk_storage_map")
int nstar_unix_walk(struct bpf_iter__bpf_sk_storage_map *ctx)
{
	__u64 end = (__u64)ctx->sk;
	struct conn *c = end ? bpf_map_lookup_elem(&unix_conns, &end) : NULL;

	if (c) {
		c->seen = unix_walk;
		unix_found++;
	}
	return 0;
}

static long count_end(struct bpf_map *map, __u64 *end, struct conn *c, void *unused)
{
	if (c->role != ROLE_NONE)
		count_connection(c);
	return 0;
}

/* Counts over the connections, as nstar_count does for TCP. */
SEC("syscall")
int nstar_unix_count(void *unused)
{
	bpf_for_each_map_elem(&unix_conns, count_end, NULL, 0);
	return 0;
}

/* ns for which a connection may have no mark: for this time nothing is written, and a client waits for a greeting. */
#define SILENT_MAX 10000000000

static long sweep(struct bpf_map *map, __u64 *end, struct conn *c, void *unused)
{
	bool there = c->seen == UNMARKED ? bpf_ktime_get_ns() - c->asked < SILENT_MAX : c->seen == unix_walk;

	if (!there)
		end_of(*end, false);
	return 0;
}

/* Ends the connections whose sockets the last walk did not find. */
SEC("syscall")
int nstar_unix_sweep(void *unused)
{
	bpf_for_each_map_elem(&unix_conns, sweep, NULL, 0);
	return 0;
}
