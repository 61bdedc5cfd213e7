/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of requests, if the configuration asks for them: HTTP's method and path, SQL's verb, a command's
 * name; if messages carry numbers, the number in a request's header (stream_kinds.h). Here a request is
 * a row of words, which is walked through an automaton that user space made from the given kinds. The
 * walk ends at a number, and a table holds its meaning for a tier. Only this number leaves the kernel;
 * there are KINDS of them for a tier, and a request that fits no kind has number 0. Words are hashed
 * with a seed of the exporter's own, so that nobody can make one word that passes for another.
 *
 * If no kinds are given, kinds_on is the constant 0 when the programs are loaded, and
 * the verifier removes all of this. Programs with kinds may take over from programs
 * without: a request that began under those has no kind, and leaves none when it ends.
 */
#ifndef NSTAR_KINDS_H
#define NSTAR_KINDS_H

#include "turn.h"

const volatile __u64 kind_seed;

/* Words that are none of a request's. All of a request's have the highest bit. */
enum kind_word {
	WORD_ANY = 0,     /* any word that has no step of its own */
	WORD_CUT = 1,     /* the path goes on beyond what is looked at */
	WORD_PREPARE = 2, /* a statement is prepared */
	WORD_EXECUTE = 3, /* a prepared statement: its text was seen before, or never */
};

enum kind_root {
	ROOT_HTTP = 1,
	ROOT_SQL = 2,
	ROOT_REDIS = 3,
	ROOT_MEMCACHED = 4,
};

struct kind_step {
	__u64 word;
	__u32 node;
	__u32 unused;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set when loaded */
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct kind_step);
	__type(value, __u32); /* the node behind it */
} kind_steps SEC(".maps");

struct kind_end {
	__u32 station;
	__u32 node;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set when loaded */
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct kind_end);
	__type(value, __u32); /* the kind */
} kind_ends SEC(".maps");

/*
 * What one kind's requests did on one CPU. Plain sums, which
 * are consistent while as many writes have ended as have begun.
 */
struct kind_sums {
	__u64 begun;
	__u64 ended;
	__u64 arrivals;
	__u64 completions;
	__u64 aborts;
	__u64 stamps;    /* ns: times of arrival less times of leaving, modulo 2^64 */
	__u64 residence; /* ns, of those completed */
	__u64 unused;    /* one cache line */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* rows x tiers x KINDS, set when loaded */
	__type(key, __u32);
	__type(value, struct kind_sums);
} kind_table SEC(".maps");

/* The node behind a word; 0 if no kind goes on like this. Global, see resp.h. */
__noinline int next_node(__u32 node, __u64 word)
{
	struct kind_step k = {.word = word, .node = node};
	__u32 *next = bpf_map_lookup_elem(&kind_steps, &k);

	if (next)
		return *next;
	k.word = WORD_ANY;
	next = bpf_map_lookup_elem(&kind_steps, &k);
	return next && word != WORD_CUT ? *next : 0;
}

#define KIND_PIECE 128
#define FNV_PRIME 0x100000001b3ull
#define SEEN (1ull << 63)

struct kind_piece {
	__u8 b[KIND_PIECE];
};

static __always_inline __u64 hash_letter(__u64 hash, __u8 c)
{
	return (hash ^ c) * FNV_PRIME;
}

/* The method, then the words of the path, up to its query. Global, see resp.h. */
__noinline int find_http_node(const struct kind_piece *p, __u32 n)
{
	__u64 hash = kind_seed;
	__u32 node = ROOT_HTTP;
	bool path = false, word = false;

	if (!p)
		return 0;
	for (__u32 i = 0; i < KIND_PIECE; i++) {
		__u8 c = p->b[i];

		if (i >= n)
			return 0; /* the line goes on in the next segment */
		if (c > ' ' && c != '/' && !(path && (c == '?' || c == '#'))) {
			hash = hash_letter(hash, c);
			word = true;
			continue;
		}
		if (word) {
			node = next_node(node, hash | SEEN);
			if (!node)
				return 0;
		}
		hash = kind_seed;
		word = false;
		if (c == '/')
			continue;
		if (path)
			return node;
		path = true;
	}
	return path ? next_node(node, WORD_CUT) : 0;
}

/*
 * Where the first word of a statement begins (behind blanks, brackets and comments),
 * or of a command (behind its lengths); n if there is none. Global, see resp.h.
 */
__noinline int find_sql(const struct kind_piece *p, __u32 n)
{
	bool comment = false;

	if (!p)
		return 0;
	for (__u32 i = 1; i + 1 < KIND_PIECE; i++) {
		__u8 c = p->b[i - 1], next = p->b[i];

		if (i >= n)
			return n;
		if (comment) {
			comment = c != '*' || next != '/';
			continue;
		}
		if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
			return i - 1;
		comment = c == '/' && next == '*';
	}
	return n;
}

#define VERB_MAX 16 /* letters */

/* The first word of a statement or a command, up to the first byte that is no letter. Global, see resp.h. */
__noinline int find_verb_node(const struct kind_piece *p, __u32 n, __u32 root)
{
	__u64 hash = kind_seed;
	__u32 from;

	if (!p)
		return 0;
	from = find_sql(p, n);
	for (__u32 i = 0; i < VERB_MAX; i++) {
		__u32 at = from + i;
		__u8 c;

		if (at >= n || at >= KIND_PIECE)
			break;
		asm volatile("%0 &= 127" : "+r"(at)); /* for the verifier, which does not see it */
		c = p->b[at] & 0xdf; /* letters of either case */
		if (c < 'A' || c > 'Z')
			break;
		hash = hash_letter(hash, c);
	}
	return next_node(root, hash | SEEN);
}

/* Where the automaton ends for a request that begins a segment; 0 for none of the kinds. Global, like walk_mysql(). */
__noinline int find_node(struct __sk_buff *skb, const struct segment *s, __u32 protocol)
{
	__u32 n, from = 0, root = ROOT_SQL;
	struct kind_piece p = {};
	__u8 b[6];

	if (!skb || !s || s->length <= sizeof(b) || bpf_skb_load_bytes(skb, s->offset, b, sizeof(b)) < 0)
		return 0;
	switch (protocol) {
	case PROTOCOL_HTTP:
		break;
	case PROTOCOL_MYSQL:
		if (b[4] == 0x16) /* COM_STMT_PREPARE */
			return next_node(ROOT_SQL, WORD_PREPARE);
		if (b[4] == 0x17) /* COM_STMT_EXECUTE */
			return next_node(ROOT_SQL, WORD_EXECUTE);
		if (b[4] != 0x03) /* COM_QUERY */
			return 0;
		from = 5;
		break;
	case PROTOCOL_POSTGRES:
		if (b[0] == 'B')
			return next_node(ROOT_SQL, WORD_EXECUTE);
		if (b[0] == 'P' && b[5]) /* what has a name is for later */
			return next_node(ROOT_SQL, WORD_PREPARE);
		if (b[0] != 'P' && b[0] != 'Q')
			return 0;
		from = b[0] == 'P' ? 6 : 5;
		break;
	case PROTOCOL_REDIS:
		root = ROOT_REDIS;
		break;
	case PROTOCOL_MEMCACHED:
		if (b[0] >> 7) /* a binary command */
			return 0;
		root = ROOT_MEMCACHED;
		break;
	default:
		return 0;
	}
	n = s->length - from;
	if (n > KIND_PIECE)
		n = KIND_PIECE;
	if (load_bytes(skb, s->offset + from, &p, n, KIND_PIECE) < 0)
		return 0;
	return protocol == PROTOCOL_HTTP ? find_http_node(&p, n) : find_verb_node(&p, n, root);
}

/* A tier's kind. Global, like walk_mysql(). */
__noinline int kind_at(__u32 station, __u32 node)
{
	struct kind_end k = {.station = station, .node = node};
	__u32 *kind;

	if (!node)
		return KIND_OTHER;
	kind = bpf_map_lookup_elem(&kind_ends, &k);
	return kind ? *kind & (KINDS - 1) : KIND_OTHER;
}

/* Adds to the sums of a kind on this CPU. */
static __always_inline void count_kind(__u32 station, __u32 kind, __u64 arrivals, __u64 completions, __u64 aborts,
				       __u64 stamps, __u64 residence)
{
	__u32 key = (this_row() * max_tiers + station) * KINDS + (kind & (KINDS - 1));
	struct kind_sums *k = bpf_map_lookup_elem(&kind_table, &key);

	if (!k)
		return;
	__sync_fetch_and_add(&k->begun, 1);
	__sync_fetch_and_add(&k->arrivals, arrivals);
	__sync_fetch_and_add(&k->completions, completions);
	__sync_fetch_and_add(&k->aborts, aborts);
	__sync_fetch_and_add(&k->stamps, stamps);
	__sync_fetch_and_add(&k->residence, residence);
	__sync_fetch_and_add(&k->ended, 1);
}

/* The same for a request in flight that was not in the queue for this time. */
__noinline int keep_kind(__u32 station, const struct change *d, __u64 away)
{
	if (d && d->kind && station < max_tiers)
		count_kind(station, d->kind - FIRST_KIND, 0, 0, 0, away, 0);
	return 0;
}

/* Writes down the changes. Global: the verifier looks at it once. */
__noinline int book_kind(__u32 station, const struct change *d, __u64 now)
{
	__u64 residence = 0, stamps;

	if (!d || station >= max_tiers)
		return 0;
	if (d->left_kind && d->abort)
		count_kind(station, d->left_kind - FIRST_KIND, 0, 0, d->abort, -(now * d->abort), 0);
	if (d->left_kind && d->joins == JOINS_ANOTHER) {
		count_kind(station, d->left_kind - FIRST_KIND, -1ull, 0, 0, -d->arrived, 0);
		count_kind(station, KIND_OTHER, 1, 0, 0, d->arrived, 0);
	}
	if (!d->kind || d->apart || !(d->arrival | d->departure | d->move | d->extend))
		return 0;
	stamps = now * d->arrival - now * d->departure;
	if (d->departure)
		residence = d->spent ? d->spent : (now - d->arrived) * d->departure;
	if (d->move || d->extend) {
		stamps -= now - d->departed;
		residence += now - d->departed;
	}
	count_kind(station, d->kind - FIRST_KIND, d->arrival, d->departure, 0, stamps, residence);
	return 0;
}

#endif
