#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory (MariaDB must not run yet)
# prepare.sh load   installs MediaWiki's tables and writes its pages (MariaDB and Memcached must run)
#
# Both do nothing when the stamp says that the same is there already. Parameters by environment: ROOT, DEMO (a directory
# with mariadb/, httpd/, memcached/, wiki/, log/ that this account owns), DEMO_USER, HTTPD_PORT, MARIADB_PORT,
# MEMCACHED_PORT.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
debian=$ROOT/.cache/debian
dir=$DEMO/mariadb
wiki=$DEMO/wiki
stamp=$(stamp_of "$here"/mediawiki/* "$here/php.ini" "$0" "$debian/.stamps/mediawiki")

# php runs one of MediaWiki's maintenance scripts.
php() {
	script=$1
	shift
	PHP_INI_SCAN_DIR='' MW_INSTALL_PATH=$debian/usr/share/mediawiki "$debian/usr/bin/php8.2" -c "$DEMO/httpd/php.ini" \
		"$script" "$@" >>"$DEMO/log/setup.log" 2>&1 || {
		tail -n 20 "$DEMO/log/setup.log" >&2
		return 1
	}
}

case ${1:-} in
data)
	cp "$ROOT/deploy/demo/mariadb/my.cnf" "$dir/my.cnf"
	extensions=$(dirname "$(find "$debian/usr/lib/php" -name mysqli.so | head -n 1)")
	sed "s|@EXTENSIONS@|$extensions|" "$here/php.ini" >"$DEMO/httpd/php.ini"
	! stamped "$wiki/stamp" "$stamp" || exit 0
	rm -f "$wiki/stamp"
	new_mariadb "$dir"
	;;
load)
	! stamped "$wiki/stamp" "$stamp" || exit 0
	password=$(secret)
	mariadb --no-defaults --user="$DEMO_USER" --socket="$dir/socket" <<-END
		CREATE OR REPLACE DATABASE wiki CHARACTER SET binary;
		CREATE OR REPLACE USER 'wiki'@'127.0.0.1' IDENTIFIED BY '$password';
		GRANT ALL ON wiki.* TO 'wiki'@'127.0.0.1';
	END
	: >"$DEMO/log/setup.log"
	rm -rf "$wiki/installed" "$wiki/cache" "$wiki/LocalSettings.php"
	mkdir -p "$wiki/installed" "$wiki/cache"
	maintenance=$debian/usr/share/mediawiki/maintenance
	# Nobody knows the administrator's password: nobody has to log in.
	php "$maintenance/install.php" --confpath="$wiki/installed" --server="http://127.0.0.1:$HTTPD_PORT" --scriptpath= \
		--dbtype=mysql --dbserver="127.0.0.1:$MARIADB_PORT" --dbname=wiki --dbuser=wiki --dbpass="$password" \
		--pass="$(secret)" Wiki Admin
	sed -e "s/@PASSWORD@/$password/g" -e "s/@HTTPD_PORT@/$HTTPD_PORT/" \
		-e "s/@MARIADB_PORT@/$MARIADB_PORT/" -e "s/@MEMCACHED_PORT@/$MEMCACHED_PORT/" \
		"$here/mediawiki/LocalSettings.php" >"$wiki/LocalSettings.php"
	chmod 600 "$wiki/LocalSettings.php"
	export MW_CONFIG_FILE="$wiki/LocalSettings.php"
	php "$maintenance/rebuildLocalisationCache.php" --lang=en
	php "$here/mediawiki/fill.php"
	php "$maintenance/runJobs.php"
	php "$maintenance/initSiteStats.php" --update
	mariadb --no-defaults --user="$DEMO_USER" --socket="$dir/socket" wiki \
		-e "ANALYZE TABLE page, revision, pagelinks" >/dev/null
	echo "$stamp" >"$wiki/stamp"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
