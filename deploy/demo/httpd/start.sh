#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs Apache httpd in the foreground. Its configuration reads the environment.
set -eu
: "${DEMO:?run this through deploy/demo/demo.sh}"

cp "$ROOT/deploy/demo/httpd/httpd.conf" "$ROOT/exporters/apache/status.conf" "$DEMO/httpd/"
exec /usr/sbin/apache2 -f "$DEMO/httpd/httpd.conf" -DFOREGROUND
