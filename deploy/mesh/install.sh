#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the mesh needs: PostgreSQL, unpacked rather than installed (installing it would start a service),
# and the services, which are compiled.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)

"$root/tools/apt.sh" libgssapi-krb5-2 libicu72 libldap-2.5-0 liblz4-1 libpam0g libpq5 libssl3 libsystemd0 libxml2 \
	libxslt1.1 libzstd1 tzdata zlib1g
"$root/tools/debian.sh" postgresql-15 postgresql-client-15 >/dev/null
"$root/tools/go.sh"
mkdir -p "$root/.cache/mesh"
CGO_ENABLED=0 go build -C "$here" -trimpath -o "$root/.cache/mesh/mesh" .
for service in gateway catalog pricing rates; do
	ln -f "$root/.cache/mesh/mesh" "$root/.cache/mesh/$service"
done
