#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs Alertmanager in the foreground, alone (no cluster port).
set -eu
: "${DEMO:?run this through deploy/demo/demo.sh}"

rm -rf "$DEMO/alertmanager/data"
cp "$ROOT/deploy/alertmanager/alertmanager.yml" "$DEMO/alertmanager/"
exec "$ROOT/tools/debian-run.sh" prometheus-alertmanager \
	--config.file="$DEMO/alertmanager/alertmanager.yml" --storage.path="$DEMO/alertmanager/data" \
	--web.listen-address="127.0.0.1:$ALERTMANAGER_PORT" --cluster.listen-address= --log.level=warn
