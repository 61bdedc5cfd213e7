#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs Tomcat in the foreground from $DEMO/tomcat, with the chosen collector.
set -eu
: "${DEMO:?run this through deploy/demo/demo.sh}"

base=$DEMO/tomcat

# serial: a heap that the live set nearly fills, so that there is no room to
# move the young ones to, and each collection is a full one that stops the
# program for 100 to 300 ms. One comes whenever the pages have filled YOUNG: the
# slower the machine, the longer they last and the rarer they are, and their
# share of the time stays.
# g1, parallel: room enough. G1 in the small heap would be no cure.
case $COLLECTOR in
serial) heap="-XX:+UseSerialGC -Xms$HEAP -Xmx$HEAP -Xmn$YOUNG" ;;
g1) heap="-XX:+UseG1GC -XX:MaxGCPauseMillis=20 -Xms1g -Xmx1g" ;;
parallel) heap="-XX:+UseParallelGC -Xms2g -Xmx2g" ;;
*)
	echo "COLLECTOR must be serial, g1 or parallel, not $COLLECTOR" >&2
	exit 2
	;;
esac

agent=$(LISTEN=127.0.0.1:$JMX_PORT "$ROOT/exporters/jmx/start.sh")

# $heap is a list of options.
# shellcheck disable=SC2086
exec "$JAVA_BIN/java" $heap "$agent" \
	"-Xlog:gc:file=$DEMO/log/gc.log:uptime,level:filecount=1,filesize=20m" \
	"-Xlog:safepoint:file=$DEMO/log/safepoints-%p.log:timemillis,level:filecount=1,filesize=20m" \
	-XX:MaxMetaspaceSize=128m -Xss256k \
	"-Dcatalina.home=/usr/share/tomcat10" "-Dcatalina.base=$base" "-Djava.io.tmpdir=$base/temp" \
	"-Djava.util.logging.config.file=$base/conf/logging.properties" \
	-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager \
	-cp /usr/share/tomcat10/bin/bootstrap.jar:/usr/share/tomcat10/bin/tomcat-juli.jar \
	org.apache.catalina.startup.Bootstrap start
