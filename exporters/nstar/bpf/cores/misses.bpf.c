//go:build ignore

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Divides a hardware counter of each processor (cache misses) among the tiers: its growth while threads of a tier had
 * the processor. It is read when a tier's turn begins or ends; a switch between others costs a look into a table.
 */
#include "tiers.h"

char LICENSE[] SEC("license") = "GPL";

/* The growth of the counter in the turns of a tier on this processor. */
struct misses {
	__u64 counted;
	__u64 enabled; /* ns, of the time that was to be counted */
	__u64 running; /* ns, of which the counter was free: less, where others want it, too */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1); /* tiers, set when loaded */
	__type(key, __u32);
	__type(value, struct misses);
} tier_misses SEC(".maps");

/* A tier's turn on this processor. */
struct turn {
	__u64 on; /* 0: nobody's, or no tier's */
	__u64 tier;
	struct bpf_perf_event_value began;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct turn);
} turns SEC(".maps");

/* The counter of each processor. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1); /* processors, set when loaded */
	__type(key, __u32);
	__type(value, __u32);
} counters SEC(".maps");

SEC("tp_btf/sched_switch")
int BPF_PROG(nstar_misses, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u32 zero = 0, tgid = next->tgid, tier, coming = NO_TIER;
	struct bpf_perf_event_value now = {};
	struct process *p;
	struct misses *m;
	struct turn *t;

	p = tgid ? bpf_map_lookup_elem(&tier_processes, &tgid) : NULL; /* 0: the idle thread */
	if (p && is_tier(p->tier))
		coming = p->tier;
	t = bpf_map_lookup_elem(&turns, &zero);
	if (!t || (coming == NO_TIER && !t->on))
		return 0;
	if (bpf_perf_event_read_value(&counters, BPF_F_CURRENT_CPU, &now, sizeof(now))) {
		t->on = 0; /* a processor that came later has no counter */
		return 0;
	}
	tier = t->tier;
	m = t->on ? bpf_map_lookup_elem(&tier_misses, &tier) : NULL;
	if (m) {
		m->counted += now.counter - t->began.counter;
		m->enabled += now.enabled - t->began.enabled;
		m->running += now.running - t->began.running;
	}
	t->on = coming != NO_TIER;
	t->tier = coming;
	t->began = now;
	return 0;
}
