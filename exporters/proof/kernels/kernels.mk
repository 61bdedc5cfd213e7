# SPDX-License-Identifier: Apache-2.0
#
# The exporter on other kernels, each in a virtual machine without a network that is emulated (no KVM, no root). Kernels
# come as packages of Debian and Ubuntu and are unpacked, not installed; one of your own can be put beside them, as
# .cache/kernels/ARCHITECTURE/VERSION/vmlinuz with tcp_diag.ko and inet_diag.ko, where these are modules.

KERNELS := exporters/proof/kernels
KERNEL_ARCHES ?= amd64 arm64
# Packages whose tests run in the machines. They need nothing but a kernel.
KERNEL_TESTS := bpf bpf/turntest bpf/sched bpf/cores

# What `make test` tries: the oldest line that Debian still has, whose verifier refuses what newer ones accept.
KERNEL_TESTED := 6.1

.PHONY: check-kernels test-kernels kernel-images try-kernels kernel-programs

check-kernels: kernel-images ## load the BPF objects, run their tests and count requests on Linux 5.10 to 7 in virtual machines (amd64, arm64; half an hour)
	@$(MAKE) --no-print-directory try-kernels

test-kernels: KERNEL_ARCHES := amd64
test-kernels: export KERNEL_LINES := $(KERNEL_TESTED)
test-kernels: kernel-images ## the same on one old kernel for amd64, without the tests (a minute); left out where no kernel can be had
	@if ls .cache/kernels/amd64/$(KERNEL_TESTED).*/vmlinuz >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory try-kernels KERNEL_ARCHES=amd64 \
			ARGS="-quick -only 'amd64/$(subst .,[.],$(KERNEL_TESTED))[.]'"; \
	else \
		echo "SKIP no package of Linux $(KERNEL_TESTED) can be fetched here"; \
	fi

kernel-images:
	@tools/apt.sh xz-utils zstd
	@$(KERNELS)/fetch.sh $(KERNEL_ARCHES)

# On the kernels that were fetched.
try-kernels: kernel-programs
	@$(KERNELS)/emulator.sh $(KERNEL_ARCHES)
	go build -o .cache/proof/check-kernels ./$(KERNELS)
	.cache/proof/check-kernels $(ARGS)

kernel-programs: setup
	@set -e; for arch in $(KERNEL_ARCHES); do \
		export GOARCH=$$arch CGO_ENABLED=0; to=.cache/proof/kernels/$$arch; rm -rf $$to; mkdir -p $$to; \
		go build -ldflags '-s -w' -o $$to/init ./$(KERNELS)/guest; \
		go build -ldflags '-s -w' -o $$to/nstar_exporter ./exporters/nstar/nstar_exporter; \
		for test in $(KERNEL_TESTS); do \
			name=$$(basename $$test); mkdir -p $$to/tests/$$name; \
			go test -ldflags '-s -w' -c -o $$to/tests/$$name/$$name.test ./exporters/nstar/$$test; \
			if [ -d exporters/nstar/$$test/testdata ]; then \
				cp -r exporters/nstar/$$test/testdata $$to/tests/$$name/; \
			fi; \
		done; \
	done
