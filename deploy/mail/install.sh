#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the webmail needs. nginx, PHP-FPM and Dovecot are unpacked rather than installed: installing them
# would start services. Their libraries are installed; MariaDB's packages are the bare programs.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" ca-certificates curl mariadb-server-core mariadb-client-core libacl1 libapparmor1 libargon2-1 \
	libbz2-1.0 libcap2 libcrypt1 libexttextcat-2.0-0 libicu72 liblua5.4-0 liblz4-1 libmagic1 libonig5 libpam0g \
	libpcre2-8-0 libsodium23 libssl3 libstemmer0d libsystemd0 libtirpc3 libunwind8 libwrap0 libxml2 libzstd1 python3 \
	zlib1g
"$root/tools/debian.sh" nginx nginx-common php8.2-fpm php8.2-cli php8.2-common php8.2-intl php8.2-mbstring \
	php8.2-mysql php8.2-opcache php8.2-xml php-pear php-auth-sasl php-mail-mime php-net-smtp php-net-sieve \
	php-net-socket php-masterminds-html5 php-guzzlehttp-guzzle php-guzzlehttp-promises php-guzzlehttp-psr7 \
	php-getallheaders php-symfony-deprecation-contracts php-psr-http-client php-psr-http-factory php-psr-http-message \
	roundcube-core dovecot-core dovecot-auth-lua dovecot-imapd >/dev/null
# Dovecot looks for its modules there alone.
if [ ! -e /usr/lib/dovecot ] || [ -L /usr/lib/dovecot ]; then
	ln -sfn "$root/.cache/debian/usr/lib/dovecot" /usr/lib/dovecot
fi
