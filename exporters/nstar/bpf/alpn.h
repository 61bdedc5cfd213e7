/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What runs inside TLS: the client offers protocols in its hello (ALPN, RFC 7301), and
 * before TLS 1.3 the server's choice is in clear, too. HTTP/2 carries many requests at
 * once, and WebSocket has none that take turns: if encrypted, they can't be counted.
 */
#ifndef NSTAR_ALPN_H
#define NSTAR_ALPN_H

#include "frames.h"

#define TLS_CLIENT_HELLO 1
#define TLS_SERVER_HELLO 2
#define HELLO_SESSION 43 /* record and handshake headers, version, random: the session's length comes next */
#define EXTENSIONS_MAX 24
#define EXTENSION_ALPN 16
#define EXTENSION_VERSIONS 43 /* in a server's hello: TLS 1.3 */
#define ALPN_NAMES_MAX 8

/*
 * In TLS 1.3 the choice is in the server's first encrypted record, which OpenSSL and Go use for it alone: a header of 4
 * bytes, the list's length, the choice, with or without an empty extension for the server's name, and 17 bytes of
 * encryption.
 */
#define TLS13_CHOSE_H2 32
#define TLS13_CHOSE_HTTP1 38
#define TLS13_NAME_ACCEPTED 4

/* Both sides of HTTP/2 must acknowledge SETTINGS: a frame of 9 bytes. No request of HTTP/1 is as short. */
#define TLS13_SETTINGS_ACK 26
#define TLS12_SETTINGS_ACK_GCM 33
#define TLS12_SETTINGS_ACK_CHACHA 25
/* "GET / HTTP/1.0", also if its line is a record of its own, and 16 bytes of encryption. */
#define TLS_SHORTEST_HTTP1 30

/* Reads a list of names: the length of the list, then each with its length. Global, like walk_mysql(). */
__noinline int read_alpn_names(struct __sk_buff *skb, const struct segment *s, __u32 at)
{
	bool http1 = false;
	__u8 b[4];
	__u32 end;

	if (!skb || !s || at + 2 > s->length || bpf_skb_load_bytes(skb, s->offset + at, b, 2) < 0)
		return ALPN_UNKNOWN;
	at += 2;
	end = at + be16(b);
	for (int i = 0; i < ALPN_NAMES_MAX && at + 3 <= end; i++) {
		if (at + 3 > s->length || bpf_skb_load_bytes(skb, s->offset + at, b, 3) < 0)
			break;
		at += 1 + b[0];
		if (b[0] == 2 && b[1] == 'h' && b[2] == '2')
			return i || at < end ? ALPN_MAY_BE_H2 : ALPN_H2;
		if (!i)
			http1 = b[0] == 8 && b[1] == 'h' && b[2] == 't';
	}
	return http1 ? ALPN_HTTP1 : ALPN_OTHER;
}

/* What a hello in clear, at the start of a segment, shows about the connection. Global, like walk_mysql(). */
__noinline int read_hello(struct __sk_buff *skb, const struct segment *s, __u32 known)
{
	__u32 at = HELLO_SESSION, type;
	bool client;
	__u8 b[4];

	if (!skb || !s || bpf_skb_load_bytes(skb, s->offset + 5, b, 1) < 0)
		return known;
	client = b[0] == TLS_CLIENT_HELLO;
	if (bpf_skb_load_bytes(skb, s->offset + at, b, 1) < 0)
		return known;
	at += 1 + b[0];
	if (client) { /* cipher suites, compression methods; a server names one of each */
		if (bpf_skb_load_bytes(skb, s->offset + at, b, 2) < 0)
			return known;
		at += 2 + be16(b);
		if (bpf_skb_load_bytes(skb, s->offset + at, b, 1) < 0)
			return known;
		at += 1 + b[0];
	} else {
		at += 3;
	}
	at += 2; /* length of the extensions */
	for (int i = 0; i < EXTENSIONS_MAX && at + 4 <= s->length; i++) {
		if (bpf_skb_load_bytes(skb, s->offset + at, b, 4) < 0)
			return known;
		type = be16(b);
		if (type == EXTENSION_ALPN)
			return read_alpn_names(skb, s, at + 4);
		if (!client && type == EXTENSION_VERSIONS)
			return known; /* the choice follows encrypted */
		at += 4 + be16(b + 2);
		if (at == s->length)
			return ALPN_OTHER; /* nothing offered, or nothing chosen */
	}
	return known; /* the hello goes on in the next segment */
}

/* What the length of a server's first encrypted record says about its choice. */
static __always_inline __u8 choice_of(__u32 length, __u8 known)
{
	if (known != ALPN_MAY_BE_H2 && known != ALPN_UNKNOWN)
		return known;
	if (length == TLS13_CHOSE_H2 || length == TLS13_CHOSE_H2 + TLS13_NAME_ACCEPTED)
		return ALPN_H2;
	if (length == TLS13_CHOSE_HTTP1 || length == TLS13_CHOSE_HTTP1 + TLS13_NAME_ACCEPTED)
		return ALPN_HTTP1;
	return known;
}

/* Whether a record of data shows that the session takes no turns. */
static __always_inline bool takes_no_turns(const __u8 *b, __u8 alpn)
{
	__u32 length = be16(b + 3);

	switch (alpn) {
	case ALPN_H2:
		return true;
	case ALPN_MAY_BE_H2:
		return length == TLS13_SETTINGS_ACK || length == TLS12_SETTINGS_ACK_GCM || length == TLS12_SETTINGS_ACK_CHACHA;
	}
	return false;
}

#endif
