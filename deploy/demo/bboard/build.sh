#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh DIR compiles the bulletin board into an exploded web application.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${1:?usage: build.sh DIR}

mkdir -p "$out/WEB-INF/classes"
cp "$here/WEB-INF/web.xml" "$out/WEB-INF/web.xml"
# Nothing to do when the classes are newer than every source.
if [ -e "$out/WEB-INF/classes/bboard/Page.class" ] &&
	[ -z "$(find "$here/src" -name '*.java' -newer "$out/WEB-INF/classes/bboard/Page.class")" ]; then
	exit 0
fi
"${JAVA_BIN:+$JAVA_BIN/}javac" --release 17 -Xlint:all,-serial -Werror -cp /usr/share/java/tomcat10-servlet-api.jar \
	-d "$out/WEB-INF/classes" "$here"/src/bboard/*.java
