/* SPDX-License-Identifier: GPL-2.0-only */
/* Divides spans of time among the windows that they lie in. */
#ifndef NSTAR_SCHED_BOOK_H
#define NSTAR_SCHED_BOOK_H

#include "maps.h"

/* The number of windows that one span may reach back over; user space hands out windows of 50 ms later than that. */
#define REACH 64

enum kind { RAN, WAITED, DISK, LOCKED };

static __always_inline struct slot *slot_of(__u32 tier, __u64 window)
{
	__u32 ring = 1u << ring_shift;
	__u32 key = (bpf_get_smp_processor_id() * max_tiers + tier) * ring + (window & (ring - 1));
	struct slot *s = bpf_map_lookup_elem(&slots, &key);

	if (s && s->window != (__u32)window) {
		__builtin_memset(s, 0, sizeof(*s));
		s->window = (__u32)window;
	}
	return s;
}

static __always_inline void add_span(struct slot *s, enum kind kind, __u64 ns)
{
	if (kind == RAN)
		s->ran += ns;
	else if (kind == WAITED)
		s->waited += ns;
	else if (kind == DISK)
		s->disk += ns;
	else
		s->locked += ns;
}

/* Keeps the names of those that took most: a new one replaces the least. Time without a name stays in `others`. */
static __always_inline void add_taken(struct slot *s, __u32 owner, __u64 ns)
{
	__u32 least = 0;

	s->others += ns;
	if (!owner)
		return;
	for (int i = 0; i < TOP; i++) {
		if (s->owner[i] == owner) {
			s->taken[i] += ns;
			return;
		}
	}
	if (s->taken[1] < s->taken[0])
		least = 1;
	if (s->taken[2] < s->taken[least & 1])
		least = 2;
	for (__u32 i = 0; i < TOP; i++) { /* a constant index: nothing for the verifier to doubt */
		if (i == least && ns > s->taken[i]) {
			s->owner[i] = owner;
			s->taken[i] = ns;
		}
	}
}

#define TAKEN 0x10000 /* kind of a span in which somebody had the CPU that the tier waited for */

/*
 * Books the span [from, to) of the window clock. `what` is a kind, or TAKEN with
 * the process in `owner`. Global, so that the verifier walks the loop once.
 */
__noinline int book(__u32 tier, __u32 what, __u32 owner, __u64 from, __u64 to)
{
	__u64 window = to / width_ns, begin = window * width_ns;
	struct slot *s;

	if (tier >= max_tiers || from >= to)
		return 0;
	for (int i = 0; i < REACH; i++) { /* from the last to the first: most lie in one */
		__u64 start = from > begin ? from : begin;

		s = slot_of(tier, window);
		if (s && to > start) {
			if (what == TAKEN)
				add_taken(s, owner, to - start);
			else
				add_span(s, what, to - start);
		}
		if (from >= begin)
			return 0;
		to = begin;
		begin -= width_ns;
		window--;
	}
	__sync_fetch_and_add(&late, 1);
	return 0;
}

#endif
