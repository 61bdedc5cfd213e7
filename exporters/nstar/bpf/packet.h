/* SPDX-License-Identifier: GPL-2.0-only */
/* From a socket buffer to the TCP payload in it: where it starts, how long it is, its sequence number. */
#ifndef NSTAR_PACKET_H
#define NSTAR_PACKET_H

#include "kernel.h"

#define TCP 6
#define IPV4_HEADER 20
#define IPV6_HEADER 40
#define TCP_HEADER 20
#define MAX_EXTENSIONS 4

struct segment {
	__u32 seq;    /* of the first payload byte */
	__u32 length; /* payload bytes; one buffer may hold many messages (GRO, TSO) */
	__u32 offset; /* of the payload in the buffer */
	__u16 sender; /* its port */
	__u16 unused; /* no hidden padding: older kernels want every byte that a global function may read to be written */
};

/* Skips IPv6 extension headers; returns the offset of the TCP header, or 0. */
static __always_inline __u32 skip_extensions(struct __sk_buff *skb, __u8 next)
{
	__u32 at = IPV6_HEADER;
	__u8 ext[2];

	for (int i = 0; i < MAX_EXTENSIONS; i++) {
		if (next == TCP)
			return at;
		/* hop-by-hop, routing, destination options */
		if (next != 0 && next != 43 && next != 60)
			return 0;
		if (bpf_skb_load_bytes(skb, at, ext, sizeof(ext)) < 0)
			return 0;
		next = ext[0];
		at += ((__u32)ext[1] + 1) * 8;
	}
	return next == TCP ? at : 0;
}

/*
 * Copies the first 40 bytes, the headers of most packets. They lie in the linear part nearly always, where reading them
 * takes no helper call.
 */
static __always_inline bool read_headers(struct __sk_buff *skb, __u8 *h)
{
	void *data = (void *)(long)skb->data;
	void *end = (void *)(long)skb->data_end;

	if (data + IPV4_HEADER + TCP_HEADER <= end) {
		__builtin_memcpy(h, data, IPV4_HEADER + TCP_HEADER);
		return true;
	}
	return bpf_skb_load_bytes(skb, 0, h, IPV4_HEADER + TCP_HEADER) == 0;
}

/* Reads the headers; false where there is no TCP payload, which is the case for most packets (acknowledgements). */
static __always_inline bool read_segment(struct __sk_buff *skb, struct segment *s)
{
	__u8 h[IPV4_HEADER + TCP_HEADER] __attribute__((aligned(8)));
	__u8 *tcp = h + IPV4_HEADER;
	__u32 at;

	if (skb->len <= sizeof(h) || !read_headers(skb, h))
		return false;
	if (h[0] == 0x45) { /* IPv4 without options: one read was enough */
		if (h[9] != TCP)
			return false;
		at = IPV4_HEADER;
	} else {
		if (h[0] >> 4 == 4) {
			if (h[9] != TCP)
				return false;
			at = (h[0] & 15) * 4;
		} else {
			at = skip_extensions(skb, h[6]);
		}
		if (!at || bpf_skb_load_bytes(skb, at, tcp, TCP_HEADER) < 0)
			return false;
	}
	s->offset = at + (tcp[12] >> 4) * 4;
	if (skb->len <= s->offset)
		return false;
	s->length = skb->len - s->offset;
	s->sender = (__u16)tcp[0] << 8 | tcp[1];
	s->seq = (__u32)tcp[4] << 24 | (__u32)tcp[5] << 16 | (__u32)tcp[6] << 8 | tcp[7];
	return true;
}

#endif
