/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Brokers of messages: AMQP, MQTT, NATS, NSQ and STOMP. Both sides send when they like. A published message gets
 * no answer, or one acknowledgement for many. A delivered one was not asked for on that connection. So requests
 * and their ends can't be found. Such a connection is left out from the first segment on that shows it.
 */
#ifndef NSTAR_PUSHES_H
#define NSTAR_PUSHES_H

#include "frames.h"

/* AMQP 0-9-1: a type, a channel, a length, then that number of bytes, and an end mark. */
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

/* A name begins: letters, digits, or what else can be read. */
static __always_inline bool is_readable(const __u8 *b, __u32 length)
{
	for (int i = 0; i < 4; i++)
		if (i < length && (b[i] <= ' ' || b[i] >= 0x7f))
			return false;
	return true;
}

#define MQTT_CUT 512 /* bytes of a message that its segment has at least, where it goes on in the next */

static __always_inline bool is_mqtt_publish(__u8 b)
{
	return b >> 4 == 3 && (b & 6) != 6;
}

/*
 * MQTT: a message is published, with its topic behind the length: `rest` bytes
 * follow up to `end`. There the segment ends, or another message begins.
 */
static __always_inline bool is_mqtt_message(struct __sk_buff *skb, const struct segment *s, const __u8 *topic,
					    __u32 rest, __u32 end)
{
	__u32 n = be16(topic);
	__u8 next;

	if (!n || n > 255 || n + 2 > rest || !is_readable(topic + 2, n))
		return false;
	if (end >= s->length)
		return end == s->length || s->length >= MQTT_CUT;
	return bpf_skb_load_bytes(skb, s->offset + end, &next, 1) == 0 && is_mqtt_publish(next);
}

/*
 * MQTT: a new session, with the protocol's name behind a length of one to four bytes; a message;
 * or a message with only a number or nothing: an acknowledgement, a ping, a disconnect.
 */
static __always_inline bool is_mqtt(struct __sk_buff *skb, const struct segment *s, const __u8 *b)
{
	bool session = b[0] == 0x10, message = is_mqtt_publish(b[0]);
	__u32 rest = 0, length = s->length;

	if (b[0] == 0xc0 || b[0] == 0xe0)
		return length == 2 && !b[1];
	if (b[0] == 0x40 || b[0] == 0x50 || b[0] == 0x62 || b[0] == 0x70)
		return b[1] == 2 && (length == 4 || (b[4] == b[0] && b[5] == 2));
	if (!session && !message)
		return false;
	for (int i = 1; i <= 4; i++) {
		rest |= (b[i] & 0x7fu) << (7 * (i - 1));
		if (b[i] >> 7)
			continue;
		if (message)
			return is_mqtt_message(skb, s, b + i + 1, rest, 1 + i + rest);
		return !b[i + 1] && b[i + 3] == 'M' && b[i + 4] == 'Q' &&
		       ((b[i + 2] == 4 && b[i + 5] == 'T') || (b[i + 2] == 6 && b[i + 5] == 'I'));
	}
	return false;
}

/*
 * NATS and NSQ publish to a subject by a line, and listen by one. NATS begins with its options, and answers the
 * server's pings.
 */
static __always_inline bool is_nats(const __u8 *b, __u32 length)
{
	switch (be32(b)) {
	case 0x50554220: /* "PUB " */
	case 0x48505542: /* HPUB */
		return true;
	case 0x53554220: /* "SUB " */
		return b[4] > ' ';
	case 0x554e5355: /* UNSU */
		return b[4] == 'B' && b[5] == ' ';
	case 0x434f4e4e: /* CONN: HTTP has the method, and an address behind it */
		return b[4] == 'E' && b[5] == 'C' && b[6] == 'T' && b[7] == ' ' && b[8] == '{';
	case 0x504f4e47: /* PONG */
		return length == 6;
	}
	return false;
}

#define NSQ_ID 16 /* letters of a message's number */

/* NSQ: its version, then commands; a consumer says how many messages it takes, and the result of each. */
static __always_inline bool is_nsq(const __u8 *b)
{
	switch (be32(b)) {
	case 0x20205632: /* "  V2" */
	case 0x4e4f500a: /* NOP: so it answers a heartbeat */
		return true;
	case 0x4d505542: /* MPUB */
	case 0x44505542: /* DPUB */
		return b[4] == ' ';
	case 0x52445920: /* "RDY " */
		return b[4] >= '0' && b[4] <= '9';
	case 0x46494e20: /* "FIN " */
		return b[4 + NSQ_ID] == '\n';
	case 0x52455120: /* "REQ " */
		return b[4 + NSQ_ID] == ' ';
	case 0x544f5543: /* TOUC */
		return b[4] == 'H' && b[5] == ' ' && b[6 + NSQ_ID] == '\n';
	}
	return false;
}

/* STOMP: a command alone in its line. */
static __always_inline bool is_stomp(const __u8 *b)
{
	switch (be32(b)) {
	case 0x41434b0a: /* ACK */
		return true;
	case 0x53454e44: /* SEND */
	case 0x4e41434b: /* NACK */
		return b[4] == '\n';
	case 0x53544f4d: /* STOM */
		return b[4] == 'P' && b[5] == '\n';
	case 0x434f4e4e: /* CONN */
		return b[4] == 'E' && b[5] == 'C' && b[6] == 'T' && b[7] == '\n';
	}
	return false;
}

/* Whether a segment towards the server shows a broker's protocol. Global, like walk_mysql(). */
__noinline int is_broker(struct __sk_buff *skb, const struct segment *s, const struct prefix *p)
{
	const __u8 *b;

	if (!skb || !s || !p)
		return 0;
	b = p->b;
	if (be32(b) == 0x414d5150 && s->length >= 8) /* AMQP of any version: the protocol's header */
		return 1;
	return is_amqp_frame(b, s->length) || is_mqtt(skb, s, b) || is_nats(b, s->length) || is_nsq(b) || is_stomp(b);
}

/* STOMP's heartbeat: an empty line. Other clients may send this; if the server sends it, too, it is STOMP. */
static __always_inline bool is_empty_line(const __u8 *b, __u32 length)
{
	return length == 1 && b[0] == '\n';
}

/* Whether a segment from the server shows a broker that delivers a message, or that asks if its client is there. */
static __always_inline bool is_from_broker(const __u8 *b, __u32 length)
{
	switch (be32(b)) {
	case 0x4d534720: /* "MSG ": NATS */
	case 0x484d5347: /* HMSG */
		return b[4] > ' ' || b[5] > ' ';
	case 0x50494e47: /* PING */
	case 0x504f4e47: /* PONG */
		return length == 6 && b[4] == '\r';
	case 0x4d455353: /* MESS: STOMP */
		return b[4] == 'A' && b[5] == 'G' && b[6] == 'E' && b[7] == '\n';
	case 15: /* NSQ's heartbeat: its length, the kind of frame, a word */
		return length == 19 && !be32(b + 4) && be32(b + 8) == 0x5f686561;
	}
	return false;
}

#endif
