#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory, the mailboxes and the secrets (MariaDB must not run yet)
# prepare.sh load   lays out Roundcube and its tables (MariaDB must run)
# prepare.sh login  logs everybody in and makes nginx remember the sessions (all servers must run)
#
# All do nothing when the stamp says that the same is there already. Parameters by environment: ROOT, DEMO (a directory
# with mariadb/, nginx/, fpm/, dovecot/, site/, log/ that this account owns), DEMO_USER, MARIADB_PORT, IMAP_PORT,
# NGINX_PORT.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
debian=$ROOT/.cache/debian
mailboxes=20
messages=3000
stamp=$(cat "$here/config.inc.php" "$here/fill.py" "$here/php.ini" "$0" "$debian/.stamps/roundcube-core" \
	"$debian/.stamps/dovecot-core" | sha256sum | cut -c1-16)
[ "$(cat "$DEMO/site/stamp" 2>/dev/null)" != "$stamp" ] || exit 0

# fetch asks Roundcube for a page with the cookies of one session.
fetch() {
	curl --silent --show-error --fail --cookie "$cookies" --cookie-jar "$cookies" "$@"
}

# found prints what a page says of the request's token.
found() {
	sed -n "s/.*$1\"*[:=]\"*\([A-Za-z0-9]*\)\".*/\1/p" | head -n 1
}

case ${1:-} in
data)
	cp "$ROOT/deploy/demo/mariadb/my.cnf" "$DEMO/mariadb/my.cnf"
	rm -rf "$DEMO/dovecot/mail" "$DEMO/nginx/sessions" "$DEMO/nginx/tokens"
	new_mariadb "$DEMO/mariadb"
	/usr/bin/python3 "$here/fill.py" "$DEMO/dovecot/mail" "$mailboxes" "$messages"
	kept_secret "$DEMO/dovecot/password" >/dev/null
	extensions=$(dirname "$(find "$debian/usr/lib/php" -name pdo_mysql.so | head -n 1)")
	sed -e "s|@EXTENSIONS@|$extensions|" -e "s|@DEBIAN@|$debian|" -e "s|@DEMO@|$DEMO|" "$here/php.ini" \
		>"$DEMO/fpm/php.ini"
	echo "<?php define('INSTALL_PATH', '$DEMO/site/');" >"$DEMO/fpm/place.php"
	;;
load)
	password=$(secret)
	rm -rf "${DEMO:?}/site/"*
	cp -r "$debian/usr/share/roundcube/." "$DEMO/site"
	rm -rf "$DEMO/site/installer"
	mkdir -p "$DEMO/site/config" "$DEMO/site/logs" "$DEMO/site/temp"
	cp "$debian/etc/roundcube/defaults.inc.php" "$debian/etc/roundcube/mimetypes.php" "$DEMO/site/config"
	sed -e "s/@PASSWORD@/$password/" -e "s/@MARIADB_PORT@/$MARIADB_PORT/" -e "s/@IMAP_PORT@/$IMAP_PORT/" \
		-e "s/@KEY@/$(secret | cut -c1-24)/" "$here/config.inc.php" >"$DEMO/site/config/config.inc.php"
	mariadb --no-defaults --user="$DEMO_USER" --socket="$DEMO/mariadb/socket" <<-END
		CREATE OR REPLACE DATABASE roundcube CHARACTER SET utf8mb4;
		CREATE OR REPLACE USER 'roundcube'@'127.0.0.1' IDENTIFIED BY '$password';
		GRANT ALL ON roundcube.* TO 'roundcube'@'127.0.0.1';
	END
	mariadb --no-defaults --user="$DEMO_USER" --socket="$DEMO/mariadb/socket" roundcube \
		<"$DEMO/site/SQL/mysql.initial.sql"
	;;
login)
	cookies=$DEMO/nginx/cookies
	url=http://127.0.0.1:$NGINX_PORT/
	rm -f "$DEMO/nginx/sessions" "$DEMO/nginx/tokens"
	for box in $(seq "$mailboxes"); do
		rm -f "$cookies"
		token=$(fetch "$url?_task=login" | found request_token)
		fetch --output /dev/null --data "_task=login&_action=login&_user=user$box" --data "_token=$token" \
			--data-urlencode "_pass=$(cat "$DEMO/dovecot/password")" "$url?_task=login"
		token=$(fetch "$url?_task=mail" | found request_token)
		awk -v box="$box" '/roundcube_sess/ { jar = jar $6 "=" $7 "; " } END { print box " \"" jar "\";" }' "$cookies" \
			>>"$DEMO/nginx/sessions"
		echo "$box $token;" >>"$DEMO/nginx/tokens"
	done
	kill -HUP "$(cat "$DEMO/nginx/pid")"
	echo "$stamp" >"$DEMO/site/stamp"
	;;
*)
	echo "usage: prepare.sh data|load|login" >&2
	exit 2
	;;
esac
