#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the help desk needs. nginx, uWSGI, PgBouncer and PostgreSQL are unpacked rather than installed:
# installing them would start services. Django and django-helpdesk come from PyPI, into a directory of their own.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)

"$root/tools/apt.sh" libc-ares2 libcap2 libcrypt1 libevent-2.1-7 libgssapi-krb5-2 libicu72 libjansson4 libldap-2.5-0 \
	liblz4-1 libpam0g libpcre2-8-0 libpcre3 libpq5 libpython3.11 libssl3 libsystemd0 libuuid1 libxml2 libxslt1.1 \
	libyajl2 libzstd1 python3 python3-pip tzdata zlib1g
"$root/tools/debian.sh" nginx nginx-common uwsgi-core uwsgi-plugin-python3 pgbouncer postgresql-15 \
	postgresql-client-15 >/dev/null

dir=$root/.cache/desk/packages
stamp=$(sha256sum "$here/requirements.txt")
[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
rm -rf "$dir"
mkdir -p "$dir"
/usr/bin/python3 -m pip install --quiet --no-deps --root-user-action ignore --target "$dir" \
	--requirement "$here/requirements.txt" >&2
echo "$stamp" >"$dir/stamp"
