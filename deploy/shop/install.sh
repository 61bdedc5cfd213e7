#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the shop needs. HAProxy, Redis and PostgreSQL are unpacked rather than installed: installing them
# would start services. Their libraries, and Python's, are installed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" gunicorn python3-flask python3-psycopg python3-psycopg-pool python3-redis tzdata \
	libatomic1 libcrypt1 libgssapi-krb5-2 libicu72 libjemalloc2 libldap-2.5-0 liblua5.1-0 liblua5.3-0 liblz4-1 liblzf1 \
	libopentracing-c-wrapper0 libpam0g libpcre2-8-0 libpq5 libssl3 libsystemd0 libxml2 libxslt1.1 libzstd1 \
	lua-bitop lua-cjson zlib1g
"$root/tools/debian.sh" haproxy redis-tools redis-server postgresql-15 postgresql-client-15 >/dev/null
