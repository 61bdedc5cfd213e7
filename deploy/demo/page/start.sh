#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the Bottlenecks page in the foreground.
set -eu
: "${ROOT:?run this through deploy/demo/demo.sh}"

exec "$ROOT/bin/nstartool" serve --prometheus "http://127.0.0.1:$PROMETHEUS_PORT" \
	--page.directory "$ROOT/grafana-plugin/page/dist" --web.listen-address "127.0.0.1:$PAGE_PORT"
