#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs Prometheus in the foreground with deploy/prometheus/prometheus.yml; the
# demo's ports are the usual ones plus 10000, and the standard exporters' targets
# have the names of its tiers, so that their series are indicators.
set -eu
: "${DEMO:?run this through deploy/demo/demo.sh}"

dir=$DEMO/prometheus
# Data of an earlier run would mix with this one's in the curves.
rm -rf "$dir/data" "$dir/rules"
mkdir -p "$dir/rules"
cp "$ROOT"/rules/*.yaml "$dir/rules/"
sed -E -e 's/localhost:(9[0-9]{3})/127.0.0.1:1\1/' -e "s|- \.\./\.\./rules/|- $dir/rules/|" \
	-e 's/# (labels: \{app: )shop/\1bboard/' \
	"$ROOT/deploy/prometheus/prometheus.yml" >"$dir/prometheus.yml"

case $PROMETHEUS in
2) exec "$DEBIAN/usr/bin/prometheus" --web.local-assets="$DEBIAN/usr/share/prometheus/web/" \
	--config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/data" --storage.tsdb.retention.time=6h \
	--web.listen-address="127.0.0.1:$PROMETHEUS_PORT" --log.level=warn ;;
3) exec "$ROOT"/.cache/tools/prometheus-3.*/prometheus \
	--config.file="$dir/prometheus.yml" --storage.tsdb.path="$dir/data" --storage.tsdb.retention.time=6h \
	--web.listen-address="127.0.0.1:$PROMETHEUS_PORT" --log.level=warn ;;
*)
	echo "PROMETHEUS must be 2 or 3, not $PROMETHEUS" >&2
	exit 2
	;;
esac
