#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh httpd | gitea | postgresql   runs one of the forge's servers in the foreground
# start.sh locks                        locks the comments for 300 ms every 2 s, as a migration may
#
# Parameters by environment: those of prepare.sh; HTTPD_PORT, GITEA_PORT; PROCESSES (of httpd at its start), THREADS (of
# each of them) and WORKERS (threads of all processes at most), POOL (connections to PostgreSQL at most), JOBS (when
# Gitea counts everything and checks its repositories, in cron's words); Go's own variables.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"

case ${1:-} in
httpd)
	cp "$here/httpd.conf" "$DEMO/httpd/"
	exec /usr/sbin/apache2 -f "$DEMO/httpd/httpd.conf" -DFOREGROUND
	;;
gitea)
	export HOME="$DEMO/gitea" GIT_CONFIG_NOSYSTEM=1
	exec "$ROOT/.cache/forge/gitea" web --config "$("$here/configure.sh")"
	;;
postgresql)
	run_postgresql
	;;
locks)
	lock_now_and_then forge comment
	;;
*)
	echo "usage: start.sh httpd|gitea|postgresql|locks" >&2
	exit 2
	;;
esac
