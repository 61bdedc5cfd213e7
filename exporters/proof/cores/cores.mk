# SPDX-License-Identifier: Apache-2.0
#
# A server pinned to a core against one that the scheduler moves about (docs/experiments/cores.md). It needs root, as
# the exporter does, uses loopback only, and moves nothing but its own servers.

.PHONY: experiment-cores

experiment-cores: build proof-tools ## a server pinned to one core against a free one: throughput, CPU time a request, moves (5 minutes)
	@tools/apt.sh nginx-light
	go build -o .cache/proof/ ./$(PROOF)/cores
	.cache/proof/cores -exporter bin/nstar_exporter $(ARGS)
