#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | uwsgi | pgbouncer | postgresql   runs one of the help desk's servers in the foreground
# start.sh locks                                    locks the tickets for 300 ms every 2 s, as a migration may
#
# Parameters by environment: those of prepare.sh; NGINX_PORT, UWSGI_PORT, PGBOUNCER_PORT; PROCESSES (of uWSGI), POOL
# (connections to PostgreSQL at most).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@DEBIAN@|$DEBIAN|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" \
		-e "s|@UWSGI_PORT@|$UWSGI_PORT|g" -e "s|@PGBOUNCER_PORT@|$PGBOUNCER_PORT|g" \
		-e "s|@POSTGRESQL_PORT@|$POSTGRESQL_PORT|g" -e "s|@POOL@|$POOL|g" -e "s|@ACCESS_LOG@|${ACCESS_LOG:-off}|g" \
		-e "s|@SESSION@|$(cat "$DEMO/uwsgi/session")|g" "$here/$1"
}

case ${1:-} in
nginx)
	fill nginx.conf >"$DEMO/nginx/nginx.conf"
	exec "$DEBIAN/usr/sbin/nginx" -e "$DEMO/log/nginx-errors.log" -p "$DEMO/nginx" -c "$DEMO/nginx/nginx.conf"
	;;
uwsgi)
	export DEBIAN HERE="$here" PACKAGES="$ROOT/.cache/desk/packages" PYTHONDONTWRITEBYTECODE=1
	# Debian's alternatives give it this name.
	ln -sf "$DEBIAN/usr/bin/uwsgi-core" "$DEMO/uwsgi/uwsgi"
	exec "$DEMO/uwsgi/uwsgi" --plugins-dir "$DEBIAN/usr/lib/uwsgi/plugins" --plugin python311 \
		--ini "$here/uwsgi.ini"
	;;
pgbouncer)
	echo "\"helpdesk\" \"$(cat "$DEMO/uwsgi/password")\"" >"$DEMO/pgbouncer/users"
	fill pgbouncer.ini >"$DEMO/pgbouncer/pgbouncer.ini"
	exec "$DEBIAN/usr/sbin/pgbouncer" --quiet "$DEMO/pgbouncer/pgbouncer.ini"
	;;
postgresql)
	run_postgresql
	;;
locks)
	lock_now_and_then helpdesk helpdesk_ticket
	;;
*)
	echo "usage: start.sh nginx|uwsgi|pgbouncer|postgresql|locks" >&2
	exit 2
	;;
esac
