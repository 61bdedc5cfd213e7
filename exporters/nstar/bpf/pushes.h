/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Brokers of messages: AMQP, MQTT, NATS, NSQ and STOMP. Both sides send when they like. What a client publishes gets no
 * answer, or one acknowledgement for many, and what the server delivers was asked by nobody on that connection, so that
 * neither a request nor its end can be told. Such a connection is left out from the first segment on that shows it.
 */
#ifndef NSTAR_PUSHES_H
#define NSTAR_PUSHES_H

#include "frames.h"

/* AMQP 0-9-1: a type, a channel, a length, then so many bytes, and an end mark. */
#define AMQP_HEADER 7
#define AMQP_END 0xce
#define AMQP_METHOD 1
#define AMQP_HEARTBEAT 8
#define AMQP_METHOD_MAX 121

/* The classes of methods that a client may call. */
static __always_inline bool is_amqp_class(__u32 class)
{
	return class == 10 || class == 20 || class == 40 || class == 50 || class == 60 || class == 85 || class == 90;
}

/* A segment that begins with a whole method, as to publish, to acknowledge, to declare; or is a heartbeat. */
static __always_inline bool is_amqp_frame(const __u8 *b, __u32 length)
{
	__u32 size = be32(b + 3), method = be16(b + 9), end = AMQP_HEADER + size;

	if (b[0] == AMQP_HEARTBEAT)
		return length == AMQP_HEADER + 1 && !be16(b + 1) && !size && b[AMQP_HEADER] == AMQP_END;
	if (b[0] != AMQP_METHOD || size < 4 || size > 0xffff || end >= length)
		return false;
	if (!is_amqp_class(be16(b + 7)) || method < 10 || method > AMQP_METHOD_MAX)
		return false;
	if (end >= PREFIX)
		return true;
	barrier_var(end); /* older verifiers don't know it for less than PREFIX any more, the compiler does */
	return b[end & (PREFIX - 1)] == AMQP_END;
}

/* MQTT: a new session, with the protocol's name behind a length of one to four bytes; or a ping. */
static __always_inline bool is_mqtt(const __u8 *b, __u32 length)
{
	if (b[0] == 0xc0)
		return length == 2 && !b[1];
	if (b[0] != 0x10)
		return false;
	for (int i = 1; i <= 4; i++) {
		if (b[i] >> 7)
			continue;
		return !b[i + 1] && b[i + 3] == 'M' && b[i + 4] == 'Q' &&
		       ((b[i + 2] == 4 && b[i + 5] == 'T') || (b[i + 2] == 6 && b[i + 5] == 'I'));
	}
	return false;
}

/* NATS and NSQ publish to a subject by a line; NATS begins with its options, and answers the server's pings. */
static __always_inline bool is_nats(const __u8 *b, __u32 length)
{
	__u32 word = be32(b);

	if (word == 0x50554220 || word == 0x48505542) /* "PUB ", HPUB */
		return true;
	if (word == 0x434f4e4e) /* CONN: HTTP has the method, and an address behind it */
		return b[4] == 'E' && b[5] == 'C' && b[6] == 'T' && b[7] == ' ' && b[8] == '{';
	return word == 0x504f4e47 && length == 6; /* PONG */
}

/* STOMP: a command alone in its line. */
static __always_inline bool is_stomp(const __u8 *b)
{
	switch (be32(b)) {
	case 0x53454e44: /* SEND */
		return b[4] == '\n';
	case 0x53544f4d: /* STOM */
		return b[4] == 'P' && b[5] == '\n';
	case 0x434f4e4e: /* CONN */
		return b[4] == 'E' && b[5] == 'C' && b[6] == 'T' && b[7] == '\n';
	}
	return false;
}

/* Whether a segment towards the server shows a broker's protocol. Global, like walk_mysql(). */
__noinline int is_broker(const struct prefix *p, __u32 length)
{
	const __u8 *b;

	if (!p)
		return 0;
	b = p->b;
	if (be32(b) == 0x414d5150 && length >= 8) /* AMQP of any version: the protocol's header */
		return 1;
	return is_amqp_frame(b, length) || is_mqtt(b, length) || is_nats(b, length) || is_stomp(b);
}

#endif
