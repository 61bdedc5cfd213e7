#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | puma | postgresql    runs one of the tracker's servers in the foreground
#
# Parameters by environment: those of prepare.sh; NGINX_PORT, PUMA_PORT, WORKERS (processes of Puma), THREADS (of each,
# and connections to PostgreSQL of each).
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian

case ${1:-} in
nginx)
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" -e "s|@PUMA_PORT@|$PUMA_PORT|g" "$here/nginx.conf" \
		>"$DEMO/nginx/nginx.conf"
	exec "$DEBIAN/usr/sbin/nginx" -e "$DEMO/log/nginx-errors.log" -p "$DEMO/nginx" -c "$DEMO/nginx/nginx.conf"
	;;
puma)
	cd "$DEMO/redmine/site"
	: >instances/default/log/production.log
	export HOME="$DEMO/redmine" RAILS_ENV=production
	exec bundle exec puma --config "$here/puma.rb"
	;;
postgresql)
	run_postgresql
	;;
*)
	echo "usage: start.sh nginx|puma|postgresql" >&2
	exit 2
	;;
esac
