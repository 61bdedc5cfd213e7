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
debian=$ROOT/.cache/debian
postgresql=$debian/usr/lib/postgresql/15/bin
dir=$DEMO/postgresql
site=$DEMO/redmine/site
stamp=$(cat "$here"/redmine/* "$0" "$debian/.stamps/redmine" "$debian/.stamps/postgresql-15" | sha256sum | cut -c1-16)

# sql runs statements as the database's administrator.
sql() {
	"$postgresql/psql" --quiet --no-psqlrc --host="$dir" --port="$POSTGRESQL_PORT" --username="$DEMO_USER" \
		--set=ON_ERROR_STOP=1 "$@" >>"$DEMO/log/setup.log"
}

# rake runs one of Redmine's tasks.
rake() {
	SCHEMA=/dev/null REDMINE_LANG=en RAILS_ENV=production bundle exec rake "$@" >>"$DEMO/log/setup.log" 2>&1 || {
		tail -n 20 "$DEMO/log/setup.log" >&2
		return 1
	}
}

case ${1:-} in
data)
	[ "$(cat "$DEMO/redmine/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
	rm -rf "$dir/data" "$DEMO/redmine/stamp"
	new_postgresql "$postgresql" "$dir" "$DEMO/log/initdb.log"
	;;
load)
	[ "$(cat "$DEMO/redmine/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
	: >"$DEMO/log/setup.log"
	password=$(secret)
	echo 'DROP DATABASE IF EXISTS redmine' | sql --dbname=postgres
	echo 'DROP ROLE IF EXISTS redmine' | sql --dbname=postgres
	echo "CREATE ROLE redmine LOGIN PASSWORD '$password'" | sql --dbname=postgres
	echo "CREATE DATABASE redmine OWNER redmine" | sql --dbname=postgres
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
	bundle install --local --quiet >>"$DEMO/log/setup.log" 2>&1
	rake db:migrate
	rake redmine:load_default_data # in a process that knows the tables
	sql --dbname=redmine --file="$here/redmine/fill.sql"
	echo "$stamp" >"$DEMO/redmine/stamp"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
