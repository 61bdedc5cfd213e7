#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the load generator in the foreground until DURATION is over.
set -eu
: "${DEMO:?run this through deploy/demo/demo.sh}"

exec "$ROOT/bin/nstar_load" --url="http://127.0.0.1:$HTTPD_PORT" \
	--users="$USERS" --think="$THINK" --duration="$DURATION" --ramp="$RAMP" \
	--lull-every="$LULL_EVERY" --burstiness="$BURSTINESS" --summary-file="$DEMO/log/load.json"
