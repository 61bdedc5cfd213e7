/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps and settings that user space shares with the programs; package probe is the other side. */
#ifndef NSTAR_MAPS_H
#define NSTAR_MAPS_H

#include "conn.h"

/*
 * A station is whatever has a queue: a tier, or an edge between two tiers. Tiers are numbered from 0, edges from
 * max_tiers.
 */
const volatile __u32 max_tiers = 64;
const volatile __u32 max_edges = 64;
const volatile __u32 ring_shift = 7; /* windows kept per station, as a power of two */
/* How many processors have a row of their own in the tables: the first ones. The others share the row behind these. */
const volatile __u32 own_rows = ~0u;
const volatile __u64 width_ns = 50000000;
const volatile __u64 settle_ns = 500000000;
const volatile __u64 endless_ns = 10000000000; /* an answer that goes on for longer has no end that anybody waits for */

/*
 * Variables get their values here, because variables without a value are placed in the
 * order of their use: the order must be the same in all objects, because these share them.
 */

/* Window clock = CLOCK_MONOTONIC + clock_offset; user space keeps it beside the wall clock. */
volatile __s64 clock_offset = 0;
/* The window that was written to last, on any CPU. */
volatile __u64 last_window = 0;
/* Increased whenever the tables of tiers change: every connection then looks up its role again. */
volatile __u32 generation = 0;
/* Raised when a socket starts to listen: user space looks again at once. */
volatile __u32 listens = 0;
/*
 * Numbers of edges: given out for the first time, given out again, and given back by user space. Each is written by one
 * side only; edges_changed is raised when an edge gets a number.
 */
volatile __u32 edges_used = 0;
volatile __u32 edges_reused = 0;
volatile __u32 edges_freed = 0;
volatile __u32 edges_changed = 0;

/* User space has the names in lower case, as in its metrics: package probe. */
enum drop {
	DROP_SOCKET_STORAGE = 0, /* no memory for a connection's state */
	DROP_EDGE_LIMIT = 1,     /* more edges than max_edges */
	DROP_MULTIPLEXED_PROTOCOL = 2, /* a connection has several requests at once, or none, that can't be told apart */
	DROP_STREAM_TABLE = 3,     /* more streams at once on a connection than its table holds */
	DROP_UNIX_LARGE_WRITE = 4, /* requests that are written to a Unix socket at once, more than can be read */
	DROPS = 5,
};
volatile __u64 drops[DROPS] = {};

/*
 * One window of one station on one CPU. All fields are plain sums that only grow: user space takes
 * differences from one round of the ring to the next, modulo 2^32 for short fields. There is one
 * for each CPU, station and window, so that rare events are counted elsewhere: struct rare.
 */
struct slot {
	__u32 arrivals;
	__u32 completions;
	__u32 aborts;
	__s32 net;       /* requests that entered less those that left */
	__s64 area;      /* ns x requests: each entry adds the rest of the window, each leaving subtracts it */
	__s64 residence; /* ns in the queue of the requests completed */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* rows x stations x ring, set when loaded */
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

/* Rare events in a window of a station, for all CPUs together. */
struct rare {
	__u64 reopened;
	__u64 opaque; /* connections that can't be measured any more */
};

/*
 * Fields that only edges have, one window of one edge for all CPUs together: maxima of several CPUs can't be
 * added up. More CPUs cost no memory, and a call that begins needs the cache line of its edge's counter anyway.
 */
struct edge_slot {
	__u64 peak;      /* low half: most calls outstanding at once; high half: low half of the window's number */
	__u64 used;      /* connections that were idle at the window's start and carried a call */
	__u64 gaps;      /* calls that followed an answer on their connection */
	__s64 gap_time;  /* ns, from the end of the answer to the call */
	__s64 opened;    /* connections opened less those closed */
	__u64 patient;   /* requests that wait on purpose, which are no calls (waits.h) */
	__s64 patience;  /* ns that they took, of those that were answered in this window */
	__u64 commits;   /* by which the caller says that it has done what it took */
	__u64 lost;      /* segments of the calls that were sent again */
	__u64 failed;    /* connections that could not be opened */
	__u64 told;      /* segments of the server on connections that can't be measured */
	struct rare rare;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* edges x ring, set when loaded */
	__type(key, __u32);
	__type(value, struct edge_slot);
} edge_slots SEC(".maps");

/*
 * Fields that only tiers have, for all CPUs together: written when a client's connection opens
 * or closes, when segments get lost and when the server fails, but not for usual requests.
 */
struct tier_slot {
	__s64 opened; /* connections opened less those closed */
	__s64 area;   /* ns x connections: each opening adds the rest of the window, each closing subtracts it */
	__u64 lost;   /* segments of the answers that were sent again */
	__u64 errors; /* answers with a status of 500 or above, where the protocol tells one, and hang-ups */
	struct rare rare;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* tiers x ring, set when loaded */
	__type(key, __u32);
	__type(value, struct tier_slot);
} tier_slots SEC(".maps");

/* An edge as it is now. */
struct edge_state {
	__s64 calls;      /* outstanding */
	__u32 generation; /* of the tier table by which `given` was found */
	__u8 given;       /* protocol of the destination, where the configuration names it */
	__u8 learned;     /* protocol that a connection showed and that the middle of another may not show */
	__u8 shared;      /* by nameless destinations: what one speaks says nothing about the next */
	__u8 unused[49];  /* one cache line: all CPUs write it */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* edges, set when loaded */
	__type(key, __u32);
	__type(value, struct edge_state);
} edge_states SEC(".maps");

/* Residence times by quarter octaves of 2^-30 s, counted when the answer is known to have ended. */
#define RESIDENCE_BUCKETS 159
struct residence {
	__u64 sum; /* ns, of the answers counted below */
	__u64 buckets[RESIDENCE_BUCKETS];
	__u64 waits; /* requests that wait on purpose, which are counted nowhere else */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* rows x tiers, set when loaded */
	__type(key, __u32);
	__type(value, struct residence);
} residences SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct conn);
} conns SEC(".maps");

/* Addresses are 16 bytes, IPv4 as ::ffff:a.b.c.d; ports in host order. */
struct listener_key {
	__u32 netns;
	__u16 port;
	__u16 pad;
	__u8 addr[16];
};

struct listener {
	__u32 station;
	__u32 protocol;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct listener_key);
	__type(value, struct listener);
} listeners SEC(".maps");

/* Processes of the tiers, by thread-group id: their outgoing connections are edges. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u32);
} tier_processes SEC(".maps");

struct edge_key {
	__u32 from;
	__u32 netns;
	__u16 port;
	__u16 pad;
	__u8 addr[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct edge_key);
	__type(value, __u32);
} edges SEC(".maps");

/* Numbers that user space gave back, to be used again before new ones. */
struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1); /* edges, set when loaded */
	__type(value, __u32);
} free_edges SEC(".maps");

/* Outgoing connections that were open before their tier was known, with the tier that owns them. */
struct outgoing_key {
	__u32 netns;
	__u16 local_port;
	__u16 remote_port;
	__u8 local[16];
	__u8 remote[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, struct outgoing_key);
	__type(value, __u32);
} outgoing SEC(".maps");

/* The row of this CPU: its own, or the last one, which CPUs share that were added to the machine later. */
static __always_inline __u32 this_row(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return cpu < own_rows ? cpu : own_rows;
}

/* NULL for tiers, and for sockets that are not measured. */
static __always_inline struct edge_state *edge_state_of(__u32 station)
{
	__u32 edge = station - max_tiers;

	return station < max_tiers ? NULL : bpf_map_lookup_elem(&edge_states, &edge);
}

static __always_inline void dropped(enum drop reason)
{
	__sync_fetch_and_add(&drops[reason], 1);
}

#endif
