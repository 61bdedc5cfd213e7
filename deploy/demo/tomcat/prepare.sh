#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lays out and fills in Tomcat's base directory in $DEMO/tomcat and compiles the application.
set -eu
umask 027
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?run this through deploy/demo/demo.sh}"

base=$DEMO/tomcat
mkdir -p "$base/conf" "$base/lib" "$base/temp" "$base/webapps/bboard"
cp "$here/server.xml" "$here/logging.properties" "$base/conf/"
# In a file, because a command line shows the password to everyone.
cat >"$base/conf/catalina.properties" <<END
common.loader="\${catalina.base}/lib/*.jar","\${catalina.home}/lib/*.jar"
server.loader=
shared.loader=
bboard.ajp.port=$AJP_PORT
bboard.threads=$THREADS
bboard.pool=$POOL
bboard.live.mb=$LIVE_MB
bboard.hold.ms=$HOLD
bboard.outside.ms=$OUTSIDE
bboard.collect.share=$COLLECT
bboard.compute.mb=$COMPUTE
bboard.db.port=$MARIADB_PORT
bboard.db.password=$(cat "$DEMO/mariadb/bboard.password")
END
printf '<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"/>\n' >"$base/conf/web.xml"
ln -sf /usr/share/java/mariadb-java-client.jar "$base/lib/mariadb-java-client.jar"
"$here/../bboard/build.sh" "$base/webapps/bboard"
