//go:build ignore

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which programs have the processors. The kernel itself stores since when a thread waits for
 * one (sched_info, the source of /proc/PID/schedstat), so that one tracepoint is enough. At
 * each switch it is known how long the leaving thread has run, how long the next one has
 * waited, and, by the turns recorded on this CPU, which ran meanwhile. A wakeup costs nothing.
 *
 * Times of the run queue's clock are brought to CLOCK_MONOTONIC by the difference at a moment that both know: when the
 * thread that goes got its CPU.
 */
#include "book.h"
#include "children.h"
#include "lock.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline __u32 tier_of(__u32 tgid)
{
	struct process *p = process_of(tgid);

	return p ? p->tier : NO_TIER;
}

/*
 * Names the programs that had this CPU in [queued, now) of the run queue's clock, when a thread of the tier waited
 * for it. If the wait has more turns than are kept, the rest is divided in the same proportion, without names.
 */
__noinline int attribute(__u32 tier, __u64 queued, __u64 now, __s64 offset)
{
	__u64 end = now, theirs = 0, rest;
	__u32 key = bpf_get_smp_processor_id();
	struct cpu *c = bpf_map_lookup_elem(&cpus, &key);

	if (!c)
		return 0;
	for (int i = 1; i <= TURNS; i++) {
		struct turn *t = &c->history[(c->turns - i) & (TURNS - 1)];
		__u64 start = t->arrival > queued ? t->arrival : queued;

		if (!t->tgid || !t->arrival) /* it idled: what came before is nobody's fault */
			return 0;
		if (t->tier != tier && start < now) {
			book(tier, TAKEN, owner_of(t->tgid, t->tier), start + offset, now + offset);
			if (!is_tier(t->tier))
				theirs += now - start;
		}
		if (t->arrival <= queued)
			return 0;
		now = start;
	}
	rest = now - queued;
	if (rest > LONGEST_NS)
		return 0;
	rest = (rest >> 10) * theirs / (((end - now) >> 10) + 1);
	book(tier, TAKEN, 0, now - rest + offset, now + offset);
	return 0;
}

static __always_inline void add_total(__u32 tier, __u64 ran, __u64 waited)
{
	__u32 key = bpf_get_smp_processor_id() * max_tiers + tier;
	struct total *t = tier < max_tiers ? bpf_map_lookup_elem(&totals, &key) : NULL;

	if (t) {
		t->ran += ran;
		t->waited += waited;
	}
}

/* A thread of a tier gives its CPU up. */
static __always_inline void leaves(struct cpu *c, struct task_struct *task, bool preempt, __u64 now)
{
	bool disk = BPF_CORE_READ_BITFIELD(task, in_iowait);
	struct wait wait = {.since = now};
	__u32 id = task->pid;

	add_total(c->tier, now - c->since, 0);
	book(c->tier, RAN, 0, c->since + clock_offset, now + clock_offset);
	if (!disk && !(locks && !preempt && (task->__state & TASK_INTERRUPTIBLE) && in_lock(task)))
		return;
	if (!disk)
		wait.until = deadline(task, now);
	bpf_map_update_elem(&blocked, &id, &wait, BPF_ANY);
}

/* A thread of a tier gets a CPU. */
static __always_inline void comes(struct cpu *c, struct task_struct *task, __u32 tier, __u64 now)
{
	__u64 queued = task->sched_info.last_queued, ready = now;
	struct wait *wait;
	bool disk = BPF_CORE_READ_BITFIELD(task, in_iowait);
	__u32 id = task->pid;

	if (queued && c->offset_at && queued + c->offset < now) {
		ready = queued + c->offset;
		add_total(tier, 0, now - ready);
		book(tier, WAITED, 0, ready + clock_offset, now + clock_offset);
		attribute(tier, queued, now - c->offset, c->offset + clock_offset);
	}
	if (!disk && !(locks && in_lock(task)))
		return;
	wait = bpf_map_lookup_elem(&blocked, &id);
	if (!wait)
		return;
	if (disk || (now - wait->since < LONGEST_NS && !timed_out(wait, ready)))
		book(tier, disk ? DISK : LOCKED, 0, wait->since + clock_offset, ready + clock_offset);
	bpf_map_delete_elem(&blocked, &id);
}

/*
 * A thread leaves this CPU whose coming was not seen, at `arrival` by the run queue's clock: the kernel does not report
 * each switch (on one, never when a thread of its init process leaves). The thread that was seen last had left by then.
 */
__noinline int unseen(__u32 tgid, __u64 arrival)
{
	__u32 key = bpf_get_smp_processor_id(), tier = tier_of(tgid);
	struct cpu *c = bpf_map_lookup_elem(&cpus, &key);
	__u64 came;

	if (!c)
		return 0;
	came = arrival && c->offset_at ? arrival + c->offset : 0;
	if (c->since && came > c->since) {
		add_total(c->tier, came - c->since, 0);
		book(c->tier, RAN, 0, c->since + clock_offset, came + clock_offset);
	}
	c->began = 0;
	c->since = 0;
	barrier();
	c->tier = tier;
	barrier();
	c->since = tier == NO_TIER ? 0 : came;
	return 0;
}

#define OFFSET_NS 10000000 /* the two clocks differ by less than 5 microseconds after so long */

SEC("tp_btf/sched_switch")
int BPF_PROG(nstar_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u32 key = bpf_get_smp_processor_id(), tier = tier_of(next->tgid), last;
	struct cpu *c = bpf_map_lookup_elem(&cpus, &key);
	__u64 arrival = prev->sched_info.last_arrival, now;
	struct turn *t;

	if (!c) {
		if (is_tier(tier))
			__sync_fetch_and_add(&unplaced_turns, 1);
		return 0;
	}
	if (c->thread != (__u32)prev->pid)
		unseen(prev->tgid, arrival);
	c->thread = next->pid;
	last = c->since ? c->tier : NO_TIER;
	t = &c->history[c->turns++ & (TURNS - 1)];
	t->arrival = arrival;
	t->tgid = prev->tgid;
	t->tier = last;
	if (c->began && arrival) {
		c->offset = c->began - arrival;
		c->offset_at = arrival;
	}
	c->began = 0;
	if (last == NO_TIER && tier == NO_TIER && (!arrival || arrival - c->offset_at < OFFSET_NS))
		return 0;
	now = bpf_ktime_get_ns();
	if (next->pid) /* the idle thread's arrival is not written down */
		c->began = now;
	if (is_tier(last))
		leaves(c, prev, preempt, now);
	if (is_tier(tier))
		comes(c, next, tier, now);
	c->since = 0;
	barrier();
	c->tier = tier;
	barrier();
	c->since = tier == NO_TIER ? 0 : now;
	return 0;
}
