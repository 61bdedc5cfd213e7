//go:build ignore

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which processes use the disks. A request to a disk is counted when it is made, while the process that
 * makes it still runs. Data that the kernel writes back in a thread of its own belong to the process
 * that made the file dirty: this is noted when a clean file becomes dirty, and not at each page of it.
 */
#include "kernel.h"

char LICENSE[] SEC("license") = "GPL";

#define PF_KTHREAD 0x00200000
#define OPERATION 0xff /* of bi_opf */

enum operation { READ = 0, WRITE = 1 };

static __always_inline bool is_kernel(struct task_struct *task)
{
	return task->flags & PF_KTHREAD;
}

/* Bytes of the descriptions of as many pages as are ever one; no description lies as high. */
#define MASK_MAX (1ll << 30)

/*
 * The description of the first of several pages that are one. An odd word in the other descriptions says where it
 * is: one byte in front of that, or, since Linux 7 with some configurations, under that mask of their own address.
 */
static __always_inline struct page *first_of(struct page *page)
{
	struct page___7 *newer = (struct page___7 *)page;
	__u64 word;

	if (bpf_core_field_exists(newer->compound_info))
		word = BPF_CORE_READ(newer, compound_info);
	else
		word = BPF_CORE_READ(page, compound_head);
	if (!(word & 1))
		return page;
	return (struct page *)((__s64)word > -MASK_MAX ? (__u64)page & word : word - 1);
}

/* The file whose pages are written; 0 if they belong to none. */
static __always_inline __u64 file_of(struct bio *bio)
{
	struct address_space *mapping;
	struct page *page = BPF_CORE_READ(bio, bi_io_vec, bv_page); /* as a number, which may be masked */
	__u64 address = 0;

	if (!page)
		return 0;
	page = first_of(page);
	bpf_core_read(&address, sizeof(address), &page->mapping);
	if (!address || address & 3) /* memory of a process, or on the move */
		return 0;
	mapping = (struct address_space *)address;
	return (__u64)BPF_CORE_READ(mapping, host);
}

/* The owner of the thread that runs. */
static __always_inline void note(struct task_struct *task, struct command *c)
{
	__u32 id = task->tgid;
	struct process *p = bpf_map_lookup_elem(&tier_processes, &id);

	c->owner = owner_of(id, p ? p->tier : NO_TIER);
	bpf_get_current_comm(c->name, sizeof(c->name));
}

/* The owner of the request; all 0: the kernel. */
static __always_inline void asker(struct bio *bio, struct command *c)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct command *dirty;
	__u64 file;

	if (!is_kernel(task)) {
		note(task, c);
		return;
	}
	file = file_of(bio);
	dirty = file ? bpf_map_lookup_elem(&dirtied, &file) : NULL;
	if (dirty)
		*c = *dirty;
}

static __always_inline struct slot *slot_now(void)
{
	__u64 window = (bpf_ktime_get_ns() + clock_offset) / width_ns;
	__u32 ring = 1u << ring_shift, key = bpf_get_smp_processor_id() * ring + (window & (ring - 1));
	struct slot *s = bpf_map_lookup_elem(&slots, &key);

	if (s && s->window != (__u32)window) {
		__builtin_memset(s, 0, sizeof(*s));
		s->window = (__u32)window;
	}
	return s;
}

static __always_inline void add(struct use *u, __u64 read, __u64 written)
{
	u->read += read;
	u->written += written;
}

static __always_inline void count(struct slot *s, const struct command *c, __u32 disk, __u64 read, __u64 written)
{
	for (int i = 0; i < USES; i++) {
		struct use *u = &s->use[i];

		if (!u->disk) {
			if (c->owner && !(c->owner & OF_TIER))
				bpf_map_update_elem(&commands, &c->owner, c, BPF_ANY);
			u->owner = c->owner;
			u->disk = disk;
		}
		if (u->owner == c->owner && u->disk == disk) {
			add(u, read, written);
			return;
		}
	}
	s->others_read += read;
	s->others_written += written;
}

SEC("tp_btf/block_bio_queue")
int BPF_PROG(nstar_disk, struct bio *bio)
{
	__u32 operation = bio->bi_opf & OPERATION, size = bio->bi_iter.bi_size;
	struct gendisk *disk = bio->bi_bdev->bd_disk;
	struct command c = {};
	struct slot *s;

	if (!size || operation > WRITE || disk->fops->submit_bio) /* that one hands it on, and it comes again */
		return 0;
	s = slot_now();
	if (!s)
		return 0;
	asker(bio, &c);
	count(s, &c, (__u32)disk->major << 20 | (__u32)disk->first_minor, operation == READ ? size : 0,
	      operation == WRITE ? size : 0);
	return 0;
}

SEC("tp_btf/writeback_dirty_inode_enqueue")
int BPF_PROG(nstar_dirty, struct inode *inode)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u64 file = (__u64)inode;
	struct command c = {};

	if (is_kernel(task)) /* it notes sizes and times of what others wrote */
		return 0;
	note(task, &c);
	bpf_map_update_elem(&dirtied, &file, &c, BPF_ANY);
	return 0;
}
