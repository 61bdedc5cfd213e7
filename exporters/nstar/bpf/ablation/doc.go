// SPDX-License-Identifier: Apache-2.0

// Package ablation holds the first steps of the programs of package bpf as programs of their own, so that `make bench`
// can say what each step costs.
package ablation

//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel Ablation ablation.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
