#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh gateway | catalog | pricing | rates | postgresql    runs one of the mesh's servers in the foreground
#
# Parameters by environment: those of prepare.sh and of the services (main.go).
set -eu
umask 077
: "${DEMO:?}" "${ROOT:?}"

case ${1:-} in
gateway | catalog | pricing | rates)
	COUNTS=$DEMO/log
	DATABASE="host=127.0.0.1 port=$POSTGRESQL_PORT user=mesh dbname=mesh password=$(cat "$DEMO/catalog/password")"
	export COUNTS DATABASE
	exec "$ROOT/.cache/mesh/$1"
	;;
postgresql)
	cp "$ROOT/deploy/lib/postgresql.conf" "$DEMO/postgresql/postgresql.conf"
	exec "$ROOT/.cache/debian/usr/lib/postgresql/15/bin/postgres" -D "$DEMO/postgresql/data" -p "$POSTGRESQL_PORT" \
		-c "config_file=$DEMO/postgresql/postgresql.conf" -k "$DEMO/postgresql"
	;;
*)
	echo "usage: start.sh gateway|catalog|pricing|rates|postgresql" >&2
	exit 2
	;;
esac
