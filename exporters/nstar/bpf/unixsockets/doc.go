// SPDX-License-Identifier: Apache-2.0

// Package unixsockets holds the kernel programs that measure tiers at Unix sockets. They need Linux 6.3, whose
// tracepoints they use. They write only to the tables of package bpf, which replace their own tables when they are
// loaded.
package unixsockets

//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel Unix unix.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
