// SPDX-License-Identifier: Apache-2.0

// Package cores holds the kernel programs that follow tiers from processor to processor and from cache to cache: one on
// sched_migrate_task, and one that reads a hardware counter at the switches of tiers. Each is an object of its own, so
// that a machine without such a counter lacks only the second one. causes/cores is their user side.
package cores

//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel -type moves -type process Migrate migrate.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel -type misses Misses misses.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
