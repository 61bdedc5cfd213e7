#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the news site needs. nginx, PostgreSQL and Memcached are unpacked rather than installed:
# installing them would start services. Their libraries are installed.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)

"$root/tools/apt.sh" libcrypt1 libevent-2.1-7 libgssapi-krb5-2 libicu72 libldap-2.5-0 liblz4-1 libpam0g libpcre2-8-0 \
	libpq5 libsasl2-2 libssl3 libsystemd0 libxml2 libxslt1.1 libzstd1 tzdata zlib1g
"$root/tools/debian.sh" nginx nginx-common postgresql-15 postgresql-client-15 memcached >/dev/null
"$root/tools/node.sh"
PATH=$PATH:$root/.cache/node/bin
site=$root/.cache/news
if ! cmp -s "$here/package-lock.json" "$site/package-lock.json"; then
	mkdir -p "$site"
	cp "$here/package.json" "$site/"
	cp "$here/package-lock.json" "$site/package-lock.json.new"
	(cd "$site" && cp package-lock.json.new package-lock.json &&
		npm ci --ignore-scripts --no-audit --no-fund --silent) || {
		rm -f "$site/package-lock.json"
		exit 1
	}
fi
# Modules are looked for beside the program.
cp "$here/news.js" "$site/"
