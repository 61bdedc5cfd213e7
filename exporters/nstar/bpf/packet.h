/* SPDX-License-Identifier: GPL-2.0-only */
/* From a packet to the TCP payload in it: where it starts, how long it is, its sequence number. */
#ifndef NSTAR_PACKET_H
#define NSTAR_PACKET_H

#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <stddef.h>

#include "segment.h"

#define TCP 6
#define IPV4_HEADER 20
#define IPV6_HEADER 40
#define TCP_HEADER 20
#define MAX_EXTENSIONS 4

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

/* Takes the fields of a TCP header; false if there is no payload. */
static __always_inline bool take_fields(struct __sk_buff *skb, const struct tcphdr *tcp, __u32 at, struct segment *s)
{
	__u32 offset = at + tcp->doff * 4, length = skb->len;

	if (length <= offset)
		return false;
	s->offset = offset;
	s->length = length - offset;
	s->seq = bpf_ntohl(tcp->seq);
	s->sender = bpf_ntohs(tcp->source);
	s->keeps = s->unused = 0;
	return true;
}

/* The same for headers of any kind, wherever they lie. Global: rare, and looked at by the verifier once. */
__noinline int read_any_segment(struct __sk_buff *skb, struct segment *s)
{
	__u8 ip[8];
	struct tcphdr tcp;
	__u8 protocol;
	__u32 at;

	if (!s || bpf_skb_load_bytes(skb, 0, ip, sizeof(ip)) < 0)
		return 0;
	switch (ip[0] >> 4) {
	case 4:
		at = (ip[0] & 15) * 4;
		if (bpf_skb_load_bytes(skb, offsetof(struct iphdr, protocol), &protocol, 1) < 0 || protocol != TCP)
			return 0;
		break;
	case 6:
		at = skip_extensions(skb, ip[offsetof(struct ipv6hdr, nexthdr)]);
		break;
	default:
		return 0;
	}
	if (!at || bpf_skb_load_bytes(skb, at, &tcp, sizeof(tcp)) < 0)
		return 0;
	return take_fields(skb, &tcp, at, s);
}

/*
 * Reads the headers; false if there is no TCP payload, which is the case for most packets
 * (acknowledgements). Headers are nearly always in the linear part, where a field costs one load.
 */
static __always_inline bool read_segment(struct __sk_buff *skb, struct segment *s)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;
	const __u8 *ip = data;

	if (data + IPV4_HEADER + TCP_HEADER <= end && ip[0] == 0x45)
		return ip[offsetof(struct iphdr, protocol)] == TCP && take_fields(skb, data + IPV4_HEADER, IPV4_HEADER, s);
	if (data + IPV6_HEADER + TCP_HEADER <= end && ip[0] >> 4 == 6 && ip[offsetof(struct ipv6hdr, nexthdr)] == TCP)
		return take_fields(skb, data + IPV6_HEADER, IPV6_HEADER, s);
	*s = (struct segment){}; /* older kernels want what a global function is given to be written */
	return read_any_segment(skb, s);
}

#endif
