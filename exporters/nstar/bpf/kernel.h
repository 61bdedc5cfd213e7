/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few kernel structures that the programs read, cut by hand. Only the names matter: the offsets are
 * relocated to the running kernel's own layout when the object is loaded (CO-RE).
 */
#ifndef NSTAR_KERNEL_H
#define NSTAR_KERNEL_H

#include <linux/bpf.h>
#include <linux/in6.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_tracing.h>

#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 10

#define TCP_ESTABLISHED 1
#define TCP_SYN_SENT 2
#define TCP_SYN_RECV 3
#define TCP_FIN_WAIT1 4
#define TCP_CLOSE 7
#define TCP_CLOSE_WAIT 8
#define TCP_LAST_ACK 9
#define TCP_LISTEN 10

#define RELOCATED __attribute__((preserve_access_index))

struct ns_common {
	unsigned int inum;
} RELOCATED;

struct net {
	struct ns_common ns;
} RELOCATED;

typedef struct {
	struct net *net;
} possible_net_t;

struct sock;

struct sk_buff {
	struct sock *sk;
	unsigned int len;
	unsigned int data_len; /* of it, what is not in one piece at `data` */
	unsigned char *data;
} RELOCATED;

struct sk_buff_head {
	struct sk_buff *prev; /* the last one; the head itself where there is none */
} RELOCATED;

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	__u16 skc_num;
	unsigned short skc_family;
	volatile unsigned char skc_state;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
} RELOCATED;

struct sock {
	struct sock_common __sk_common;
	struct sk_buff_head sk_receive_queue;
	__u8 sk_shutdown;
	__u16 sk_type;
	__u16 sk_protocol;
	struct socket *sk_socket; /* none before a program has accepted the connection */
} RELOCATED;

/* bpf_skc_to_tcp_sock() returns this type; its first member is the struct sock. */
struct tcp_sock {
	__u32 rcv_wup; /* the next byte due when the window was announced last */
	__u32 rcv_wnd; /* what was announced */
	__u32 rcv_nxt; /* the next byte due */
	__u32 copied_seq; /* the next byte that the program reads */
	__u32 write_seq; /* the next byte that the program writes */
	__u32 dsack_dups; /* segments that the other end said it had twice */
} RELOCATED;

/* The beginning of a tcp_sock. */
struct inet_connection_sock {
	__u8 icsk_pending; /* which timer */
} RELOCATED;

#define ICSK_TIME_LOSS_PROBE 5

struct task_struct {
	int tgid;
	struct task_struct *real_parent;
} RELOCATED;

struct bpf_iter_meta {
	struct seq_file *seq;
} RELOCATED;

struct bpf_iter__bpf_sk_storage_map {
	struct bpf_iter_meta *meta;
	struct bpf_map *map;
	struct sock *sk;
	void *value;
} RELOCATED;

#endif
