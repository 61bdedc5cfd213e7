#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory and the password if they are not there, and Kafka's directory anew
#                   (neither server may run yet)
# prepare.sh load   makes the tables if they are not there, and forgets all readings (PostgreSQL must run)
#
# Kafka begins without a record each time, and the table without a row: what an earlier run left unread must not be the
# work of the next one. Parameters by environment: ROOT, DEMO (a directory with consumer/, kafka/, postgresql/, log/
# that this account owns), DEMO_USER, KAFKA_PORT, CONTROLLER_PORT, POSTGRESQL_PORT.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
. "$ROOT/deploy/lib/postgresql.sh"
dir=$DEMO/postgresql
stamp=$(postgresql_stamp "$here/schema.sql" "$0")

kept_secret "$DEMO/consumer/password" >/dev/null

new_kafka() {
	rm -rf "$DEMO/kafka/data"
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@KAFKA_PORT@|$KAFKA_PORT|g" -e "s|@CONTROLLER_PORT@|$CONTROLLER_PORT|g" \
		"$here/server.properties" >"$DEMO/kafka/server.properties"
	java -Xmx128m -XX:+UseSerialGC -cp "$ROOT/.cache/check/jars/kafka/*" kafka.tools.StorageTool format \
		--cluster-id=4L6g3nShT-eMCtK--X86sw --config="$DEMO/kafka/server.properties" >"$DEMO/log/format.log" 2>&1 || {
		tail -n 20 "$DEMO/log/format.log" >&2
		return 1
	}
}

case ${1:-} in
data)
	new_kafka
	! stamped "$dir/stamp" "$stamp" || exit 0
	rm -rf "$dir/data" "$dir/stamp"
	new_postgresql
	;;
load)
	if ! stamped "$dir/stamp" "$stamp"; then
		sql postgres --set=password="$(cat "$DEMO/consumer/password")" --file="$here/schema.sql"
		echo "$stamp" >"$dir/stamp"
	fi
	sql stream --command='TRUNCATE readings'
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
