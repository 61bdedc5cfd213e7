#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs apache_exporter in the foreground. Parameters by environment:
#   LISTEN   address, default 127.0.0.1:9117
#   STATUS   URL of mod_status, default http://127.0.0.1/server-status?auto
#   PROGRAM  default prometheus-apache-exporter (Debian) on the PATH
set -eu

exec "${PROGRAM:-prometheus-apache-exporter}" \
	--telemetry.address="${LISTEN:-127.0.0.1:9117}" \
	--scrape_uri="${STATUS:-http://127.0.0.1/server-status?auto}" --log.level=warn
