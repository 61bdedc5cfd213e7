#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory, the password and Ghost's own (MariaDB must not run yet)
# prepare.sh load   has Ghost make its tables, and writes posts (MariaDB must run)
#
# What the stamp says to be there already is left as it is, but for how long MariaDB takes for what Ghost asks: with
# HOLD, the tags of posts come after so many milliseconds, in which MariaDB has nothing to compute. Parameters by
# environment: ROOT, DEMO (a directory with varnish/, ghost/, mariadb/, log/ that this account owns), DEMO_USER,
# MARIADB_PORT, HOLD, and those of start.sh.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
dir=$DEMO/mariadb
stamp=$(stamp_of "$here/fill.sql" "$0" "$ROOT/.cache/magazine/stamp")

sql() { mariadb_as_administrator "$dir" "$@"; }

# made waits until Ghost, which is on its way, has made its tables and answers.
made() {
	for _ in $(seq 240); do
		kill -0 "$1" || return 1
		! curl --silent --fail --output /dev/null "http://127.0.0.1:$NODE_PORT/rss/" || return 0
		sleep 0.5
	done
	return 1
}

case ${1:-} in
data)
	cp "$ROOT/deploy/demo/mariadb/my.cnf" "$dir/my.cnf"
	! stamped "$dir/stamp" "$stamp" || exit 0
	rm -rf "$dir/stamp" "$DEMO/ghost/content"
	kept_secret "$DEMO/ghost/password" >/dev/null
	cp -r "$ROOT/.cache/magazine/package/content" "$DEMO/ghost/content"
	new_mariadb "$dir"
	;;
load)
	if ! stamped "$dir/stamp" "$stamp"; then
		sql <<-END
			CREATE OR REPLACE DATABASE ghost CHARACTER SET utf8mb4;
			CREATE OR REPLACE USER 'ghost'@'127.0.0.1' IDENTIFIED BY '$(cat "$DEMO/ghost/password")';
			GRANT ALL ON ghost.* TO 'ghost'@'127.0.0.1';
		END
		"$here/start.sh" node >"$DEMO/log/setup.log" 2>&1 &
		made $! || {
			tail -n 20 "$DEMO/log/setup.log" >&2
			exit 1
		}
		kill $!
		wait $! || true
		sql ghost <"$here/fill.sql"
		sql ghost --execute='ANALYZE TABLE posts, posts_tags, posts_authors, tags' >/dev/null
		sql ghost --execute='RENAME TABLE tags TO tags_of_posts'
		echo "$stamp" >"$dir/stamp"
	fi
	sql ghost --execute="CREATE OR REPLACE VIEW tags AS SELECT t.* FROM tags_of_posts t
		JOIN (SELECT SLEEP($HOLD / 1000) AS slept) wait ON slept = 0"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
