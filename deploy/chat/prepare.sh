#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data    makes the database's directory, the secrets and the certificate (PostgreSQL must not run yet)
# prepare.sh tables  makes the database, whose tables Synapse makes itself (PostgreSQL must run, and Synapse not yet)
# prepare.sh load    makes users, rooms and messages (Synapse must run)
#
# What the stamp says to be there already is left as it is, with what earlier runs have written, but for how long
# PostgreSQL takes for profiles: with HOLD each statement that reads them waits so many milliseconds, in which there is
# nothing to compute. Parameters by environment: ROOT, DEMO (a directory with nginx/, synapse/, postgresql/, log/ that
# this account owns), DEMO_USER, POSTGRESQL_PORT, SYNAPSE_PORT, HOLD.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
. "$ROOT/deploy/lib/postgresql.sh"
dir=$DEMO/postgresql
stamp=$(postgresql_stamp "$here/fill.py" "$here/fill.sql" "$here/requirements.txt" "$0")

case ${1:-} in
data)
	! stamped "$dir/stamp" "$stamp" || exit 0
	rm -rf "$dir/data" "$dir/stamp"
	kept_secret "$DEMO/synapse/password" >/dev/null
	kept_secret "$DEMO/synapse/secret" >/dev/null
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj /CN=chat.test \
		-addext subjectAltName=IP:127.0.0.1 -keyout "$DEMO/nginx/key.pem" -out "$DEMO/nginx/certificate.pem" \
		2>"$DEMO/log/setup.log"
	chmod 644 "$DEMO/nginx/certificate.pem" # the load's account reads it
	new_postgresql
	;;
tables)
	if ! stamped "$dir/stamp" "$stamp"; then
		sql postgres --command='DROP DATABASE IF EXISTS synapse' --command='DROP ROLE IF EXISTS synapse' 2>/dev/null
		sql postgres --command="CREATE ROLE synapse LOGIN PASSWORD '$(cat "$DEMO/synapse/password")'"
		# Synapse insists on the order of bytes.
		sql postgres --command="CREATE DATABASE synapse OWNER synapse TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
	fi
	;;
load)
	if ! stamped "$dir/stamp" "$stamp"; then
		/usr/bin/python3 "$here/fill.py" "http://127.0.0.1:$SYNAPSE_PORT" "$(cat "$DEMO/synapse/secret")" "$DEMO/nginx"
		sql synapse --file="$here/fill.sql"
		echo "$stamp" >"$dir/stamp"
	fi
	# A policy holds for the tables' owner, too, if it is forced.
	sql synapse <<-END 2>/dev/null
		DROP POLICY IF EXISTS hold ON profiles;
		CREATE POLICY hold ON profiles USING ((SELECT $HOLD = 0 OR pg_sleep($HOLD / 1000.0) IS NOT NULL));
		ALTER TABLE profiles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
	END
	;;
*)
	echo "usage: prepare.sh data|tables|load" >&2
	exit 2
	;;
esac
