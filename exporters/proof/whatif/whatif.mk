# SPDX-License-Identifier: Apache-2.0
#
# What a change was predicted to gain, and what it gained: docs/whatif.md.

.PHONY: check-whatif check-whatif-model

check-whatif-model: ## predict changes of simulated systems from their windows, and simulate them (1 minute)
	go test -count=1 -run TestPredict -v ./exporters/nstartool/whatif -all

check-whatif: build check-whatif-model ## make changes to the demo for real and compare with the prediction (25 minutes)
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/whatif
	.cache/proof/whatif $(ARGS)
