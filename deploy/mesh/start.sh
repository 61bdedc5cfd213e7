#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh gateway | catalog | pricing | rates | postgresql    runs one of the mesh's servers in the foreground
#
# Parameters by environment: those of prepare.sh and of the services (main.go).
set -eu
umask 077
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"

case ${1:-} in
gateway | catalog | pricing | rates)
	COUNTS=$DEMO/log
	DATABASE="host=127.0.0.1 port=$POSTGRESQL_PORT user=mesh dbname=mesh password=$(cat "$DEMO/catalog/password")"
	export COUNTS DATABASE
	exec "$ROOT/.cache/mesh/$1"
	;;
postgresql)
	run_postgresql
	;;
*)
	echo "usage: start.sh gateway|catalog|pricing|rates|postgresql" >&2
	exit 2
	;;
esac
