// SPDX-License-Identifier: Apache-2.0

// Package sched holds the kernel program that follows which programs have the processors: how long the threads of the
// tiers run, wait for a processor and wait for a disk, in each window, and which programs ran while they waited. It is
// an object of its own, so that requests are measured even if the kernel refuses it. causes/sched is its user side.
package sched

//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel -type slot -type cpu -type total -type process -type wait Sched sched.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
