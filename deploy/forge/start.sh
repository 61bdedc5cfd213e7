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
postgresql=$ROOT/.cache/debian/usr/lib/postgresql/15/bin

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
	cp "$ROOT/deploy/lib/postgresql.conf" "$DEMO/postgresql/postgresql.conf"
	exec "$postgresql/postgres" -D "$DEMO/postgresql/data" -p "$POSTGRESQL_PORT" \
		-c "config_file=$DEMO/postgresql/postgresql.conf" -k "$DEMO/postgresql"
	;;
locks)
	echo 'DO $$ BEGIN LOOP
		LOCK TABLE comment; PERFORM pg_sleep(0.3); COMMIT; PERFORM pg_sleep(1.7); COMMIT;
	END LOOP; END $$' |
		exec "$postgresql/psql" --quiet --no-psqlrc --host="$DEMO/postgresql" --port="$POSTGRESQL_PORT" \
			--username="$DEMO_USER" --dbname=forge
	;;
*)
	echo "usage: start.sh httpd|gitea|postgresql|locks" >&2
	exit 2
	;;
esac
