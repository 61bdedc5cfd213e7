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
