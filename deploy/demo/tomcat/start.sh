#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs Tomcat in the foreground from $DEMO/tomcat, with the chosen collector.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "${PARAMS:-$here/../params.sh}"

base=$DEMO/tomcat

# serial: a heap that the live set nearly fills, so that the collector stops
# the program for 50 to 300 ms about every second.
# g1, parallel: room enough. G1 in the small heap would be no cure.
case $COLLECTOR in
serial) heap="-XX:+UseSerialGC -Xms${HEAP:-150m} -Xmx${HEAP:-150m} -Xmn${YOUNG:-32m}" ;;
g1) heap="-XX:+UseG1GC -Xms1g -Xmx1g" ;;
parallel) heap="-XX:+UseParallelGC -Xms2g -Xmx2g" ;;
*)
	echo "COLLECTOR must be serial, g1 or parallel, not $COLLECTOR" >&2
	exit 2
	;;
esac

agent=
[ -z "${JMX_AGENT:-}" ] || agent="-javaagent:$JMX_AGENT=$HOST:$JMX_PORT:$base/conf/jmx.yml"

# $heap and $agent hold options without spaces.
# shellcheck disable=SC2086
exec java $heap $agent \
	"-Xlog:gc:file=$DEMO/log/gc.log:uptime,level:filecount=1,filesize=20m" \
	-XX:TieredStopAtLevel=4 -XX:MaxMetaspaceSize=128m -Xss256k \
	"-Dcatalina.home=/usr/share/tomcat10" "-Dcatalina.base=$base" "-Djava.io.tmpdir=$base/temp" \
	"-Djava.util.logging.config.file=$base/conf/logging.properties" \
	-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager \
	"-Dbboard.ajp.port=$AJP_PORT" "-Dbboard.threads=$THREADS" "-Dbboard.pool=$POOL" \
	"-Dbboard.db.port=$MARIADB_PORT" "-Dbboard.db.password=$(cat "$DEMO/mariadb/bboard.password")" \
	"-Dbboard.live.mb=$LIVE_MB" \
	-cp /usr/share/tomcat10/bin/bootstrap.jar:/usr/share/tomcat10/bin/tomcat-juli.jar \
	org.apache.catalina.startup.Bootstrap start
