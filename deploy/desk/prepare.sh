#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory and the secrets (PostgreSQL must not run yet)
# prepare.sh load   makes the tables, the tickets and the session of a member of staff (PostgreSQL must run)
#
# Both do nothing when the stamp says that the same is there already; load forgets what earlier runs have written.
# Parameters by environment: ROOT, DEMO (a directory with nginx/, uwsgi/, pgbouncer/, postgresql/, log/ that this
# account owns), DEMO_USER, POSTGRESQL_PORT.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
. "$ROOT/deploy/lib/postgresql.sh"
dir=$DEMO/postgresql
stamp=$(postgresql_stamp "$here/desk/settings.py" "$here/fill.py" "$here/requirements.txt" "$0")

# python runs a program with the help desk's packages, which asks PostgreSQL itself.
python() {
	PYTHONPATH=$ROOT/.cache/desk/packages:$here PYTHONDONTWRITEBYTECODE=1 DJANGO_SETTINGS_MODULE=desk.settings \
		DATABASE_PORT=$POSTGRESQL_PORT /usr/bin/python3 "$@" >>"$DEMO/log/setup.log" 2>&1 || {
		tail -n 20 "$DEMO/log/setup.log" >&2
		return 1
	}
}

case ${1:-} in
data)
	! stamped "$dir/stamp" "$stamp" || exit 0
	rm -rf "$dir/data" "$dir/stamp"
	for name in key password session; do
		kept_secret "$DEMO/uwsgi/$name" >/dev/null
	done
	new_postgresql
	;;
load)
	if ! stamped "$dir/stamp" "$stamp"; then
		: >"$DEMO/log/setup.log"
		sql postgres --command="CREATE ROLE helpdesk LOGIN PASSWORD '$(cat "$DEMO/uwsgi/password")'"
		sql postgres --command='CREATE DATABASE helpdesk OWNER helpdesk'
		python -m django migrate
		python "$here/fill.py" "$(cat "$DEMO/uwsgi/session")"
		echo "$stamp" >"$dir/stamp"
	fi
	sql helpdesk --command="DELETE FROM helpdesk_followup WHERE title = 'Note of a run'"
	sql helpdesk --command='VACUUM ANALYZE'
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
