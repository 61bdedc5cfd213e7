#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the forge needs. Gitea is compiled from its module as it is, with the versions that its own
# go.mod names; it reads templates and words from files. PostgreSQL is unpacked rather than installed, since installing
# it would start a service; Apache's package is the bare program.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
version=v1.26.0
sum=h1:fJP9dqLbzKrKWUVnCVTfVersZdVDuyJQLEDzCAOmKKA=

"$root/tools/apt.sh" apache2-bin git libgssapi-krb5-2 libicu72 libldap-2.5-0 liblz4-1 libpam0g libpq5 libssl3 \
	libsystemd0 libxml2 libxslt1.1 libzstd1 tzdata zlib1g
"$root/tools/debian.sh" postgresql-15 postgresql-client-15 >/dev/null
dir=$root/.cache/forge
[ "$(cat "$dir/version" 2>/dev/null)" != "$version" ] || exit 0
"$root/tools/go.sh"
mkdir -p "$dir"
found=$(cd "$dir" && go mod download -json "code.gitea.io/gitea@$version")
module=$(echo "$found" | sed -n 's/^.*"Dir": "\(.*\)".*$/\1/p')
if [ "$(echo "$found" | sed -n 's/^.*"Sum": "\(.*\)".*$/\1/p')" != "$sum" ]; then
	echo "install.sh: this is not the Gitea $version that is known here" >&2
	exit 1
fi
CGO_ENABLED=0 go build -C "$module" -trimpath -ldflags "-s -w -X main.Version=${version#v}" -o "$dir/gitea" .
# What its pages are made of. Its scripts and styles would have to be compiled by Node.js, and no load asks for them.
rm -rf "$dir/static"
mkdir "$dir/static"
cp -r "$module/templates" "$module/options" "$module/public" "$dir/static/"
chmod -R u+w,a+rX "$dir/static"
mkdir -p "$dir/static/public/assets/.vite"
echo '{}' >"$dir/static/public/assets/.vite/manifest.json"
echo "$version" >"$dir/version"
