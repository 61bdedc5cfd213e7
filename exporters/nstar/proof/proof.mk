# SPDX-License-Identifier: Apache-2.0
#
# The proofs behind docs/proof.md. They need root, as the exporter does, and use loopback only. Each prints its figures and
# fails when one misses its limit. ARGS passes flags on, for example ARGS="-duration 20s".

ROUNDS ?= 15
PEER ?= no
PROOF := exporters/nstar/proof

.PHONY: proof-tools check-exactness check-capacity bench

# None of these packages starts a service: apache2-bin is the program alone.
proof-tools:
	@tools/apt.sh apache2-bin wrk tcpdump tshark curl
	@[ "$(PEER)" = no ] || tools/apt.sh bpftrace
	@mkdir -p .cache/proof

check-exactness: build proof-tools ## compare the windows with the servers' own counts and with a capture (2 minutes)
	go build -o .cache/proof/ ./$(PROOF)/exactness
	.cache/proof/exactness -exporter bin/nstar_exporter -root . $(ARGS)

check-capacity: build proof-tools ## compare TPmax, N* and Little's law with servers of known capacity (3 minutes)
	@tools/debian.sh prometheus >/dev/null
	go build -o .cache/proof/ ./$(PROOF)/capacity
	.cache/proof/capacity -exporter bin/nstar_exporter -prometheus .cache/debian/usr/bin/prometheus -rules 'rules/*.yaml' $(ARGS)

bench: build proof-tools ## measure what the exporter costs, beside tcpdump (ROUNDS=15, 15 s each; PEER=bpftrace adds a peer)
	go test -run '^$$' -bench . -benchtime 2s ./$(PROOF)/cost
	go build -o .cache/proof/ ./$(PROOF)/cost
	.cache/proof/cost -exporter bin/nstar_exporter -rounds $(ROUNDS) $(ARGS)
