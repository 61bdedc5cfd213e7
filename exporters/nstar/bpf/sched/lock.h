/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that sleep until another thread wakes them: in futex(2), from which all locks and conditions
 * of the C library, Java and Go are made, or at a System V semaphore. A sleeping thread's registers
 * show which system call it is in, and until when at most. So no program on system calls is needed.
 *
 * A thread that sleeps until its time is over waited for no other: a request that sleeps
 * on purpose (Java's Thread.sleep), or a worker that looks now and then if there is work.
 */
#ifndef NSTAR_SCHED_LOCK_H
#define NSTAR_SCHED_LOCK_H

#include "maps.h"

#define TASK_INTERRUPTIBLE 1

/*
 * A longer sleep is not booked: no thread waits that long for a lock while its
 * windows are read (causes.Lag), and workers without work sleep like that.
 */
#define LONGEST_NS 2000000000ULL

/* A thread that looks again this soon does wait for something, as threads do for an interpreter's lock (5 ms). */
#define SOON_NS 10000000

#define LATE_NS 1000000 /* by so much the clocks of deadlines may differ */

/* Futex operations that wait; the rest of the operation are flags. */
#define FUTEX_OPERATION 127
#define FUTEX_WAIT 0	    /* for so long */
#define FUTEX_WAIT_BITSET 9 /* until then */
#define FUTEX_WALL_CLOCK 256

struct timespec {
	__s64 seconds, ns;
};

/* The system call that a thread is in. */
struct system_call {
	long number;
	__u64 operation; /* its second argument: futex's operation */
	void *limit;     /* its fourth: futex's time */
	/* The numbers of these system calls on this architecture. */
	long futex, semop, semtimedop;
};

/* Reads a thread's registers; false on an architecture of which they are not known. */
static __always_inline bool read_call(struct task_struct *task, struct system_call *c)
{
	struct pt_regs___x86 *x86 = (void *)bpf_task_pt_regs(task);
	struct pt_regs___arm64 *arm64 = (void *)x86;

	if (bpf_core_field_exists(x86->orig_ax)) {
		*c = (struct system_call){x86->orig_ax, x86->si, (void *)x86->r10, 202, 65, 220};
		return true;
	}
	if (bpf_core_field_exists(arm64->syscallno)) {
		*c = (struct system_call){arm64->syscallno, arm64->regs[1], (void *)arm64->regs[3], 98, 193, 192};
		return true;
	}
	return false;
}

/* Whether the system call that a thread is in may wait for another thread. */
static __always_inline bool in_lock(struct task_struct *task)
{
	struct system_call c;

	if (!read_call(task, &c))
		return false;
	return c.number == c.futex || c.number == 449 /* futex_waitv */ || c.number == 455 /* futex_wait */ ||
	       c.number == c.semop || c.number == c.semtimedop;
}

/* The time at which the thread that falls asleep now goes on by itself, CLOCK_MONOTONIC; 0: never, or not known. */
static __always_inline __u64 deadline(struct task_struct *task, __u64 now)
{
	struct system_call c;
	struct timespec t;
	__u64 at;

	if (!read_call(task, &c) || c.number != c.futex || !c.limit)
		return 0;
	if (bpf_probe_read_user(&t, sizeof(t), c.limit))
		return 0;
	at = t.seconds * 1000000000ULL + t.ns;
	if ((c.operation & FUTEX_OPERATION) == FUTEX_WAIT)
		return now + at;
	if ((c.operation & FUTEX_OPERATION) != FUTEX_WAIT_BITSET)
		return 0;
	return c.operation & FUTEX_WALL_CLOCK ? at - clock_offset : at;
}

/* Whether the thread that was ready to run at that time went on by itself. */
static __always_inline bool timed_out(const struct wait *w, __u64 at)
{
	return w->until && w->until - w->since > SOON_NS && at + LATE_NS >= w->until;
}

#endif
