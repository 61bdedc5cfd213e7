//go:build ignore

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Queue length and throughput of every tier and edge, from the packets at their sockets.
 *
 *   cgroup_skb/ingress, egress   every TCP segment of every socket below the cgroup: judge.h, turn.h, slots.h
 *   tp_btf/inet_sock_set_state   connections that begin (edges, deferred accepts) and end (aborts)
 *   tp_btf/tcp_retransmit_skb    segments that are sent again, since nobody said that they came
 *   iter/bpf_sk_storage_map      requests in flight and connections per station, for the drift check
 *
 * There is no event per request: user space reads the window slots through a memory map.
 */
#include "apply.h"
#include "counts.h"
#include "greeting.h"
#include "packet.h"
#include "ports.h"
#include "role.h"

char LICENSE[] SEC("license") = "GPL";

/*
 * Data for a socket that still listens: with TCP_DEFER_ACCEPT (Apache's default) the request itself completes
 * the handshake, and the connection's own socket is created right behind this program, on the same CPU.
 */
struct deferred {
	__u16 local_port;
	__u8 pending;
	struct half half;
	struct segment segment;
	struct message message;
	__u64 now;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct deferred);
} deferred_requests SEC(".maps");

static __always_inline struct conn *connection_of(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;

	return sk ? bpf_sk_storage_get(&conns, sk, 0, 0) : NULL;
}

/* The steps of resolve() are functions of their own, so that their frames are not on the stack together. */
static __noinline __u64 look_up(struct tcp_sock *tcp)
{
	struct place p = find_place((struct sock *)tcp);

	return (__u64)p.station << 32 | p.role << 8 | p.protocol;
}

/* For an edge that is known: only its destination may have become another. */
static __noinline int refresh_place(struct sock *sk, __u32 station)
{
	struct endpoints e;

	endpoints_of(sk, &e);
	refresh_edge(station, &e);
	return 0;
}

static __noinline void move_in(struct conn *c, struct streams *t, __u64 place)
{
	take_place(c, t, place >> 8 & 0xff, place >> 32, place & 0xff, bpf_ktime_get_ns());
}

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct streams);
} stream_tables SEC(".maps");

/*
 * The requests under way on a socket if each has a kind of its
 * own, otherwise NULL. A macro, because sockets have two types.
 */
#define open_streams(sk, c) (kinds_on && has_ids((c)->protocol) ? bpf_sk_storage_get(&stream_tables, sk, 0, 0) : NULL)

/* Looks up a socket's role, for the first time or again. Global: rare, and the verifier looks at it once. */
__noinline int resolve(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	__u32 current = generation; /* before the look-up: what changes meanwhile is looked up again */
	struct tcp_sock *tcp;
	struct conn *c;
	__u64 place;

	if (!sk)
		return 0;
	c = bpf_sk_storage_get(&conns, sk, 0, 0);
	tcp = bpf_skc_to_tcp_sock(sk);
	if (!tcp)
		return 0;
	place = look_up(tcp);
	if (!c) {
		c = bpf_sk_storage_get(&conns, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
		if (!c) {
			dropped(DROP_SOCKET_STORAGE);
			return 0;
		}
	} else if (c->role == ROLE_CLIENT && (place >> 8 & 0xff) == ROLE_NONE) {
		/* an edge was found when its process connected; the addresses alone are not enough to find it */
		refresh_place((struct sock *)tcp, c->station);
		c->generation = current;
		return 0;
	}
	move_in(c, open_streams(sk, c), place);
	c->generation = current;
	return 0;
}

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct pipe);
} pipes SEC(".maps");

static __always_inline struct pipe *pipe_of(struct __sk_buff *skb, bool create)
{
	struct bpf_sock *sk = skb->sk;

	return sk ? bpf_sk_storage_get(&pipes, sk, 0, create ? BPF_SK_STORAGE_GET_F_CREATE : 0) : NULL;
}

static __always_inline struct streams *streams_of(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;

	return sk ? bpf_sk_storage_get(&stream_tables, sk, 0, BPF_SK_STORAGE_GET_F_CREATE) : NULL;
}

__noinline int is_in_window(struct __sk_buff *skb, const struct segment *s)
{
	struct bpf_sock *sk = skb->sk;
	struct tcp_sock *tcp;

	if (!sk || !s)
		return 0;
	if (s->sender == sk->src_port)
		return 1; /* our own TCP sends it */
	tcp = bpf_skc_to_tcp_sock(sk);
	if (!tcp)
		return 0;
	return (__s32)(s->seq - (tcp->rcv_wup + tcp->rcv_wnd)) <= 0;
}

/*
 * Whether the client keeps a message waiting, according to one end's socket when a segment arrives:
 * a server that has read all of the request so far waits for the rest, and a client that has not
 * read all of the answer so far does not wait. Global: rare, and the verifier looks at it once.
 */
__noinline int kept_before(struct __sk_buff *skb, bool server)
{
	struct bpf_sock *sk = skb->sk;
	struct tcp_sock *tcp;

	if (!sk)
		return 0;
	tcp = bpf_skc_to_tcp_sock(sk);
	if (!tcp)
		return 0;
	return ((__s32)(tcp->rcv_nxt - tcp->copied_seq) > 0) != server ? KEPT_BEFORE : 0;
}

/*
 * The same when a segment leaves: the written part of the answer waits in the socket until the client has room,
 * and a client with an empty socket has not written more of the request. The connection's end counts as a byte.
 */
__noinline int keeps_after(struct __sk_buff *skb, const struct segment *s, bool server)
{
	struct bpf_sock *sk = skb->sk;
	struct tcp_sock *tcp;

	if (!sk || !s)
		return 0;
	tcp = bpf_skc_to_tcp_sock(sk);
	if (!tcp)
		return 0;
	return ((__s32)(tcp->write_seq - (s->seq + s->length)) > 1) == server ? KEEPS_AFTER : 0;
}

/* A shorter segment is the last one of the written data: room is left in a packet of any size. */
#define FULL_SEGMENT 512

/* Keeps the result for a socket that listens. Global, like resolve(). */
__noinline int defer(struct __sk_buff *skb, const struct segment *s)
{
	__u32 zero = 0;
	struct deferred *f = bpf_map_lookup_elem(&deferred_requests, &zero);
	struct bpf_sock *sk = skb->sk;

	if (!f || !sk || !s)
		return 0;
	f->local_port = sk->src_port;
	f->segment = *s;
	f->now = bpf_ktime_get_ns();
	__builtin_memset(&f->half, 0, sizeof(f->half));
	__builtin_memset(&f->message, 0, sizeof(f->message));
	f->message.first = 1;
	read_request(skb, s, &f->half, &f->message);
	if (kinds_on)
		f->message.node = find_node(skb, s, f->message.protocol);
	f->pending = 1;
	return 0;
}

/*
 * The state of a socket that takes part, with an up-to-date role; NULL for all others. Sockets that listen have none,
 * so that their state is asked for only here.
 */
static __always_inline struct conn *conn_of(struct __sk_buff *skb, struct bpf_sock *sk, const struct segment *s)
{
	struct conn *c = bpf_sk_storage_get(&conns, sk, 0, 0);

	if (!c || c->generation != generation) {
		if (sk->state == TCP_LISTEN) {
			defer(skb, s);
			return NULL;
		}
		resolve(skb);
		c = bpf_sk_storage_get(&conns, sk, 0, 0);
	}
	if (!c || c->role == ROLE_NONE || c->protocol == PROTOCOL_OPAQUE || c->left)
		return NULL;
	return c;
}

/* The first payload of a connection. Global, like resolve(). */
__noinline int first_payload(struct __sk_buff *skb, const struct segment *s)
{
	struct conn *c = connection_of(skb);
	struct bpf_sock *sk = skb->sk;
	__u16 port;

	if (!sk || !s || !c)
		return 0;
	port = c->role == ROLE_SERVER ? sk->src_port : bpf_ntohs(sk->dst_port);
	mark_greeting(port, s->sender == port);
	end_fresh(c, bpf_ktime_get_ns());
	return 0;
}

/*
 * What comes from the server on a tier's own connection that can't be measured may be an answer: if nothing ever comes
 * there, no request waits for one. Global, like resolve().
 */
__noinline int note_told(struct __sk_buff *skb)
{
	struct conn *c = connection_of(skb);

	if (skb && c && c->role == ROLE_CLIENT && c->protocol == PROTOCOL_OPAQUE && c->station >= max_tiers)
		book_told(c->station, bpf_ktime_get_ns() + clock_offset);
	return 0;
}

SEC("cgroup_skb/ingress")
int nstar_ingress(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct segment s;
	struct conn *c;
	bool on;

	if (!sk || !may_take_part(sk->src_port, bpf_ntohs(sk->dst_port)) || !read_segment(skb, &s))
		return 1;
	c = conn_of(skb, sk, &s);
	if (!c) {
		note_told(skb);
		return 1;
	}
	if (c->fresh)
		first_payload(skb, &s);
	on = goes_on(c, &s);
	if (c->role == ROLE_SERVER ? c->turn == TURN_IN_FLIGHT && has_bodies(c->protocol)
				   : c->turn >= TURN_ANSWERED || c->pipelined)
		s.keeps = kept_before(skb, c->role == ROLE_SERVER);
	if (c->role == ROLE_SERVER)
		take_request(skb, c, &s, on, on ? bpf_ktime_get_coarse_ns() : bpf_ktime_get_ns());
	else
		take_answer(skb, c, &s, bpf_ktime_get_ns());
	return 1;
}

#define TICK_MAX 10000000 /* ns between two ticks of the slowest kernel (CONFIG_HZ=100) */

/*
 * When a segment leaves. TCP reads the clock just before it sends and stamps the segment (CLOCK_MONOTONIC): the
 * stamp of a message's first segment is right to a microsecond and saves another reading. Segments that follow may
 * be sent together, all with the first one's stamp. The coarse clock, nearly free, detects values that are no stamp.
 */
static __always_inline __u64 sending_time(struct __sk_buff *skb, bool first)
{
	__u64 stamp = skb->tstamp;

	if (first && stamp - bpf_ktime_get_coarse_ns() < TICK_MAX)
		return stamp;
	return bpf_ktime_get_ns();
}

SEC("cgroup_skb/egress")
int nstar_egress(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct segment s;
	struct conn *c;
	bool turns, on;

	if (!sk || !may_take_part(sk->src_port, bpf_ntohs(sk->dst_port)) || !read_segment(skb, &s))
		return 1;
	c = conn_of(skb, sk, &s);
	if (!c)
		return 1;
	if (c->fresh)
		first_payload(skb, &s);
	turns = !has_several(c->protocol) && c->protocol != PROTOCOL_HTTP2;
	on = goes_on(c, &s);
	if (s.length >= FULL_SEGMENT)
		s.keeps = keeps_after(skb, &s, c->role == ROLE_SERVER);
	else if (c->role == ROLE_CLIENT)
		s.keeps = KEEPS_AFTER;
	if (c->role == ROLE_SERVER)
		take_answer(skb, c, &s, sending_time(skb, turns && c->turn == TURN_IN_FLIGHT));
	else
		take_request(skb, c, &s, on,
			     on ? bpf_ktime_get_coarse_ns() : sending_time(skb, turns && c->turn != TURN_IN_FLIGHT));
	return 1;
}

/*
 * A socket may have been another connection before, which its program ended by connect() to
 * AF_UNSPEC. Its sequence numbers and the numbers of its requests are not valid from here on.
 */
static __always_inline void forget_connection(struct sock *sk)
{
	bpf_sk_storage_delete(&conns, sk);
	bpf_sk_storage_delete(&pipes, sk);
	bpf_sk_storage_delete(&stream_tables, sk);
}

/* An outgoing connection of a tier: runs in the process that connects. */
static __noinline void begin_edge(struct sock *sk)
{
	__u32 from = running_tier();
	__u32 current = generation;
	struct endpoints e;
	struct place p;
	struct conn *c;

	if (from == NO_STATION)
		return;
	c = bpf_sk_storage_get(&conns, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!c) {
		dropped(DROP_SOCKET_STORAGE);
		return;
	}
	endpoints_of(sk, &e);
	mark_called(e.remote_port);
	p = place_at(ROLE_CLIENT, edge_of(from, &e), PROTOCOL_AUTO);
	take_place(c, NULL, p.role, p.station, p.protocol, bpf_ktime_get_ns());
	c->generation = current;
}

/* Gives a new socket its place. On its own, because addresses take much of the stack. */
static __noinline struct conn *place_new(struct sock *sk, __u64 now)
{
	__u32 current = generation;
	struct place p;
	struct conn *c;

	c = bpf_sk_storage_get(&conns, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!c) {
		dropped(DROP_SOCKET_STORAGE);
		return NULL;
	}
	p = find_place(sk);
	take_place(c, NULL, p.role, p.station, p.protocol, now);
	c->generation = current;
	return c;
}

/*
 * Whether the segment opens the socket. TCP drops some that come for a listener, and a later acknowledgement opens the
 * connection without them: what they brought comes again, or belonged to nobody.
 */
static __always_inline bool opens(struct sock *sk, const struct deferred *f)
{
	struct tcp_sock *tcp = bpf_skc_to_tcp_sock(sk);

	return tcp && tcp->rcv_nxt == f->segment.seq && bpf_ktime_get_ns() - f->now < settle_ns &&
	       f->local_port == BPF_CORE_READ(sk, __sk_common.skc_num) &&
	       f->segment.sender == bpf_ntohs(BPF_CORE_READ(sk, __sk_common.skc_dport));
}

/* The socket for a request that came while its listener still listened. */
static __noinline void begin_deferred(struct sock *sk)
{
	__u32 zero = 0;
	struct deferred *f = bpf_map_lookup_elem(&deferred_requests, &zero);
	struct pipe *p = NULL;
	struct message m;
	struct conn *c;

	if (!f || !f->pending)
		return;
	f->pending = 0;
	if (!opens(sk, f))
		return;
	c = place_new(sk, f->now);
	if (!c || c->role != ROLE_SERVER)
		return;
	m = f->message;
	if (m.protocol == PROTOCOL_AUTO)
		m.protocol = c->protocol;
	c->request = f->half;
	if (m.begins > 1 || m.waits || (m.begins && m.protocol == PROTOCOL_HTTP && is_pausing(c)))
		p = bpf_sk_storage_get(&pipes, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (p)
		requests(c, p, &f->segment, &m, f->now);
	else
		request(c, &f->segment, &m, f->now);
}

/* A client's connection to a tier, which may be open for long before its first request. */
static __noinline void begin_client(struct sock *sk)
{
	if (may_serve(BPF_CORE_READ(sk, __sk_common.skc_num)) && !bpf_sk_storage_get(&conns, sk, 0, 0))
		place_new(sk, bpf_ktime_get_ns());
}

/* A connection is established that has its place: at a tier, or at the edge to a server. */
static __noinline void establish(struct sock *sk)
{
	struct conn *c = bpf_sk_storage_get(&conns, sk, 0, 0);

	if (!c || c->role == ROLE_NONE || c->protocol == PROTOCOL_OPAQUE) /* nobody looks at what comes there */
		return;
	begin_fresh(c, greets(c->role == ROLE_SERVER ? BPF_CORE_READ(sk, __sk_common.skc_num)
						     : bpf_ntohs(BPF_CORE_READ(sk, __sk_common.skc_dport))),
		    bpf_ktime_get_ns());
}

/* Its server has ended a connection on which answers are followed. On its own, for its frame. */
static __noinline void end_answer_of(struct sock *sk)
{
	struct conn *c = bpf_sk_storage_get(&conns, sk, 0, 0);

	if (c)
		take_end(c, bpf_sk_storage_get(&pipes, sk, 0, 0), bpf_ktime_get_ns());
}

/*
 * Whether a connection's new state says that its server has ended it: the server's own socket has closed, or the
 * client's was told.
 */
static __always_inline bool is_end(__u8 role, int state)
{
	return role == ROLE_SERVER ? state == TCP_FIN_WAIT1 || state == TCP_LAST_ACK : state == TCP_CLOSE_WAIT;
}

#define SHUT_BOTH 3 /* SHUTDOWN_MASK of the kernel */

/*
 * Whether a client has gone. It has closed its socket, which waits for the server to do the same, for a minute and
 * more if the server is slow: the client waits for no answer any more. (If it closes only its half, it does.) Or it has
 * gone before its server accepted the connection. The server may never do so, if it takes no more connections: a
 * request that is there then waits for nothing. (A client that closes only its half can't be told from that. Few do.)
 */
static __always_inline bool is_left(struct sock *sk, __u8 role, int state)
{
	if (role == ROLE_CLIENT)
		return (state == TCP_FIN_WAIT1 || state == TCP_LAST_ACK) &&
		       BPF_CORE_READ_BITFIELD_PROBED(sk, sk_shutdown) == SHUT_BOTH;
	return state == TCP_CLOSE_WAIT && !BPF_CORE_READ(sk, sk_socket);
}

/*
 * Whether a connection that closes now was ended by its server, before its client did, while requests were under way:
 * the server closed its socket (and what it had written may have left after that), or it resets the connection. (A
 * socket that is reset by the other end is not shut down yet when it closes.)
 */
static __always_inline bool is_hung_up(struct sock *sk, const struct conn *c, int oldstate)
{
	if (c->role != ROLE_SERVER)
		return false;
	return c->deserted ||
	       (oldstate == TCP_ESTABLISHED && BPF_CORE_READ_BITFIELD_PROBED(sk, sk_shutdown) == SHUT_BOTH);
}

/*
 * TCP sends the last segment again as a probe if it was not acknowledged for a while: it was lost, or the other
 * end is slow to acknowledge, as many are that work long on a request. If the first one had arrived, the other
 * end soon reports a duplicate. The program looks for that when the next segment is sent again, or at the end.
 */
static __always_inline void settle_probe(struct conn *c, struct sock *sk)
{
	struct tcp_sock *tcp;

	if (!c->probed)
		return;
	tcp = bpf_skc_to_tcp_sock(sk);
	if (tcp && c->probed == tcp->dsack_dups + 1)
		book_lost(c->station, bpf_ktime_get_ns() + clock_offset);
	c->probed = 0;
}

/* A connection ends, or one of its halves. On its own, for its frame. */
static __noinline void end(struct sock *sk, int oldstate, int newstate)
{
	struct conn *c = bpf_sk_storage_get(&conns, sk, 0, 0);
	bool closed = newstate == TCP_CLOSE;

	if (!c || c->role == ROLE_NONE)
		return;
	if (c->pipelined && (closed || is_end(c->role, newstate)))
		end_answer_of(sk);
	if (newstate == TCP_FIN_WAIT1)
		c->deserted = in_flight(c) > 0;
	if (!closed && !is_left(sk, c->role, newstate))
		return;
	settle_probe(c, sk);
	if (oldstate == TCP_SYN_SENT && c->role == ROLE_CLIENT)
		book_failed(c->station, bpf_ktime_get_ns() + clock_offset);
	take_leave(c, open_streams(sk, c), closed && is_hung_up(sk, c, oldstate), bpf_ktime_get_ns());
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(nstar_state, struct sock *sk, int oldstate, int newstate)
{
	struct conn *c;

	if (newstate == TCP_LISTEN) {
		forget_connection(sk); /* see conn_of() */
		__sync_fetch_and_add(&listens, 1);
		return 0;
	}
	if (BPF_CORE_READ(sk, sk_protocol) != TCP)
		return 0;
	if (newstate == TCP_SYN_SENT) {
		c = bpf_sk_storage_get(&conns, sk, 0, 0);
		if (c && !c->open) /* it is, where this event went to another program first: takeOver() in package probe */
			forget_connection(sk);
		begin_edge(sk);
		return 0;
	}
	if (newstate == TCP_ESTABLISHED) {
		begin_deferred(sk);
		if (oldstate == TCP_SYN_RECV)
			begin_client(sk);
		establish(sk);
		return 0;
	}
	if (newstate == TCP_CLOSE || newstate == TCP_FIN_WAIT1 || newstate == TCP_LAST_ACK || newstate == TCP_CLOSE_WAIT)
		end(sk, oldstate, newstate);
	return 0;
}

SEC("tp_btf/tcp_retransmit_skb")
int BPF_PROG(nstar_lost, struct sock *sk)
{
	struct conn *c = bpf_sk_storage_get(&conns, sk, 0, 0);
	struct tcp_sock *tcp;

	if (!c || c->role == ROLE_NONE)
		return 0;
	settle_probe(c, sk);
	tcp = bpf_skc_to_tcp_sock(sk);
	if (!tcp)
		return 0;
	if (((struct inet_connection_sock *)tcp)->icsk_pending == ICSK_TIME_LOSS_PROBE)
		c->probed = tcp->dsack_dups + 1;
	else
		book_lost(c->station, bpf_ktime_get_ns() + clock_offset);
	return 0;
}

SEC("iter/bpf_sk_storage_map")
int nstar_count(struct bpf_iter__bpf_sk_storage_map *ctx)
{
	struct conn *c = ctx->value;

	if (ctx->sk && c)
		count_connection(c);
	return 0;
}
