# SPDX-License-Identifier: Apache-2.0
# Checks of the rules, on the oldest and the newest Prometheus that they are for.

.PHONY: promtool prometheus test-rules bench-rules check-notifications

# Both programs of the pinned release; the build takes minutes once.
prometheus: ## build the pinned Prometheus and promtool into .cache/tools
	tools/prometheus/build.sh

promtool:
	tools/prometheus/build.sh promtool

test-rules: ## check the rules and run their tests on Prometheus 2.42 and 3.15
	rules/test.sh

# Prometheus 3.15 takes part where `make prometheus` has built it.
bench-rules: ## measure what the rules cost, and 1,000 tiers on 100 exporters (13 minutes with two servers)
	@tools/debian.sh prometheus >/dev/null
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/rules
	.cache/proof/rules $(ARGS) bench

check-notifications: ## count the notifications of a problem that echoes in three tiers, with a real Alertmanager (10 minutes)
	@tools/debian.sh prometheus prometheus-alertmanager >/dev/null
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/rules
	.cache/proof/rules $(ARGS) notifications
