#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# configure.sh writes Gitea's configuration and prints its path. Parameters by environment: those of start.sh.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
file=$DEMO/gitea/app.ini
sed -e "s|@DEMO@|$DEMO|g" -e "s|@DEMO_USER@|$DEMO_USER|" -e "s|@STATIC@|$ROOT/.cache/forge/static|" \
	-e "s|@HTTPD_PORT@|$HTTPD_PORT|" -e "s|@GITEA_PORT@|$GITEA_PORT|" -e "s|@POSTGRESQL_PORT@|$POSTGRESQL_PORT|" \
	-e "s|@POOL@|$POOL|" -e "s|@JOBS@|$JOBS|" -e "s|@PASSWORD@|$(cat "$DEMO/gitea/password")|" "$here/gitea/app.ini" \
	>"$file"
echo "$file"
