#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target of the exporter and of nstartool for a while, one after the other; a failure ends it.
set -euo pipefail
span=${1:-10s}
for package in $(go list ./exporters/...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "$target ($package)"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$span" "$package"
	done
done
