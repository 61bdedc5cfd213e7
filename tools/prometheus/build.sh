#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh [prometheus] [promtool] builds the named programs (both by default)
# of the Prometheus release pinned in go.mod into
# .cache/tools/prometheus-VERSION, and prints that directory. What is already
# there is left alone, so a second call takes no time.
#
# There is no binary to download where the project's checks run, so the release
# is built from its Go module. That leaves the web pages out (the module holds
# no built assets); the API is whole. Service discovery other than static and
# file is left out as well: it makes up most of the build.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
module=github.com/prometheus/prometheus
# The module's v0.315.0 is the release 3.15.0.
pinned=$(sed -n "s|^[[:space:]]*$module v0\.\([0-9]*\)\.\([0-9]*\).*|\1 \2|p" "$here/go.mod")
[ -n "$pinned" ] || { echo "build.sh: $module is not pinned in $here/go.mod" >&2; exit 1; }
version=$(echo "$pinned" | sed 's/^\(.\)\(..\) \(.*\)$/\1.\2.\3/; s/\.0\([0-9]\)\./.\1./')

mkdir -p "$here/../../.cache/tools/prometheus-$version"
target=$(CDPATH='' cd -- "$here/../../.cache/tools/prometheus-$version" && pwd)

[ $# -gt 0 ] || set -- prometheus promtool
exec 9>"$target/.lock"
flock 9
for program in "$@"; do
	[ ! -x "$target/$program" ] || continue
	echo "build.sh: building $program $version (some minutes on the first time)" >&2
	# Not `go tool`: it ignores build tags. Renamed at the end, so that an
	# interrupted build is never taken for a finished one.
	(cd "$here" && CGO_ENABLED=0 nice go build -trimpath -tags remove_all_sd \
		-ldflags "-s -w -X github.com/prometheus/common/version.Version=$version" \
		-o "$target/.$program.new" "$module/cmd/$program") >&2
	mv "$target/.$program.new" "$target/$program"
done
echo "$target"
