// SPDX-License-Identifier: Apache-2.0

// Package disk holds the kernel programs that follow which processes read from and write to disks, and whose files
// the kernel writes back. It is an object of its own, so that the waiting for disks is measured even if the kernel
// refuses it. causes/diskuse is its user side.
package disk

//go:generate go tool bpf2go -tags linux -cc clang -no-strip -target bpfel -type slot -type command -type process Disk disk.bpf.c -- -O2 -mcpu=v3 -Wall -Werror -I/usr/include/x86_64-linux-gnu
