/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the changes of a queue into the windows. All fields are sums, so it does not matter which CPU adds to
 * them: user space adds up the CPUs. The sums are atomic because an interrupt on the same CPU may add, too.
 */
#ifndef NSTAR_SLOTS_H
#define NSTAR_SLOTS_H

#include "follow.h"
#include "maps.h"
#include "kinds.h"
#include "pipe.h"

static __always_inline struct slot *slot_in(__u32 row, __u32 station, __u64 window)
{
	__u32 ring = 1u << ring_shift;
	__u32 key = (row * (max_tiers + max_edges) + station) * ring + (window & (ring - 1));

	return bpf_map_lookup_elem(&slots, &key);
}

static __always_inline struct slot *slot_of(__u32 station, __u64 window)
{
	return slot_in(this_row(), station, window);
}

#define ADD(field, n) __sync_fetch_and_add(&(field), n)

/*
 * The window that a moment lies in. Nearly always it is the one that was asked for last, on any CPU, which saves the
 * division; a number that another CPU writes at the same time is checked like any other.
 */
static __always_inline __u64 window_of(__u64 at)
{
	__u64 window = last_window;

	if (at - window * width_ns < width_ns)
		return window;
	window = at / width_ns;
	last_window = window;
	return window;
}

/* Quarter octaves of 2^-30 s, so that the bounds in seconds are powers of 2^(1/4): schema 2 of native histograms. */
static __always_inline __u32 residence_bucket(__u64 ns)
{
	__u64 v, m;
	__u32 e = 0, b;

	if (ns > 1ull << 40)
		ns = 1ull << 40;
	v = (ns << 21) / 1953125; /* 2^30 / 10^9 = 2^21 / 5^9, exactly */
	if (v < 1)
		return 0;
	m = v;
	if (m >> 32) { e += 32; m >>= 32; }
	if (m >> 16) { e += 16; m >>= 16; }
	if (m >> 8) { e += 8; m >>= 8; }
	if (m >> 4) { e += 4; m >>= 4; }
	if (m >> 2) { e += 2; m >>= 2; }
	if (m >> 1) { e += 1; }
	/* the fraction behind the leading one, in 16 bits, against 2^(1/4), 2^(2/4), 2^(3/4) */
	m = e >= 16 ? v >> (e - 16) : v << (16 - e);
	b = e * 4 + (m > 77936) + (m > 92682) + (m > 110218);
	if (m != 65536)
		b++; /* bucket b holds (2^((b-1)/4), 2^(b/4)] */
	return b < RESIDENCE_BUCKETS ? b : RESIDENCE_BUCKETS - 1;
}

/* NULL for edges, which have sums only. */
static __always_inline struct residence *residences_in(__u32 row, __u32 station)
{
	__u32 key = row * max_tiers + station;

	return station < max_tiers ? bpf_map_lookup_elem(&residences, &key) : NULL;
}

/* A global function: the verifier looks at its many branches once, apart from the callers. */
__noinline int book_residence(__u32 station, __u64 ns, __u32 n)
{
	struct residence *r = residences_in(this_row(), station);
	__u32 b;

	if (!r)
		return 0;
	b = residence_bucket(ns);
	if (b < RESIDENCE_BUCKETS) {
		ADD(r->buckets[b], n);
		ADD(r->sum, ns * n);
	}
	return 0;
}

#define PEAK_TRIES 8 /* each other CPU that raises the peak at this moment costs one */

/* Raises the window's largest number of calls outstanding at once to n; an older window's value is replaced. */
static __always_inline void raise_peak(struct edge_slot *s, __u64 window, __s32 n)
{
	__u64 raised = window << 32 | (__u32)n, old;

	for (int i = 0; i < PEAK_TRIES; i++) {
		old = *(volatile __u64 *)&s->peak;
		if (old >> 32 == (__u32)window && (__s32)old >= n)
			return;
		if (__sync_val_compare_and_swap(&s->peak, old, raised) == old)
			return;
	}
}

/* A client's connection joins a tier, or leaves it: only tiers have these fields. */
static __always_inline int book_client(__u32 station, const struct change *d, __u64 at)
{
	__u64 window = window_of(at);
	__u32 key = station << ring_shift | (window & ((1u << ring_shift) - 1));
	struct tier_slot *s = bpf_map_lookup_elem(&tier_slots, &key);
	__s64 n = d->opened - d->opaque;

	if (s) {
		ADD(s->opened, n);
		ADD(s->area, n * (__s64)((window + 1) * width_ns - at));
	}
	return 0;
}

/* An answer goes on after a pause, or the connection can't be measured any more. */
static __always_inline void book_rare(__u32 station, const struct change *d, __u64 window)
{
	__u32 position = window & ((1u << ring_shift) - 1);
	__u32 key = (station < max_tiers ? station : station - max_tiers) << ring_shift | position;
	struct rare *r = NULL;
	struct edge_slot *e;
	struct tier_slot *t;

	if (station < max_tiers) {
		t = bpf_map_lookup_elem(&tier_slots, &key);
		if (t)
			r = &t->rare;
	} else {
		e = bpf_map_lookup_elem(&edge_slots, &key);
		if (e)
			r = &e->rare;
	}
	if (!r)
		return;
	if (d->opaque)
		ADD(r->opaque, 1);
	if (d->reopened)
		ADD(r->reopened, 1);
}

/* The fields that only edges have, in the window of a moment; NULL if the edge has no number. */
static __always_inline struct edge_slot *edge_slot_at(__u32 station, __u64 at)
{
	__u32 key = (station - max_tiers) << ring_shift | (window_of(at) & ((1u << ring_shift) - 1));

	return bpf_map_lookup_elem(&edge_slots, &key);
}

/* A segment is sent again: of an answer of the tier, or of a call. */
static __always_inline void book_lost(__u32 station, __u64 at)
{
	__u32 key = station << ring_shift | (window_of(at) & ((1u << ring_shift) - 1));
	struct edge_slot *e;
	struct tier_slot *t;

	if (station < max_tiers) {
		t = bpf_map_lookup_elem(&tier_slots, &key);
		if (t)
			ADD(t->lost, 1);
		return;
	}
	e = edge_slot_at(station, at);
	if (e)
		ADD(e->lost, 1);
}

/* A tier answers that it failed, or ends the connection of so many requests without an answer. */
static __always_inline void book_errors(__u32 station, __u64 at, __u32 n)
{
	__u32 key = station << ring_shift | (window_of(at) & ((1u << ring_shift) - 1));
	struct tier_slot *s = station < max_tiers ? bpf_map_lookup_elem(&tier_slots, &key) : NULL;

	if (s)
		ADD(s->errors, n);
}

/* A connection to the edge's server could not be opened. */
static __always_inline void book_failed(__u32 station, __u64 at)
{
	struct edge_slot *e = edge_slot_at(station, at);

	if (e)
		ADD(e->failed, 1);
}

/* The server sends something on a connection that can't be measured. */
static __always_inline void book_told(__u32 station, __u64 at)
{
	struct edge_slot *e = edge_slot_at(station, at);

	if (e)
		ADD(e->told, 1);
}

/*
 * The fields that only edges have, and the connections of tiers. Global and out of line:
 * the verifier looks at it once, and the requests of tiers cost two more comparisons.
 */
__noinline int book_edge(__u32 station, const struct change *d, __u64 now, __u64 at)
{
	__u64 window = window_of(at);
	__u32 ring = 1u << ring_shift;
	__u32 key = (station - max_tiers) * ring + (window & (ring - 1));
	struct edge_state *e = edge_state_of(station);
	struct edge_slot *s;

	if (!d)
		return 0;
	if (station < max_tiers)
		return book_client(station, d, at);
	if (!(d->arrival | d->departure | d->move | d->abort | d->opened | d->greeting))
		return 0;
	s = bpf_map_lookup_elem(&edge_slots, &key);
	if (!e || !s)
		return 0;
	if (d->arrival) {
		raise_peak(s, window, __sync_fetch_and_add(&e->calls, d->arrival) + d->arrival);
		/* otherwise it carried a call in this window before, or one was outstanding at the window's start */
		if (!d->joins && (!d->from || d->from - window * width_ns >= width_ns))
			ADD(s->used, 1);
		if (d->departed && now > d->departed) {
			ADD(s->gaps, 1);
			ADD(s->gap_time, (__s64)(now - d->departed));
		}
	}
	if (d->greeting > 0)
		raise_peak(s, window, __sync_fetch_and_add(&e->calls, 1) + 1);
	else if (d->greeting < 0)
		__sync_fetch_and_add(&e->calls, -1);
	if (d->departure || d->abort)
		__sync_fetch_and_add(&e->calls, -(__s64)(d->departure + d->abort));
	if (d->move && !d->apart) /* the answer was not over: until now the call was outstanding beside the others */
		raise_peak(s, window, *(volatile __s64 *)&e->calls + 1);
	if (d->opened)
		ADD(s->opened, d->opened);
	return 0;
}

/* The completion booked in one window moves to another one, and the request was not in the queue between. */
static __always_inline void move_completion(__u32 station, const struct change *d, struct slot *s, __u64 booked,
					    __u64 window)
{
	__s64 residence = d->departed - d->arrived;
	struct slot *old;

	if (!d->move || booked == window)
		return;
	old = slot_of(station, booked);
	if (!old)
		return;
	ADD(old->completions, -1);
	ADD(old->residence, -residence);
	ADD(s->completions, 1);
	ADD(s->residence, residence);
}

/* A request in flight was not in the queue from `departed` to now. */
__noinline int book_apart(__u32 station, const struct change *d, __u64 now)
{
	__u64 at = now + clock_offset, from, window = window_of(at), left;
	struct slot *s = slot_of(station, window), *old;

	if (!d || !s)
		return 0;
	from = d->departed + clock_offset;
	left = from / width_ns;
	if (left == window) {
		ADD(s->area, -(__s64)(at - from));
		return 0;
	}
	old = slot_of(station, left);
	if (!old)
		return 0;
	ADD(old->net, -1);
	ADD(old->area, -(__s64)((left + 1) * width_ns - from));
	ADD(s->net, 1);
	ADD(s->area, (__s64)((window + 1) * width_ns - at));
	return 0;
}

/* Writes down the changes at `now` (monotonic) = `at` (window clock), without kinds. */
__noinline int book_queue(__u32 station, const struct change *d, __u64 now, __u64 at)
{
	__u64 window = window_of(at);
	__s64 rest = (window + 1) * width_ns - at; /* of the window, after now */
	struct slot *s, *old;

	if (!d)
		return 0;
	if (d->pauses)
		mark_pausing(station);
	if (d->ended)
		book_residence(station, d->residence, d->ended);
	if (station >= max_tiers || d->opened | d->opaque)
		book_edge(station, d, now, at);
	if (d->reopened | d->opaque)
		book_rare(station, d, window);
	if (!(d->arrival | d->departure | d->move | d->extend | d->abort | d->greeting))
		return 0;
	s = slot_of(station, window);
	if (!s)
		return 0;
	if (d->arrival) {
		ADD(s->arrivals, d->arrival);
		ADD(s->net, d->arrival);
		ADD(s->area, rest * d->arrival);
	}
	if (d->greeting) {
		ADD(s->net, d->greeting);
		ADD(s->area, rest * d->greeting);
	}
	if (d->abort) {
		ADD(s->aborts, d->abort);
		ADD(s->net, -(__s64)d->abort);
		ADD(s->area, -rest * d->abort);
	}
	if (d->departure) {
		ADD(s->completions, d->departure);
		ADD(s->net, -(__s64)d->departure);
		ADD(s->area, -rest * d->departure);
		ADD(s->residence, d->spent ? d->spent : (now - d->arrived) * d->departure);
	}
	if (d->move || d->extend) {
		__u64 booked = d->from - window * width_ns < width_ns ? window : d->from / width_ns;

		if (d->apart) {
			move_completion(station, d, s, booked, window);
			return 0;
		}
		if (booked == window) { /* the common case: the answer goes on in the same window */
			ADD(s->area, (__s64)(at - d->from));
			ADD(s->residence, (__s64)(now - d->departed));
			return 0;
		}
		old = slot_of(station, booked);
		if (!old)
			return 0;
		ADD(old->net, 1);
		ADD(old->area, (__s64)((booked + 1) * width_ns - d->from));
		ADD(s->net, -1);
		ADD(s->area, -rest);
		if (d->move) {
			ADD(old->completions, -1);
			ADD(old->residence, -(__s64)(d->departed - d->arrived));
			ADD(s->completions, 1);
			ADD(s->residence, (__s64)(now - d->arrived));
		} else {
			ADD(s->residence, (__s64)(now - d->departed));
		}
	}
	return 0;
}

/* The same with the kinds of the requests in the change. */
static __always_inline void book(__u32 station, const struct change *d, __u64 now, __u64 at)
{
	if (kinds_on && station < max_tiers)
		book_kind(station, d, now);
	book_queue(station, d, now, at);
}

/*
 * Where the most common changes are written at once, while the connection's lock keeps
 * interrupts out: then plain sums are enough, which cost a sixth of atomic ones. All
 * look-ups are done before the lock is taken, because no helper may be called under it.
 */
struct page {
	struct slot *slot;            /* of this CPU, for the window of this moment; NULL where it shares its row */
	struct residence *residences; /* of this CPU; NULL for edges */
	__u64 begins;                 /* of the window, on the window clock */
	__u32 station;
};

static __always_inline void open_page(struct page *p, __u32 station, __u64 at)
{
	__u64 window = window_of(at);
	__u32 row = this_row();

	p->station = station;
	p->begins = window * width_ns;
	p->slot = row < own_rows ? slot_in(row, station, window) : NULL;
	p->residences = residences_in(row, station);
}

/* Writes a request that arrives, and the answer before it; false if there is more than that. */
static __always_inline bool write_arrival(const struct page *p, const struct change *d, __u64 at)
{
	struct slot *s = p->slot;
	__u32 b;

	if (!s || d->opaque)
		return false;
	if (d->ended && p->residences) {
		b = residence_bucket(d->residence);
		if (b < RESIDENCE_BUCKETS) {
			p->residences->buckets[b]++;
			p->residences->sum += d->residence;
		}
	}
	if (d->arrival) {
		s->arrivals++;
		s->net++;
		s->area += p->begins + width_ns - at;
	}
	return true;
}

/* Writes a departure, or that it moves within its window; false if there is more than that. */
static __always_inline bool write_departure(const struct page *p, const struct change *d, __u64 now, __u64 at)
{
	struct slot *s = p->slot;

	if (!s || d->opaque || d->reopened || at - p->begins >= width_ns)
		return false;
	if (d->departure) {
		s->completions++;
		s->net--;
		s->area -= p->begins + width_ns - at;
		s->residence += now - d->arrived;
	} else if (d->move || d->extend) {
		if (d->from - p->begins >= width_ns)
			return false;
		if (d->apart)
			return true;
		s->area += at - d->from;
		s->residence += now - d->departed;
	}
	return true;
}

/* Writes the rest, when the lock is released. */
static __always_inline void finish_page(const struct page *p, const struct change *d, __u64 now, __u64 at, bool written)
{
	struct change rest;

	if (written && p->station < max_tiers && !kinds_on)
		return;
	rest = *d; /* a copy, so that what is in registers till here may stay there */
	if (written && p->station < max_tiers)
		book_kind(p->station, &rest, now);
	else if (written)
		book_edge(p->station, &rest, now, at);
	else
		book(p->station, &rest, now, at);
}

#endif
