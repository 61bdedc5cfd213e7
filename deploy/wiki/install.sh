#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the wiki needs. MediaWiki, PHP and Memcached are unpacked rather than installed: installing them
# would change the machine's own Apache or start services. Their libraries are installed; Apache's and MariaDB's
# packages are the bare programs.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" apache2-bin mariadb-server-core mariadb-client-core \
	libargon2-1 libcrypt1 libevent-2.1-7 libicu72 libonig5 libpcre2-8-0 libsasl2-2 libsodium23 libssl3 libxml2 zlib1g
"$root/tools/debian.sh" mediawiki mediawiki-classes libapache2-mod-php8.2 php8.2-cli php8.2-common php8.2-mysql \
	php8.2-opcache php8.2-intl php8.2-mbstring php8.2-xml php8.2-apcu memcached >/dev/null
