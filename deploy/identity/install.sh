#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the identity provider needs. HAProxy and PostgreSQL are unpacked rather than installed:
# installing them would start services. Keycloak's distribution comes from Maven's repository.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)

version=26.0.8 # the last series that runs on Java 17
sha256=8cf143b894afcf7d3be4549dc5af4790bda63bd471a5ac8e384094fb729e4b15

"$root/tools/apt.sh" libatomic1 libcrypt1 libgssapi-krb5-2 libicu72 libldap-2.5-0 liblua5.3-0 liblz4-1 \
	libopentracing-c-wrapper0 libpam0g libpcre2-8-0 libpq5 libssl3 libsystemd0 libxml2 libxslt1.1 libzstd1 maven \
	openjdk-17-jdk-headless python3 tzdata zlib1g
"$root/tools/debian.sh" haproxy postgresql-15 postgresql-client-15 >/dev/null

dir=$root/.cache/identity/keycloak-$version
[ ! -d "$dir" ] || exit 0
mkdir -p "$root/.cache/identity"
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy -DoutputDirectory="$root/.cache/identity" \
	-Dartifact="org.keycloak:keycloak-quarkus-dist:$version:tar.gz" >&2
archive=$root/.cache/identity/keycloak-quarkus-dist-$version.tar.gz
echo "$sha256  $archive" | sha256sum --check --status || {
	echo "install.sh: $archive is not what was expected" >&2
	exit 1
}
rm -rf "$dir.new"
mkdir "$dir.new"
tar -xzf "$archive" -C "$dir.new" --strip-components=1 --no-same-owner
rm -f "$archive"
mv "$dir.new" "$dir"
