/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's structures for a Unix socket, cut by hand as in ../kernel.h. */
#ifndef NSTAR_UNIX_KERNEL_H
#define NSTAR_UNIX_KERNEL_H

#include "../kernel.h"

#define SOCK_STREAM 1
#define SHUTDOWN_BOTH 3 /* the other end is closed: nothing more comes, and nobody would read */

struct inode {
	unsigned long i_ino;
} RELOCATED;

struct super_block {
	__u32 s_dev;
} RELOCATED;

struct dentry {
	struct inode *d_inode;
	struct super_block *d_sb;
} RELOCATED;

struct path {
	struct dentry *dentry;
} RELOCATED;

struct skb_shared_info { /* only its size counts */
	__u8 nr_frags;
} RELOCATED;

struct unix_address;

struct unix_sock {
	struct sock sk;
	struct unix_address *addr; /* where it listens; a socket that it accepted has the same */
	struct path path;
	struct sock *peer;
} RELOCATED;

#endif
