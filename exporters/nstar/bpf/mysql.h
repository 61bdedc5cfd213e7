/* SPDX-License-Identifier: GPL-2.0-only */
/* The protocol of MySQL and MariaDB. */
#ifndef NSTAR_MYSQL_H
#define NSTAR_MYSQL_H

#include "frames.h"

#define MYSQL_PACKET_MAX 0x1000003 /* header and data */

#define MYSQL_COMMAND_LAST 0x1f /* COM_RESET_CONNECTION; MariaDB's own begin at 0xfa */

/* The server speaks first: one packet, number 0, protocol version 10. */
static __always_inline bool is_mysql_greeting(const __u8 *b, __u32 length)
{
	return b[3] == 0 && b[4] == 10 && length == 4 + ((__u32)b[0] | (__u32)b[1] << 8);
}

/* COM_QUIT, COM_STMT_SEND_LONG_DATA and COM_STMT_CLOSE. */
static __always_inline bool is_unanswered(__u8 command)
{
	return command == 0x01 || command == 0x18 || command == 0x19;
}

/* COM_STMT_CLOSE, alone or in front of another command: the only command of 5 bytes with this code. */
static __always_inline bool is_statement_close(const __u8 *b, __u32 length)
{
	if (b[0] != 5 || b[1] || b[2] || b[3] || b[4] != 0x19)
		return false;
	return length == 9 || (length >= 14 && b[12] == 0 && b[13] <= MYSQL_COMMAND_LAST);
}

/*
 * A segment that is one command: its length says so to the byte. Other protocols can look like that by chance, so that
 * the answer must agree, which has number 1.
 */
static __always_inline bool is_whole_command(const __u8 *b, __u32 length)
{
	__u32 data = (__u32)b[0] | (__u32)b[1] << 8 | (__u32)b[2] << 16;

	return data > 0 && length == 4 + data && b[3] == 0 && b[4] > 0 && b[4] <= MYSQL_COMMAND_LAST;
}

static __always_inline bool is_mysql_reply(const __u8 *b, __u32 length)
{
	__u32 data = (__u32)b[0] | (__u32)b[1] << 8 | (__u32)b[2] << 16;

	return data > 0 && 4 + data <= length && b[3] == 1;
}

/* A walk over commands without an answer. */
struct mysql_walk {
	struct __sk_buff *skb;
	const struct segment *s;
	struct message *m;
	__u32 at;
	bool found; /* what is no such command */
};

static long step_mysql(struct bpf_map *map, __u32 *key, __u32 *value, struct mysql_walk *w)
{
	__u8 h[5];

	if (w->at + sizeof(h) > w->s->length)
		return 1;
	if (bpf_skb_load_bytes(w->skb, w->s->offset + w->at, h, sizeof(h)) < 0 || h[3] != 0 || !is_unanswered(h[4])) {
		if (h[3] != 0)
			w->m->kind = KIND_MORE;
		w->found = true;
		return 1;
	}
	w->at += 4 + ((__u32)h[0] | (__u32)h[1] << 8 | (__u32)h[2] << 16);
	return 0;
}

/*
 * Walks over commands that get no answer to the one that does. A global function: the verifier looks at it once,
 * apart from its callers.
 */
__noinline int walk_mysql(struct __sk_buff *skb, const struct segment *s, struct message *m)
{
	struct mysql_walk w = {.skb = skb, .s = s, .m = m};

	if (!skb || !s || !m)
		return 0;
	if (m->silent_until) { /* the segment may begin inside the data of a command without an answer */
		w.at = m->silent_until - s->seq;
		if (w.at > MYSQL_PACKET_MAX)
			w.at = 0;
		m->silent_until = 0;
	}
	bpf_for_each_map_elem(&steps, step_mysql, &w, 0);
	if (w.found)
		return 0;
	m->kind = KIND_SILENT;
	if (w.at > s->length)
		m->silent_until = s->seq + w.at;
	return 0;
}

/* Commands start a new sequence, so their sequence number is 0; the login's and a loaded file's is not. */
static __always_inline void read_mysql_request(struct __sk_buff *skb, const struct segment *s, const __u8 *b,
					       struct message *m)
{
	m->kind = KIND_REQUEST;
	if (m->silent_until || (b[3] == 0 && is_unanswered(b[4])))
		walk_mysql(skb, s, m);
	else if (b[3] != 0)
		m->kind = KIND_MORE;
}

#endif
