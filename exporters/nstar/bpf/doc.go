// SPDX-License-Identifier: Apache-2.0

// Package bpf holds the kernel side of nstar_exporter: the C sources, the objects compiled from them, and the
// generated Go types that mirror their maps. The objects are committed, so that building the exporter needs no
// C compiler; `make generate` compiles them again and `make test` compares.
package bpf

//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel -type slot -type listener_key -type listener -type edge_key -type edge_state -type outgoing_key -type residence -type edge_slot -type tier_slot -type count -type ports -type kind_step -type kind_end -type kind_sums Nstar nstar.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
