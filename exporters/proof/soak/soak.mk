# SPDX-License-Identifier: Apache-2.0
#
# A rough life for the exporter. It needs root, as the exporter does, and uses loopback only. The memory limit is that
# of deploy/systemd.

SOAK ?= 5m

.PHONY: soak

soak: build ## churn, resets, kill -9, hostile neighbours, outages: nothing lost, drift 0, memory flat (SOAK=1h for the real thing)
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/soak
	GOMEMLIMIT=200MiB .cache/proof/soak -exporter bin/nstar_exporter -duration $(SOAK) $(ARGS)
