#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs nstar_exporter in the foreground; it must be root to load its programs.
set -eu
: "${DEMO:?run this through deploy/demo/demo.sh}"

exec "$ROOT/bin/nstar_exporter" --config.file="$ROOT/deploy/demo/nstar/nstar.yaml" \
	--web.listen-address="127.0.0.1:$NSTAR_PORT" --log.level=warn --bpf.stats
