# SPDX-License-Identifier: Apache-2.0
#
# PostgreSQL, as most applications have it behind them: its data in DEMO/postgresql, administered by DEMO_USER through
# the socket there. Parameters by environment: ROOT, DEMO, DEMO_USER, POSTGRESQL_PORT.

postgresql=$ROOT/.cache/debian/usr/lib/postgresql/15/bin

# postgresql_stamp FILE... is the stamp of data that were made by these files (database.sh).
postgresql_stamp() { stamp_of "$@" "$ROOT/deploy/lib/postgresql.sh" "$ROOT/.cache/debian/.stamps/postgresql-15"; }

# new_postgresql makes the data anew; the server must not run.
new_postgresql() {
	rm -rf "$DEMO/postgresql/data"
	"$postgresql/initdb" --pgdata="$DEMO/postgresql/data" --username="$DEMO_USER" --encoding=UTF8 --locale=C.UTF-8 \
		--auth-local=peer --auth-host=scram-sha-256 >"$DEMO/log/initdb.log" 2>&1 || {
		tail -n 20 "$DEMO/log/initdb.log" >&2
		return 1
	}
}

# run_postgresql becomes the server.
run_postgresql() {
	cp "$ROOT/deploy/lib/postgresql.conf" "$DEMO/postgresql/postgresql.conf"
	exec "$postgresql/postgres" -D "$DEMO/postgresql/data" -p "$POSTGRESQL_PORT" \
		-c "config_file=$DEMO/postgresql/postgresql.conf" -k "$DEMO/postgresql"
}

# sql DATABASE [OPTION...] runs statements as the administrator and prints what they return.
sql() {
	database=$1
	shift
	"$postgresql/psql" --quiet --no-psqlrc --host="$DEMO/postgresql" --port="$POSTGRESQL_PORT" \
		--username="$DEMO_USER" --dbname="$database" --set=ON_ERROR_STOP=1 "$@"
}

# lock_now_and_then DATABASE TABLE locks a table for 300 ms every 2 s, as a migration may, until it is ended.
lock_now_and_then() {
	echo "DO \$\$ BEGIN LOOP
		LOCK TABLE $2; PERFORM pg_sleep(0.3); COMMIT; PERFORM pg_sleep(1.7); COMMIT;
	END LOOP; END \$\$" | sql "$1"
}

# prepare_postgresql STEP PASSWORD SCHEMA SCRIPT is all that a prepare.sh does for a database of which SCHEMA makes
# everything, with the application's password, which is kept in the file PASSWORD. Step data comes before the server
# runs, load while it does; both do nothing when the stamp says that the same is there already.
prepare_postgresql() {
	stamp=$(postgresql_stamp "$3" "$4")
	kept_secret "$2" >/dev/null
	case $1 in
	data)
		! stamped "$DEMO/postgresql/stamp" "$stamp" || return 0
		rm -rf "$DEMO/postgresql/data" "$DEMO/postgresql/stamp"
		new_postgresql
		;;
	load)
		! stamped "$DEMO/postgresql/stamp" "$stamp" || return 0
		sql postgres --set=password="$(cat "$2")" --file="$3"
		echo "$stamp" >"$DEMO/postgresql/stamp"
		;;
	*)
		echo "usage: prepare.sh data|load" >&2
		return 2
		;;
	esac
}
