#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the magazine needs. Varnish is unpacked rather than installed: installing it would start a
# service; it compiles its configuration with gcc. Ghost comes from npm, with the packages of its own yarn.lock.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
ghost=5.130.6

"$root/tools/apt.sh" mariadb-server-core mariadb-client-core gcc libc6-dev libedit2 libjemalloc2 libncursesw6 \
	libpcre2-8-0 libtinfo6
"$root/tools/debian.sh" varnish >/dev/null
"$root/tools/node.sh"
PATH=$PATH:$root/.cache/node/bin
dir=$root/.cache/magazine
[ "$(cat "$dir/stamp" 2>/dev/null)" != "$ghost" ] || exit 0
rm -rf "$dir"
mkdir -p "$dir"
cd "$dir"
npm pack --silent "ghost@$ghost" >/dev/null
tar -xzf "ghost-$ghost.tgz"
rm "ghost-$ghost.tgz"
cd package
# Nobody develops Ghost here. The same packages from npm's own registry: not every network lets through yarn's.
npm pkg delete devDependencies
sed -i 's|https://registry\.yarnpkg\.com/|https://registry.npmjs.org/|' yarn.lock
npx --yes yarn@1.22.22 install --production --pure-lockfile --ignore-scripts --non-interactive --silent \
	>"$dir/install.log" 2>&1 || {
	tail -n 20 "$dir/install.log" >&2
	exit 1
}
echo "$ghost" >"$dir/stamp"
