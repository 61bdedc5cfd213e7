#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory and the password (PostgreSQL must not run yet)
# prepare.sh load   lets Gitea make its tables, fills them, and makes the repositories (PostgreSQL must run)
# prepare.sh hide   hides all issues from a Gitea that is about to start: it would read each of them, for an index that
#                   is not there; INDEX=1 leaves it to do so
# prepare.sh hold   shows them again (Gitea must run), and makes every statement that reads issues wait for HOLD
#                   milliseconds without computing (0: none)
#
# data and load do nothing when the stamp says that the same is there already. Parameters by environment: ROOT, DEMO (a
# directory with httpd/, gitea/, postgresql/, log/ that this account owns), DEMO_USER, POSTGRESQL_PORT and those of
# start.sh.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
. "$ROOT/deploy/lib/postgresql.sh"
forge=$ROOT/.cache/forge
dir=$DEMO/postgresql
repositories=$DEMO/gitea/repositories
stamp=$(postgresql_stamp "$here/gitea/fill.sql" "$0" "$forge/version")

(umask 077 && kept_secret "$DEMO/gitea/password" >/dev/null)

# hold makes statements that read issues wait for so many milliseconds, or find none where that is below zero.
hold() {
	echo "UPDATE pause SET milliseconds = $1" | sql forge
	if [ "$1" -eq 0 ]; then
		echo 'ALTER TABLE issue DISABLE ROW LEVEL SECURITY' | sql forge
	else
		echo 'ALTER TABLE issue ENABLE ROW LEVEL SECURITY' | sql forge
	fi
}

# asks reports whether Gitea has sent a statement within the last second.
asks() {
	[ -n "$(sql forge --tuples-only --no-align --command="SELECT pid FROM pg_stat_activity
			WHERE usename = 'forge' AND (state <> 'idle' OR query_start > now() - interval '1 second')")" ]
}

# template makes a repository of 40 commits and 20 files, always the same.
template() {
	rm -rf "$1"
	git init --quiet --bare --initial-branch=main "$1"
	for n in $(seq 40); do
		printf 'commit refs/heads/main\ncommitter User <user%d@localhost> %d +0000\n' "$n" $((1700000000 + 3600 * n))
		printf 'data <<END\nChange number %d\nEND\n' "$n"
		file=README.md
		[ "$n" -eq 1 ] || file=part$((n % 4))/file$((n % 20)).go
		printf 'M 644 inline %s\ndata <<END\n# Number %d\n\n' "$file" "$n"
		seq -f "Line %g of **what** is in \`file\` number $n, with [a link](https://localhost/$n)." 60
		printf 'END\n'
	done | git --git-dir="$1" fast-import --quiet
}

case ${1:-} in
data)
	! stamped "$DEMO/gitea/stamp" "$stamp" || exit 0
	rm -rf "$dir/data" "$DEMO/gitea/stamp"
	new_postgresql
	;;
load)
	! stamped "$DEMO/gitea/stamp" "$stamp" || exit 0
	: >"$DEMO/log/setup.log"
	sql postgres --set=password="$(cat "$DEMO/gitea/password")" <<-'END'
		DROP DATABASE IF EXISTS forge;
		DROP ROLE IF EXISTS forge;
		CREATE ROLE forge LOGIN PASSWORD :'password';
		CREATE DATABASE forge OWNER forge;
	END
	rm -rf "$DEMO/gitea/data" "$repositories"
	export HOME="$DEMO/gitea" GIT_CONFIG_NOSYSTEM=1
	"$forge/gitea" migrate --config "$("$here/configure.sh")" >>"$DEMO/log/setup.log" 2>&1 || {
		tail -n 20 "$DEMO/log/setup.log" >&2
		exit 1
	}
	sql forge --file="$here/gitea/fill.sql"
	template "$DEMO/gitea/template"
	for n in $(seq 50); do
		mkdir -p "$repositories/user$n"
		cp -r "$DEMO/gitea/template" "$repositories/user$n/project.git"
	done
	echo "$stamp" >"$DEMO/gitea/stamp"
	;;
hide)
	[ "$INDEX" -ne 0 ] || HOLD=-1
	hold "$HOLD"
	;;
hold)
	# Not before Gitea has looked for issues: then it asks nothing for a second.
	for _ in $(seq $((INDEX ? 0 : 100))); do
		asks || break
		sleep 0.2
	done
	hold "$HOLD"
	;;
*)
	echo "usage: prepare.sh data|load|hide|hold" >&2
	exit 2
	;;
esac
