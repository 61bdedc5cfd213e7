#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory, the password and Keycloak's own directory (PostgreSQL must not run
#                   yet)
# prepare.sh load   makes the tables and the users, and forgets all sessions (PostgreSQL must run)
#
# What the stamp says to be there already is left as it is, but for the sessions of earlier runs and the index of users
# by name: INDEX=0 takes it away, as an operator might have lost it. Keycloak is built anew where REALM_CACHE changed
# (false: realms and clients are read from the database for each request). Parameters by environment: ROOT, DEMO (a
# directory with haproxy/, keycloak/, postgresql/, log/ that this account owns), DEMO_USER, POSTGRESQL_PORT, INDEX,
# REALM_CACHE.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
. "$ROOT/deploy/lib/postgresql.sh"
. "$here/keycloak.sh"
dir=$DEMO/postgresql
stamp=$(postgresql_stamp "$here/realms.json" "$here/fill.sql" "$here/keycloak.sh" "$0")

kept_secret "$DEMO/keycloak/password" >/dev/null

# quietly runs a command and shows what it said only if it fails.
quietly() {
	"$@" >>"$DEMO/log/setup.log" 2>&1 || {
		tail -n 20 "$DEMO/log/setup.log" >&2
		return 1
	}
}

case ${1:-} in
data)
	! stamped "$dir/stamp" "$stamp" || exit 0
	: >"$DEMO/log/setup.log"
	rm -rf "$dir/data" "$dir/stamp" "$DEMO/keycloak/home"
	cp -r "$(distribution)" "$DEMO/keycloak/home"
	new_postgresql
	;;
load)
	if [ "$(cat "$DEMO/keycloak/home/built" 2>/dev/null)" != "$(built)" ]; then
		# shellcheck disable=SC2046
		quietly "$DEMO/keycloak/home/bin/kc.sh" build $(built)
		built >"$DEMO/keycloak/home/built"
	fi
	if ! stamped "$dir/stamp" "$stamp"; then
		sql postgres --command="CREATE ROLE keycloak LOGIN PASSWORD '$(cat "$DEMO/keycloak/password")'"
		sql postgres --command='CREATE DATABASE keycloak OWNER keycloak'
		database
		quietly "$DEMO/keycloak/home/bin/kc.sh" import --optimized --file="$here/realms.json"
		sql keycloak --file="$here/fill.sql"
		echo "$stamp" >"$dir/stamp"
	fi
	sql keycloak --set=index="${INDEX:-1}" --file="$here/begin.sql"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
