#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the data directory (MariaDB must not run yet)
# prepare.sh load   creates accounts and tables and loads the rows (it must run)
#
# Both do nothing when the stamp says that the same data are there already.
set -eu
umask 027
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?run this through deploy/demo/demo.sh}"

dir=$DEMO/mariadb
account=$ROOT/exporters/mysqld/account.sql
stamp=$(cat "$here/schema.sql" "$here/accounts.sql" "$account" "$here/../dataset/main.go" | sha256sum | cut -c1-16)

# Passwords are made per installation: nothing to guess in the repository.
password() {
	[ -s "$dir/$1.password" ] || od -An -N18 -tx1 /dev/urandom | tr -d ' \n' >"$dir/$1.password"
	cat "$dir/$1.password"
}

case ${1:-} in
data)
	cp "$here/my.cnf" "$dir/my.cnf"
	[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
	rm -rf "$dir/data" "$dir/stamp"
	mariadb-install-db --no-defaults --datadir="$dir/data" --user="$DEMO_USER" \
		--auth-root-authentication-method=socket --auth-root-socket-user="$DEMO_USER" \
		--skip-test-db --skip-name-resolve >"$dir/install.log" 2>&1 || {
		tail -n 20 "$dir/install.log" >&2
		exit 1
	}
	;;
load)
	[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
	mkdir -p "$dir/tsv"
	"$DEMO/bin/dataset" -dir "$dir/tsv"
	client="mariadb --no-defaults --user=$DEMO_USER --socket=$dir/socket --local-infile=1"
	$client <"$here/schema.sql"
	for table in authors stories comments; do
		$client bboard -e "TRUNCATE $table; LOAD DATA LOCAL INFILE '$dir/tsv/$table.tsv' INTO TABLE $table; ANALYZE TABLE $table" >/dev/null
	done
	sed -e "s/@BBOARD_PASSWORD@/$(password bboard)/" -e "s/@EXPORTER_PASSWORD@/$(password exporter)/" \
		"$here/accounts.sql" "$account" | $client
	printf '[client]\nhost=127.0.0.1\nport=%s\nuser=exporter\npassword=%s\n' \
		"$MARIADB_PORT" "$(password exporter)" >"$dir/exporter.cnf"
	rm -rf "$dir/tsv"
	echo "$stamp" >"$dir/stamp"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
