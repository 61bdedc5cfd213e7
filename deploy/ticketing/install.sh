#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the ticketing needs. Redis, PostgreSQL, RabbitMQ and Erlang are unpacked rather than installed:
# installing them would start services. Their libraries, and Python's, are installed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" python3-aio-pika python3-asyncpg python3-fastapi python3-httptools python3-redis python3-uvloop \
	uvicorn tzdata libatomic1 libcrypt1 libgssapi-krb5-2 libicu72 libjemalloc2 libldap-2.5-0 liblua5.1-0 liblz4-1 \
	liblzf1 libncursesw6 libpam0g libpq5 libssl3 libsystemd0 libtinfo6 libxml2 libxslt1.1 libzstd1 lua-bitop lua-cjson \
	zlib1g
"$root/tools/debian.sh" redis-tools redis-server postgresql-15 postgresql-client-15 >/dev/null
"$root/deploy/lib/install-rabbitmq.sh"
