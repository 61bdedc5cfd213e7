#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs an installed Grafana in the foreground with the bundle's provisioning.
set -eu
: "${ROOT:?run this through deploy/demo/demo.sh}"

PROMETHEUS_URL=http://127.0.0.1:$PROMETHEUS_PORT
export PROMETHEUS_URL GRAFANA_PORT
exec "$ROOT/deploy/grafana/grafana.sh" "$DEMO/grafana"
