// SPDX-License-Identifier: Apache-2.0

// Package turntest runs the turn-taking state machine of package bpf in the kernel, packet by packet, on a clock
// that the test sets.
package turntest

//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel -type slot -type residence -type edge_slot -type tier_slot -type rare -type edge_state -type pipe -type streams -type kind_step -type kind_end -type kind_sums Turntest turntest.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
