/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of one connection, in the socket itself (BPF_MAP_TYPE_SK_STORAGE). */
#ifndef NSTAR_CONN_H
#define NSTAR_CONN_H

#include "kernel.h"

#define NO_STATION 0xffffffffu

/* Which way requests flow on this socket. */
enum role {
	ROLE_NONE = 0,   /* neither a tier's socket nor an edge: not measured */
	ROLE_SERVER = 1, /* requests come in, the station is a tier */
	ROLE_CLIENT = 2, /* requests go out, the station is an edge */
};

/* Values are part of the contract with package probe. */
enum protocol {
	PROTOCOL_AUTO = 0,
	PROTOCOL_HTTP = 1,
	PROTOCOL_AJP = 2,
	PROTOCOL_MYSQL = 3,
	PROTOCOL_TLS = 4,
	PROTOCOL_TURNS = 5,
	PROTOCOL_OPAQUE = 6, /* can't be measured here: tunnelled, several requests inside TLS, a broker (pushes.h) */
	/* several requests may be under way on a connection: each segment is looked at */
	PROTOCOL_POSTGRES = 7,
	PROTOCOL_REDIS = 8,
	PROTOCOL_HTTP2 = 9,
	PROTOCOL_FASTCGI = 10, /* turns again */
	PROTOCOL_KAFKA = 11, /* several at once again */
	PROTOCOL_CASSANDRA = 12,
	PROTOCOL_MONGODB = 13,
	PROTOCOL_MEMCACHED = 14, /* answered in their order again */
	PROTOCOL_OPENWIRE = 15, /* several at once again */
	PROTOCOL_DUBBO = 16,
	PROTOCOLS = 17,
};

enum turn {
	TURN_IDLE = 0,      /* nothing asked yet */
	TURN_IN_FLIGHT = 1, /* asked, no answer yet: the request is in the queue */
	TURN_ANSWERED = 2,  /* a departure is booked and moves with each further segment of the answer */
	TURN_REOPENED = 3,  /* the same, but the completion was counted in a window that was handed out */
};

/* How far a TLS session is: the handshake is no request. */
enum tls_stage {
	TLS_HANDSHAKE = 0,
	TLS_FINISHING = 1, /* TLS 1.3: the server has sent encrypted records, the client's Finished is due */
	TLS_OPEN = 2,
	TLS_UNSURE = 3,    /* TLS 1.3: no Finished was recognized in what the client sent; what the server sends opens */
};

/* The protocol inside TLS, as far as the handshake shows it in clear. */
enum alpn {
	ALPN_UNKNOWN = 0,
	ALPN_OTHER = 1,  /* not HTTP/2, because the client did not offer it or the server chose something else */
	ALPN_HTTP1 = 2,
	ALPN_MAY_BE_H2 = 3, /* offered beside others, and the server's choice is encrypted */
	ALPN_H2 = 4,
};

/* Whether messages carry numbers (numbered_messages.h). */
static __always_inline bool has_ids(__u8 protocol)
{
	return protocol == PROTOCOL_HTTP2 || protocol == PROTOCOL_KAFKA || protocol == PROTOCOL_CASSANDRA ||
	       protocol == PROTOCOL_MONGODB || protocol == PROTOCOL_OPENWIRE || protocol == PROTOCOL_DUBBO;
}

/* Whether it carries pages, whose end can be read if the program looks for it (follow.h). */
static __always_inline bool has_pages(__u8 protocol)
{
	return protocol == PROTOCOL_HTTP || protocol == PROTOCOL_AJP || protocol == PROTOCOL_FASTCGI;
}

/* Whether a server fails the requests under way on a connection that it closes: answers say in clear if it did. */
static __always_inline bool fails_by_closing(__u8 protocol)
{
	return has_pages(protocol) || protocol == PROTOCOL_HTTP2;
}

/*
 * Whether the bytes that a client sends while its request is in flight are
 * the rest of that request. In an unknown protocol they may be anything.
 */
static __always_inline bool has_bodies(__u8 protocol)
{
	return has_pages(protocol) || protocol == PROTOCOL_TLS;
}

/*
 * Whether several requests may be under way and are answered in order
 * (pipe.h): segments are looked at even while one is under way.
 */
static __always_inline bool has_several(__u8 protocol)
{
	return protocol == PROTOCOL_POSTGRES || protocol == PROTOCOL_REDIS || protocol == PROTOCOL_MEMCACHED;
}

/* What a request of HTTP asks for, if that matters to its answer. */
enum asks {
	ASKS_TUNNEL = 1, /* after a success there are no turns */
	ASKS_HEAD = 2,   /* an answer without its body */
};

#define HEAD_MAX 16 /* bytes of a header that two segments may share */

enum known {
	UNKNOWN = 0,
	KNOWN = 1,
	AT_NEXT_SEGMENT = 2, /* a message begins there: none was seen of this direction, and it is its turn */
};

/*
 * One direction of a connection, followed from message to message (frames.h). Written by the programs of that
 * direction.
 */
struct half {
	__u32 next;  /* sequence number of the next byte to be looked at, where known */
	__u32 rest;  /* the protocol's own */
	__u32 id;    /* of the message that is under way, or whose answer is due (numbered_messages.h) */
	__u8 known;  /* enum known */
	__u8 state;  /* the protocol's own */
	__u8 due;    /* an answer ends where `next` is */
	__u8 held;   /* bytes of a header before `next` */
	__u8 head[2 * HEAD_MAX]; /* those bytes, and those that complete them */
};

/*
 * The fields that segments of turns need come first: with the kernel's own 8 bytes in front
 * they are one cache line, which the processors of the two directions pass to each other.
 */
struct conn {
	struct bpf_spin_lock lock;
	__u32 station;
	__u32 generation; /* of the tier table by which role and station were found */
	__u32 request_seq;  /* end of the payload seen so far, towards the server */
	__u32 response_seq; /* and towards the client */
	__u8 role;
	__u8 protocol;
	__u8 turn;
	__u8 tls;
	__u8 request_seen;
	__u8 response_seen;
	__u8 asks;        /* enum asks, of the request that came last */
	__u8 login_turns; /* exchanges still to come that authenticate inside TLS */
	__u8 open;        /* counted among its station's connections */
	__u8 guess;       /* enum protocol that the request in flight looks like: its answer will tell */
	__u8 alpn;        /* what runs inside TLS */
	__u8 pipelined;   /* answers are followed, too (pipe.h): several requests were under way at once, or they pause */
	__u64 arrived;     /* monotonic, ns: first byte of the request */
	__u64 departed;    /* monotonic, ns: last byte of the answer so far; 0 before the first answer */
	__u64 departed_at; /* the same moment on the window clock, which finds the booked window again */
	__u32 outstanding; /* requests in flight, where there may be several: in_flight() */
	__u32 silent_until; /* end of a MySQL command without an answer that goes on in the next segment; 0 for none */
	struct half request; /* towards the server */
	__u8 kind;           /* of the request that came last, from 1, where kinds are told apart (kinds.h); else 0 */
	__u8 fresh;          /* enum fresh */
	__u8 keeps;          /* the client keeps the message waiting that is under way (enum keeps) */
	__u8 paused;         /* the answer has paused for longer than the settle delay */
	__u32 seen;          /* of a Unix socket: the walk that found it last (unixsockets/connections.h) */
	__u64 asked;         /* monotonic, ns: the time of the request up to here is split by who kept it waiting */
	__u32 probed;        /* not 0: segments that the other end had twice, and 1, when one was sent again for a probe */
	__u32 opening;       /* bytes of the message that came last, if it is short and the protocol unknown (tails.h) */
	__u16 left_out;      /* 1: that message needs no answer */
	__u16 pushed;        /* bytes of what the server sent of itself since, the last time (tails.h) */
	__u8 again;          /* enum again, of the turn under way if the protocol is unknown (several.h) */
	__u8 several;        /* how much speaks for several requests at once */
	__u8 left;           /* it has ended for its station, though segments may still come */
	__u8 deserted;       /* its server closed it while requests were under way */
};

/* How a connection began, until the first payload (greeting.h). */
enum fresh {
	NOT_FRESH = 0,      /* there was payload, or its begin was not seen */
	FRESH = 1,
	WAITS_FOR_GREETING = 2, /* the server speaks first */
};

/* Kinds of requests that a tier can have. */
#define KINDS 16
#define KIND_OTHER 0
/* Connections and requests store the number of a kind plus this: 0 means that no kind was found. */
#define FIRST_KIND 1

/* Whether kinds are asked for; set when loaded. */
const volatile __u8 kinds_on;

/* The connection's part of the queue: its requests, or its client that waits for a greeting. */
static __always_inline __u32 in_flight(const struct conn *c)
{
	return c->outstanding ? c->outstanding : c->turn == TURN_IN_FLIGHT || c->fresh == WAITS_FOR_GREETING;
}

#endif
