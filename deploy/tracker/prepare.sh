#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory (PostgreSQL must not run yet)
# prepare.sh load   lays out Redmine, makes its tables and writes its issues (PostgreSQL must run)
#
# Both do nothing when the stamp says that the same is there already. Parameters by environment: ROOT, DEMO (a directory
# with nginx/, puma/, redmine/, postgresql/, log/ that this account owns), DEMO_USER, POSTGRESQL_PORT.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
. "$ROOT/deploy/lib/postgresql.sh"
debian=$ROOT/.cache/debian
dir=$DEMO/postgresql
site=$DEMO/redmine/site
stamp=$(postgresql_stamp "$here"/redmine/* "$0" "$debian/.stamps/redmine")

# rake runs one of Redmine's tasks.
rake() {
	SCHEMA=/dev/null REDMINE_LANG=en RAILS_ENV=production bundle exec rake "$@" >>"$DEMO/log/setup.log" 2>&1 || {
		tail -n 20 "$DEMO/log/setup.log" >&2
		return 1
	}
}

case ${1:-} in
data)
	! stamped "$DEMO/redmine/stamp" "$stamp" || exit 0
	rm -rf "$dir/data" "$DEMO/redmine/stamp"
	new_postgresql
	;;
load)
	! stamped "$DEMO/redmine/stamp" "$stamp" || exit 0
	: >"$DEMO/log/setup.log"
	password=$(secret)
	echo 'DROP DATABASE IF EXISTS redmine' | sql postgres
	echo 'DROP ROLE IF EXISTS redmine' | sql postgres
	echo "CREATE ROLE redmine LOGIN PASSWORD '$password'" | sql postgres
	echo "CREATE DATABASE redmine OWNER redmine" | sql postgres
	rm -rf "$site"
	cp -r "$debian/usr/share/redmine" "$site"
	# Debian's instances are in /var/lib and /etc: here all is in one place.
	rm -f "$site/instances" "$site/Gemfile.lock"
	instance=$site/instances/default
	mkdir -p "$instance/config" "$instance/tmp" "$instance/log" "$instance/files" "$site/plugins"
	sed -e "s/@PASSWORD@/$password/" -e "s/@POSTGRESQL_PORT@/$POSTGRESQL_PORT/" "$here/redmine/database.yml" \
		>"$instance/config/database.yml"
	secret >"$instance/config/secret_key.txt"
	chmod 600 "$instance/config/"*
	cp "$here/redmine/Gemfile.local" "$site/"
	cp "$here/redmine/additional_environment.rb" "$site/config/"
	export HOME="$DEMO/redmine" THREADS=5
	cd "$site"
	bundle check >>"$DEMO/log/setup.log" 2>&1 # all of it is there as packages: this writes Gemfile.lock
	rake db:migrate
	rake redmine:load_default_data # in a process that knows the tables
	sql redmine --file="$here/redmine/fill.sql"
	echo "$stamp" >"$DEMO/redmine/stamp"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
