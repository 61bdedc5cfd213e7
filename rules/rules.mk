# SPDX-License-Identifier: Apache-2.0
# Checks of the rules, on the oldest and the newest Prometheus that they are for.

.PHONY: promtool prometheus test-rules

# Both programs of the pinned release; the build takes minutes once.
prometheus: ## build the pinned Prometheus and promtool into .cache/tools
	tools/prometheus/build.sh

promtool:
	tools/prometheus/build.sh promtool

test-rules: ## check the rules and run their tests on Prometheus 2.42 and 3.15
	rules/test.sh
