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
. "$ROOT/deploy/lib/database.sh"

dir=$DEMO/mariadb
account=$ROOT/exporters/mysqld/account.sql
stamp=$(stamp_of "$here/schema.sql" "$here/accounts.sql" "$account" "$here/../dataset/main.go")

password() { kept_secret "$dir/$1.password"; }

case ${1:-} in
data)
	cp "$here/my.cnf" "$dir/my.cnf"
	! stamped "$dir/stamp" "$stamp" || exit 0
	rm -f "$dir/stamp"
	new_mariadb "$dir"
	;;
load)
	! stamped "$dir/stamp" "$stamp" || exit 0
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
