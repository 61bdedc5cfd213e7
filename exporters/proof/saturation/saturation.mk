# SPDX-License-Identifier: Apache-2.0
#
# The estimator of R0, TPmax and N* against simulated servers: pure computation, no root, no traffic.

.PHONY: check-saturation

check-saturation: setup ## compare R0, TPmax and N* with simulated servers of known saturation point (a minute of CPU)
	@mkdir -p .cache/proof
	go build -o .cache/proof/saturation ./exporters/proof/saturation
	.cache/proof/saturation $(ARGS)
