#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs Apache httpd in the foreground.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "${PARAMS:-$here/../params.sh}"

export DEMO THREADS HTTPD_PORT AJP_PORT
exec /usr/sbin/apache2 -f "$DEMO/httpd/httpd.conf" -DFOREGROUND
