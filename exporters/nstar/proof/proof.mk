# SPDX-License-Identifier: Apache-2.0
#
# The proofs behind docs/proof.md. They need root, as the exporter does, and use loopback only.

ROUNDS ?= 7
PROOF := exporters/nstar/proof

.PHONY: proof-tools check-exactness check-capacity bench

# None of these packages starts a service: apache2-bin is the program alone.
proof-tools:
	@for p in apache2:apache2-bin wrk:wrk tcpdump:tcpdump tshark:tshark; do \
		command -v $${p%%:*} >/dev/null || missing="$$missing $${p##*:}"; \
	done; \
	[ -z "$$missing" ] || { echo "installing$$missing"; \
		DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing >/dev/null || \
		{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing >/dev/null; }; }

check-exactness: bin/nstar_exporter proof-tools
	go run ./$(PROOF)/exactness -exporter bin/nstar_exporter $(ARGS)

check-capacity: bin/nstar_exporter proof-tools
	tools/debian.sh prometheus >/dev/null
	go run ./$(PROOF)/capacity -exporter bin/nstar_exporter $(ARGS)

bench: bin/nstar_exporter proof-tools
	go run ./$(PROOF)/cost -exporter bin/nstar_exporter -rounds $(ROUNDS) $(ARGS)
	go test -run '^$$' -bench . -benchtime 2s ./$(PROOF)/cost
