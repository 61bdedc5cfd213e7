#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the blog needs. nginx and PHP-FPM are unpacked rather than installed: installing them would start
# services. Their libraries are installed; MariaDB's packages are the bare programs.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" ca-certificates curl mariadb-server-core mariadb-client-core \
	libacl1 libapparmor1 libargon2-1 libcrypt1 libpcre2-8-0 libsodium23 libssl3 libsystemd0 libxml2 zlib1g
"$root/tools/debian.sh" nginx nginx-common php8.2-fpm php8.2-cli php8.2-common php8.2-mysql php8.2-opcache php-getid3 \
	wordpress wordpress-theme-twentytwentyone >/dev/null
