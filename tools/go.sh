#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# go.sh makes sure that there is a Go new enough for go.mod. Any Go from 1.21 on fetches the right toolchain itself; a
# machine without one gets it into .cache/go, from the Go module proxy, where toolchains are published as modules.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
version=$(sed -n 's/^go //p' "$root/go.mod")

usable() {
	"$1" version 2>/dev/null | grep -Eq 'go1\.(2[1-9]|[3-9][0-9])'
}

if command -v go >/dev/null 2>&1 && usable go; then exit 0; fi
if usable "$root/.cache/go/bin/go"; then exit 0; fi

"$root/tools/apt.sh" ca-certificates curl unzip
case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) echo "go.sh: no Go for $(uname -m) here; install Go $version or newer" >&2; exit 1 ;;
esac
module=golang.org/toolchain@v0.0.1-go$version.linux-$arch
echo "Fetching Go $version into .cache/go" >&2
mkdir -p "$root/.cache"
scratch=$(mktemp -d "$root/.cache/go.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
curl -fsSL -o "$scratch/go.zip" \
	"https://proxy.golang.org/golang.org/toolchain/@v/v0.0.1-go$version.linux-$arch.zip" || {
	echo "go.sh: Go $version could not be fetched; install it from your distribution or go.dev" >&2
	exit 1
}
unzip -q "$scratch/go.zip" -d "$scratch"
rm -rf "$root/.cache/go"
mv "$scratch/$module" "$root/.cache/go"
chmod -R u+w "$root/.cache/go"
chmod +x "$root"/.cache/go/bin/* "$root"/.cache/go/pkg/tool/*/*
