#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data   makes the database's directory and the passwords (PostgreSQL must not run yet)
# prepare.sh load   makes the tables and their rows (PostgreSQL must run)
#
# Both do nothing when the stamp says that the same is there already. Parameters by environment: ROOT, DEMO (a directory
# with nginx/, java/, redis/, postgresql/, log/ that this account owns), DEMO_USER, POSTGRESQL_PORT.
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
. "$ROOT/deploy/lib/postgresql.sh"
prepare_postgresql "${1:-}" "$DEMO/java/password" "$here/schema.sql" "$0"
