#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs node_exporter in the foreground with the collectors that Nstar's pages
# put beside the tiers. Parameters by environment:
#   LISTEN   address, default 127.0.0.1:9100
#   PROGRAM  default prometheus-node-exporter (Debian) on the PATH
set -eu

# Off by default: of a host's many families only those about who waits for
# what are asked for. schedstat gives run-queue wait per CPU, pressure the
# stall time of the whole host, cpu the steal of the hypervisor.
set -- --collector.disable-defaults
for collector in cpu diskstats filesystem interrupts loadavg meminfo netdev netstat \
	pressure processes schedstat sockstat softnet stat time uname vmstat; do
	set -- "$@" "--collector.$collector"
done
exec "${PROGRAM:-prometheus-node-exporter}" \
	--web.listen-address="${LISTEN:-127.0.0.1:9100}" --log.level=warn "$@"
