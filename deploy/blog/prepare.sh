#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory (MariaDB must not run yet)
# prepare.sh load   lays out WordPress, installs it and writes its posts (MariaDB must run)
#
# Both do nothing when the stamp says that the same is there already. Parameters by environment: ROOT, DEMO (a directory
# with mariadb/, nginx/, fpm/, log/, site/ that this account owns), DEMO_USER, MARIADB_PORT, NGINX_PORT.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
debian=$ROOT/.cache/debian
dir=$DEMO/mariadb
stamp=$(stamp_of "$here"/wordpress/* "$here/php.ini" "$0" "$debian/.stamps/wordpress")

case ${1:-} in
data)
	cp "$ROOT/deploy/demo/mariadb/my.cnf" "$dir/my.cnf"
	extensions=$(dirname "$(find "$debian/usr/lib/php" -name mysqli.so | head -n 1)")
	sed "s|@EXTENSIONS@|$extensions|" "$here/php.ini" >"$DEMO/fpm/php.ini"
	! stamped "$DEMO/fpm/stamp" "$stamp" || exit 0
	rm -f "$DEMO/fpm/stamp"
	new_mariadb "$dir"
	;;
load)
	! stamped "$DEMO/fpm/stamp" "$stamp" || exit 0
	password=$(secret)
	mariadb --no-defaults --user="$DEMO_USER" --socket="$dir/socket" <<-END
		CREATE OR REPLACE DATABASE blog CHARACTER SET utf8mb4;
		CREATE OR REPLACE USER 'blog'@'127.0.0.1' IDENTIFIED BY '$password';
		CREATE OR REPLACE USER 'blog'@'localhost' IDENTIFIED BY '$password';
		GRANT ALL ON blog.* TO 'blog'@'127.0.0.1', 'blog'@'localhost';
	END
	site=$DEMO/site
	rm -rf "${site:?}"/* "$site/.htaccess"
	# Debian replaces some files by links into other packages; those that are not here are for administrators.
	cp -r "$debian/usr/share/wordpress/." "$site"
	rm -f "$site/.htaccess"
	mkdir -p "$site/wp-content/mu-plugins" "$site/wp-content/themes"
	theme=$(find "$debian" -type d -name twentytwentyone -path '*/themes/*' | head -n 1)
	cp -r "$theme" "$site/wp-content/themes/"
	for file in "$debian"/usr/share/php/getid3/*; do
		ln -sf "$file" "$site/wp-includes/ID3/"
	done
	cp "$here/wordpress/slow.php" "$site/wp-content/mu-plugins/"
	sed -e "s/@PASSWORD@/$password/g" -e "s/@MARIADB_PORT@/$MARIADB_PORT/" -e "s/@NGINX_PORT@/$NGINX_PORT/" \
		"$here/wordpress/wp-config.php" >"$site/wp-config.php"
	chmod 600 "$site/wp-config.php"
	PHP_INI_SCAN_DIR='' "$debian/usr/bin/php8.2" -c "$DEMO/fpm/php.ini" "$here/wordpress/setup.php" "$site" \
		>"$DEMO/log/setup.log" 2>&1 || {
		tail -n 20 "$DEMO/log/setup.log" >&2
		exit 1
	}
	mariadb --no-defaults --user="$DEMO_USER" --socket="$dir/socket" blog \
		-e "ANALYZE TABLE wp_posts, wp_comments, wp_term_relationships" >/dev/null
	echo "$stamp" >"$DEMO/fpm/stamp"
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
