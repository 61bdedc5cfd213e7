#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs MariaDB in the foreground on its own directory, loopback only; arguments are passed on to it.
set -eu
: "${DEMO:?run this through deploy/demo/demo.sh}"

exec /usr/sbin/mariadbd --defaults-file="$DEMO/mariadb/my.cnf" \
	--datadir="$DEMO/mariadb/data" --socket="$DEMO/mariadb/socket" \
	--pid-file="$DEMO/mariadb/pid" --tmpdir="$DEMO/mariadb" \
	--port="$MARIADB_PORT" --user="$DEMO_USER" "$@"
