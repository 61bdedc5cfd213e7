/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the kernel's structures that are read. */
#ifndef NSTAR_DISK_KERNEL_H
#define NSTAR_DISK_KERNEL_H

#include "maps.h"

#define RELOCATED __attribute__((preserve_access_index))

struct task_struct {
	unsigned int flags;
	int tgid;
} RELOCATED;

struct block_device_operations {
	void *submit_bio; /* NULL where the disk has a queue of requests of its own */
} RELOCATED;

struct gendisk {
	int major;
	int first_minor;
	const struct block_device_operations *fops;
} RELOCATED;

struct block_device {
	struct gendisk *bd_disk;
} RELOCATED;

struct inode;

struct address_space {
	struct inode *host;
} RELOCATED;

struct page {
	unsigned long compound_head;
	struct address_space *mapping;
} RELOCATED;

/* The same since Linux 7, where the first field has another name: see first_of(). */
struct page___7 {
	unsigned long compound_info;
} RELOCATED;

struct bio_vec {
	struct page *bv_page;
} RELOCATED;

struct bvec_iter {
	unsigned int bi_size;
} RELOCATED;

struct bio {
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	unsigned short bi_vcnt;
	struct bvec_iter bi_iter;
	struct bio_vec *bi_io_vec;
} RELOCATED;

#endif
