#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# go.sh makes sure that there is a Go new enough for go.mod. Any Go from 1.21 on fetches the right toolchain itself; a
# machine without one gets it into .cache/go: toolchains are published as Go modules, too.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
version=$(sed -n 's/^go //p' "$root/go.mod")

usable() {
	"$1" version 2>/dev/null | grep -Eq 'go1\.(2[1-9]|[3-9][0-9])'
}

if command -v go >/dev/null 2>&1 && usable go; then exit 0; fi
if usable "$root/.cache/go/bin/go"; then exit 0; fi

case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) echo "go.sh: no Go for $(uname -m) here; install Go $version or newer" >&2; exit 1 ;;
esac
# Debian's Go is too old to fetch toolchains by itself, but it can download the module.
command -v go >/dev/null 2>&1 || "$root/tools/apt.sh" ca-certificates golang-go
echo "Fetching Go $version into .cache/go" >&2
mkdir -p "$root/.cache"
scratch=$(mktemp -d) # outside this module, which an old Go cannot read
trap 'rm -rf "$scratch"' EXIT
dir=$(cd "$scratch" && GOFLAGS=-mod=mod go mod download -json \
	"golang.org/toolchain@v0.0.1-go$version.linux-$arch" | sed -n 's/^.*"Dir": "\(.*\)".*$/\1/p')
if [ ! -d "$dir" ]; then
	echo "go.sh: Go $version could not be fetched; install it from your distribution or go.dev" >&2
	exit 1
fi
rm -rf "$root/.cache/go"
cp -r "$dir" "$root/.cache/go"
chmod -R u+w "$root/.cache/go"
chmod +x "$root"/.cache/go/bin/* "$root"/.cache/go/pkg/tool/*/*
