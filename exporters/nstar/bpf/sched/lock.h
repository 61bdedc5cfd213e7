/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that sleep until another thread wakes them: in futex(2), from which all locks and conditions of the C
 * library, Java and Go are made, or at a System V semaphore. A sleeping thread's registers tell which system call it is
 * in, so that no program on system calls is needed.
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

#endif
