#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory and the password (PostgreSQL must not run yet)
# prepare.sh load   makes the table and its rows (PostgreSQL must run)
#
# Both do nothing when the stamp says that the same is there already. Parameters by environment: ROOT, DEMO (a directory
# with catalog/, postgresql/, log/ that this account owns), DEMO_USER, POSTGRESQL_PORT.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
postgresql=$ROOT/.cache/debian/usr/lib/postgresql/15/bin
dir=$DEMO/postgresql
stamp=$(cat "$here/schema.sql" "$0" "$ROOT/.cache/debian/.stamps/postgresql-15" | sha256sum | cut -c1-16)

kept_secret "$DEMO/catalog/password" >/dev/null

case ${1:-} in
data)
	[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
	rm -rf "$dir/data" "$dir/stamp"
	new_postgresql "$postgresql" "$dir" "$DEMO/log/initdb.log"
	;;
load)
	[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
	"$postgresql/psql" --quiet --no-psqlrc --host="$dir" --port="$POSTGRESQL_PORT" --username="$DEMO_USER" \
		--dbname=postgres --set=ON_ERROR_STOP=1 --set=password="$(cat "$DEMO/catalog/password")" \
		--file="$here/schema.sql"
	echo "$stamp" >"$dir/stamp"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
