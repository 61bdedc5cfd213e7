/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether an answer of HTTP/2 says that its server failed: by its status, or by gRPC's, which stands in the last
 * headers. Headers are compressed (HPACK, RFC 7541): a field that was sent before is a place in a table, which both
 * ends keep. Of each entry of that table three bits are enough. Entries are numbered from the last one on, so that
 * what falls out at the other end of the table does not matter.
 */
#ifndef NSTAR_HPACK_H
#define NSTAR_HPACK_H

#include "frames.h"
#include "stream_table.h"

#define FIELD_BYTES 16   /* looked at of each part of a field */
#define FIELD_PARTS 96   /* of one block; see FIELD_BEGINS */
#define STATIC_ENTRIES 61
#define STATUS_FIRST 8   /* of the static entries: those for :status */
#define STATUS_LAST 14
#define STATUS_500 14

enum field_part {
	FIELD_BEGINS = 0,
	FIELD_NAME = 1,  /* if it is not in a table */
	FIELD_VALUE = 2, /* likewise */
};

/* An integer that begins in the lowest bits of the first byte; `taken` bytes of it. A large one is beyond all ends. */
static __always_inline __u32 field_number(const __u8 *b, const __u8 mask, __u32 *taken)
{
	__u32 n = b[0] & mask, more = n == mask;

	*taken = 1 + more;
	n += more * (b[1] & 0x7f);
	more &= b[1] >> 7;
	*taken += more;
	n += more * (b[2] & 0x7f) << 7;
	more &= b[2] >> 7;
	*taken += more;
	n += more * (b[3] & 0x7f) << 14;
	more &= b[3] >> 7;
	return n + (more << 24);
}

/* Whether entry `i` of the dynamic table, from 0 for the last that was added, has its bit. */
static __always_inline bool has_bit(__u64 bits, __u32 i)
{
	return i < 64 && bits >> (i & 63) & 1;
}

/* What an entry is called, as far as that matters. */
static __always_inline __u8 name_of_entry(const struct fields *f, __u32 entry)
{
	__u32 added = entry - STATIC_ENTRIES - 1;

	if (entry >= STATUS_FIRST && entry <= STATUS_LAST)
		return FIELD_STATUS;
	if (entry <= STATIC_ENTRIES)
		return FIELD_OTHER;
	if (added >= f->known)
		return FIELD_UNKNOWN;
	return has_bit(f->statuses, added) ? FIELD_STATUS : has_bit(f->outcomes, added) ? FIELD_OUTCOME : FIELD_OTHER;
}

static __always_inline bool is_failed_entry(const struct fields *f, __u32 entry)
{
	return entry == STATUS_500 || (entry > STATIC_ENTRIES && has_bit(f->failures, entry - STATIC_ENTRIES - 1));
}

/* "grpc-status", as it is, or in Huffman's code. */
static __always_inline bool is_outcome_name(const __u8 *b)
{
	if (b[0] == 11)
		return b[1] == 'g' && b[2] == 'r' && b[3] == 'p' && b[4] == 'c' && b[5] == '-' && b[6] == 's' &&
		       b[7] == 't' && b[8] == 'a' && b[9] == 't' && b[10] == 'u' && b[11] == 's';
	return b[0] == 0x88 && b[1] == 0x9a && b[2] == 0xca && b[3] == 0xc8 && b[4] == 0xb2 && b[5] == 0x12 &&
	       b[6] == 0x34 && b[7] == 0xda && b[8] == 0x8f;
}

/* Of gRPC's outcomes those that its mapping to HTTP gives 500 and above: UNKNOWN, DEADLINE_EXCEEDED, from 12 on. */
#define FAILED_OUTCOMES (1 << 2 | 1 << 4 | 1 << 12 | 1 << 13 | 1 << 14 | 1 << 15)

/* Two digits in Huffman's code, of which the first is 1: the second, in six bits, or in five if it is below 3. */
static __always_inline __u32 huffman_teen(const __u8 *b)
{
	__u32 bits = be16(b) >> 5 & 0x3f; /* behind the five of '1' */

	return bits >= 0x19 && bits <= 0x1f ? 13 + bits - 0x19 : 10 + (bits >> 1);
}

/* The outcome that a value says, from 0 to 16, or any that has not failed. */
static __always_inline __u32 outcome_of(const __u8 *b)
{
	switch (b[0]) {
	case 1:
		return b[1] - '0';
	case 2:
		return b[1] == '1' ? 10 + b[2] - '0' : 0;
	case 0x81:
		return b[1] >> 3 <= 2 ? b[1] >> 3 : (b[1] >> 2) - 0x19 + 3;
	case 0x82:
		return b[1] >> 3 == 1 ? huffman_teen(b + 1) : 0;
	}
	return 0;
}

/*
 * Whether a value says that the server failed. What ends a call of gRPC, is named by an entry from before the exporter
 * began, and reads like an outcome, is taken for one: little else stands there.
 */
static __always_inline bool is_failed_value(const struct fields *f, const __u8 *b)
{
	__u32 outcome;

	if (f->name == FIELD_STATUS)
		return (b[0] == 3 && b[1] == '5') || (b[0] & 0x80 && b[1] >> 2 == 0x1b);
	if (f->name != FIELD_OUTCOME && !(f->name == FIELD_UNKNOWN && f->grpc && f->last))
		return false;
	outcome = outcome_of(b);
	return outcome < 32 && FAILED_OUTCOMES >> (outcome & 31) & 1;
}

/* The first byte of a field, and its place in a table. */
static __always_inline __u32 begin_field(struct fields *f, const __u8 *b)
{
	__u32 taken, entry;

	if (b[0] & 0x80) {
		entry = field_number(b, 0x7f, &taken);
		f->failed |= is_failed_entry(f, entry);
		return taken;
	}
	if ((b[0] & 0xe0) == 0x20) { /* how large the table is */
		field_number(b, 0x1f, &taken);
		return taken;
	}
	f->adds = b[0] >> 6;
	entry = f->adds ? field_number(b, 0x3f, &taken) : field_number(b, 0x0f, &taken);
	f->name = name_of_entry(f, entry);
	f->part = entry ? FIELD_VALUE : FIELD_NAME;
	return taken;
}

static __always_inline void end_field(struct fields *f, bool failed)
{
	f->failed |= failed;
	f->part = FIELD_BEGINS;
	if (!f->adds)
		return;
	if (f->name == FIELD_UNKNOWN)
		f->name = failed ? FIELD_OUTCOME : FIELD_OTHER;
	f->known += f->known < 64;
	f->failures = f->failures << 1 | failed;
	f->statuses = f->statuses << 1 | (f->name == FIELD_STATUS);
	f->outcomes = f->outcomes << 1 | (f->name == FIELD_OUTCOME);
}

/* Where the next part is among the bytes at hand, of which many are loaded at once; PEEK if they can't be. */
static __always_inline __u32 load_fields(struct __sk_buff *skb, struct fields *f, struct peeked *p)
{
	__u32 i = f->at - f->from, n = f->end - f->at;

	if (i <= PEEK - FIELD_BYTES)
		return i;
	f->from = f->at;
	if (n > PEEK)
		n = PEEK;
	return load_bytes(skb, f->at, p->b, n, PEEK) < 0 ? PEEK : 0;
}

/* One part of a field; 0 at the end. Global, like walk_mysql(). */
__noinline int read_field(struct __sk_buff *skb, struct streams *t)
{
	__u8 b[FIELD_BYTES];
	struct fields *f;
	__u32 i, taken;

	if (!skb || !t)
		return 0;
	f = &t->fields;
	if (f->at >= f->end)
		return 0;
	i = load_fields(skb, f, &t->peeked[0]);
	if (i > PEEK - FIELD_BYTES) {
		f->at = f->end + 1;
		return 0;
	}
	__builtin_memcpy(b, t->peeked[0].b + i, FIELD_BYTES);
	if (f->part == FIELD_BEGINS) {
		f->at += begin_field(f, b);
		return 1;
	}
	f->at += field_number(b, 0x7f, &taken);
	f->at += taken;
	if (f->at > f->end)
		return 0;
	if (f->part == FIELD_VALUE) {
		end_field(f, is_failed_value(f, b));
		return 1;
	}
	f->name = is_outcome_name(b) ? FIELD_OUTCOME : FIELD_OTHER;
	f->part = FIELD_VALUE;
	return 1;
}

/*
 * The fields of a block of `length` bytes `from` there on; 1 if they say that the server failed. A block that can't
 * be read to its end may have added entries: what those before are called is not known any more. `last`: the block ends
 * its answer.
 */
__noinline int read_fields(struct __sk_buff *skb, struct streams *t, __u32 from, __u32 length, __u32 last)
{
	struct fields *f;

	if (!skb || !t)
		return 0;
	f = &t->fields;
	f->at = from;
	f->from = from - PEEK; /* nothing is at hand */
	f->end = from + length;
	f->last = last;
	f->part = f->failed = 0;
	for (int i = 0; i < FIELD_PARTS && read_field(skb, t); i++)
		;
	if (f->at != f->end || f->part != FIELD_BEGINS)
		forget_fields(f);
	return f->failed;
}

#endif
