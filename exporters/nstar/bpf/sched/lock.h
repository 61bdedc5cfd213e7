/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that sleep until another thread wakes them: in futex(2), from which all locks and conditions of the C
 * library, Java and Go are made, or at a System V semaphore. A sleeping thread's registers tell which system call it is
 * in, and until when at most, so that no program on system calls is needed.
 *
 * Who sleeps so until its time is over waited for nobody: a request that sleeps on purpose (Java's Thread.sleep), or a
 * worker that looks now and then if there is work.
 */
#ifndef NSTAR_SCHED_LOCK_H
#define NSTAR_SCHED_LOCK_H

#include "maps.h"

#define TASK_INTERRUPTIBLE 1

/*
 * A longer sleep is not booked: nobody waits for a lock for so long while his windows are read (causes.Lag), and
 * workers without work sleep like that.
 */
#define LONGEST_NS 2000000000ULL

/* Who looks again so soon waits for something all the same, as threads do for an interpreter's lock (5 ms). */
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

static __always_inline bool waits_for_thread(long call, long futex, long semop, long semtimedop)
{
	return call == futex || call == 449 /* futex_waitv */ || call == 455 /* futex_wait */ || call == semop ||
	       call == semtimedop;
}

/* Whether the system call that a thread is in may wait for another thread. */
static __always_inline bool in_lock(struct task_struct *task)
{
	void *regs = (void *)bpf_task_pt_regs(task);

	if (bpf_core_field_exists(((struct pt_regs___x86 *)0)->orig_ax))
		return waits_for_thread(((struct pt_regs___x86 *)regs)->orig_ax, 202, 65, 220);
	if (bpf_core_field_exists(((struct pt_regs___arm64 *)0)->syscallno))
		return waits_for_thread(((struct pt_regs___arm64 *)regs)->syscallno, 98, 193, 192);
	return false;
}

/* The time at which the thread that falls asleep now goes on by itself, CLOCK_MONOTONIC; 0: never, or not known. */
static __always_inline __u64 deadline(struct task_struct *task, __u64 now)
{
	void *regs = (void *)bpf_task_pt_regs(task), *limit;
	struct timespec t;
	long call, op;
	__u64 at;

	if (bpf_core_field_exists(((struct pt_regs___x86 *)0)->orig_ax)) {
		call = ((struct pt_regs___x86 *)regs)->orig_ax == 202;
		op = ((struct pt_regs___x86 *)regs)->si;
		limit = (void *)((struct pt_regs___x86 *)regs)->r10;
	} else if (bpf_core_field_exists(((struct pt_regs___arm64 *)0)->syscallno)) {
		call = ((struct pt_regs___arm64 *)regs)->syscallno == 98;
		op = ((struct pt_regs___arm64 *)regs)->regs[1];
		limit = (void *)((struct pt_regs___arm64 *)regs)->regs[3];
	} else {
		return 0;
	}
	if (!call || !limit || bpf_probe_read_user(&t, sizeof(t), limit))
		return 0;
	at = t.seconds * 1000000000ULL + t.ns;
	if ((op & FUTEX_OPERATION) == FUTEX_WAIT)
		return now + at;
	if ((op & FUTEX_OPERATION) != FUTEX_WAIT_BITSET)
		return 0;
	return op & FUTEX_WALL_CLOCK ? at - clock_offset : at;
}

/* Whether the thread that was ready to run at that time went on by itself. */
static __always_inline bool timed_out(const struct wait *w, __u64 at)
{
	return w->until && w->until - w->since > SOON_NS && at + LATE_NS >= w->until;
}

#endif
