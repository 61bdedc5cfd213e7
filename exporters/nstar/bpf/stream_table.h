/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The requests under way on a connection, by their numbers. The client's half opens them, the server's half
 * answers them, and either may reset them, without a lock: a place belongs to the half that takes its number out.
 */
#ifndef NSTAR_STREAM_TABLE_H
#define NSTAR_STREAM_TABLE_H

#include "conn.h"

#define STREAMS 256     /* a power of two; of half as many at once one in 60,000 finds no place: counted as dropped */
#define STREAM_TRIES 16 /* places looked at for a number */

struct stream {
	__u64 arrived; /* monotonic, ns; above it the kind (stream_kinds.h), as in struct conn */
	__u64 key;     /* its number, and above it the era, from 1; 0: free */
};

#define PEEK 128

struct peeked {
	__u8 b[PEEK];
	__u32 length; /* bytes of it that are there */
};

/* Input and result of a walk. They are in the table because there is little room on the stack. */
struct stream_counts {
	__u64 now;
	__u64 spent; /* ns, by the requests that were answered */
	__u64 waited; /* ns, by those among them that wait on purpose, of edges */
	__u32 station;
	__u8 protocol;
	__u8 request; /* towards the server */
	__u8 hidden;  /* nothing can be read from here on */
	__u8 unused;  /* no hidden padding, see struct segment */
	__u32 opened, answered, reset;
	__u32 errors; /* of a tier: answers that say that it failed */
	__u32 waits;   /* as in struct message */
	__u32 refused; /* no place in the table */
	__u32 commits; /* that say that what was taken is done */
};

enum field_name {
	FIELD_OTHER = 0,
	FIELD_STATUS = 1,  /* :status, of HTTP */
	FIELD_OUTCOME = 2, /* grpc-status */
	FIELD_UNKNOWN = 3, /* an entry from before the exporter began */
};

/* The headers of HTTP/2 towards the client (hpack.h). Bit n is the entry that was added n entries before the last. */
struct fields {
	__u64 failures; /* entries that say that the server failed */
	__u64 statuses; /* entries of this name */
	__u64 outcomes; /* likewise */
	__u32 at, end;  /* of the block that is read */
	__u32 from;     /* of its bytes that are at hand, in peeked[0] */
	__u8 part;      /* enum field_part */
	__u8 name;      /* enum field_name */
	__u8 adds;      /* the field becomes an entry */
	__u8 failed;    /* the block says that the server failed */
	__u8 known;     /* entries that were seen, up to 64 */
	__u8 grpc;      /* requests are calls of gRPC */
	__u8 last;      /* the block ends the answer */
	__u8 unused;    /* no hidden padding, see struct segment */
};

struct streams {
	struct half answer; /* towards the client */
	struct fields fields;
	__u32 last;         /* the number that was opened last */
	__u32 era;          /* requests of another are forgotten */
	struct stream_counts counts[2]; /* towards the client, and towards the server */
	struct peeked peeked[2];        /* likewise */
	struct stream at[STREAMS];
};

/* From here on it is not known what the entries are. */
static __always_inline void forget_fields(struct fields *f)
{
	f->failures = f->statuses = f->outcomes = f->known = 0;
}

#define STREAM_KIND_SHIFT 59 /* a machine runs for less than the 18 years below it */

/* In place of the kind, which edges do not store: a request that waits on purpose. */
#define STREAM_WAITS (1ull << STREAM_KIND_SHIFT)

static __always_inline __u64 stream_time(__u64 stamp)
{
	return stamp & ((1ull << STREAM_KIND_SHIFT) - 1);
}

static __always_inline __u64 key_of(const struct streams *t, __u32 id)
{
	return ((__u64)t->era + 1) << 32 | id;
}

/* Where to look for a number: consecutive numbers, which live about as long, are far apart. */
static __always_inline __u32 place_of(__u32 id, __u32 try)
{
	return ((id * 0x9e3779b1u >> 24) + try * 37) & (STREAMS - 1);
}

/* Takes a request out; 0 if it is not open. Global, like walk_mysql(). */
__noinline int close_stream(struct streams *t, __u32 id, __u64 *arrived)
{
	__u64 key;

	if (!t || !arrived)
		return 0;
	key = key_of(t, id);
	for (int i = 0; i < STREAM_TRIES; i++) {
		struct stream *s = &t->at[place_of(id, i)];

		if (s->key != key)
			continue;
		*arrived = s->arrived;
		return __sync_val_compare_and_swap(&s->key, key, 0) == key; /* the other side may reset it now */
	}
	return 0;
}

/* Puts a request in; 0 if there is no free place. Global, like walk_mysql(). */
__noinline int open_stream(struct streams *t, __u32 id, __u64 now)
{
	__u64 key;

	if (!t)
		return 0;
	key = key_of(t, id);
	for (int i = 0; i < STREAM_TRIES; i++) {
		struct stream *s = &t->at[place_of(id, i)];

		if (s->key >> 32 == key >> 32)
			continue;
		s->arrived = now;
		s->key = key;
		return 1;
	}
	return 0;
}

/* Global, like walk_mysql(). */
__noinline int is_open(struct streams *t, __u32 id)
{
	if (!t)
		return 0;
	for (int i = 0; i < STREAM_TRIES; i++) {
		if (t->at[place_of(id, i)].key == key_of(t, id))
			return 1;
	}
	return 0;
}

#endif
