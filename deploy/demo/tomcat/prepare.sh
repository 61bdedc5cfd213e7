#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lays out Tomcat's base directory in $DEMO/tomcat and compiles the application.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "${PARAMS:-$here/../params.sh}"

base=$DEMO/tomcat
mkdir -p "$base/conf" "$base/lib" "$base/temp" "$base/webapps/bboard"
cp "$here/server.xml" "$here/logging.properties" "$base/conf/"
printf '<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"/>\n' >"$base/conf/web.xml"
ln -sf /usr/share/java/mariadb-java-client.jar "$base/lib/mariadb-java-client.jar"
"$here/../bboard/build.sh" "$base/webapps/bboard"
