#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the chat needs. nginx and PostgreSQL are unpacked rather than installed: installing them would
# start services. Synapse comes from PyPI, into a directory of its own.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)

"$root/tools/apt.sh" libcrypt1 libgssapi-krb5-2 libicu72 libldap-2.5-0 liblz4-1 libpam0g libpcre2-8-0 libssl3 \
	libsystemd0 libxml2 libxslt1.1 libzstd1 openssl python3 python3-pip tzdata zlib1g
"$root/tools/debian.sh" nginx nginx-common postgresql-15 postgresql-client-15 >/dev/null

dir=$root/.cache/chat/packages
stamp=$(sha256sum <"$here/requirements.txt")
[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
rm -rf "$dir"
mkdir -p "$dir"
/usr/bin/python3 -m pip install --quiet --no-deps --root-user-action ignore --target "$dir" \
	--requirement "$here/requirements.txt" >&2
echo "$stamp" >"$dir/stamp"
