#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fetch.sh ARCHITECTURE... puts kernels into .cache/kernels/ARCHITECTURE/VERSION: vmlinuz, and the modules that the
# exporter needs. Each is the newest of its line that the distribution has; none is installed, and apt's own lists stay
# as they are. What a mirror does not have is said and left out. $KERNEL_LINES are those wanted, all if empty.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
kernels=$root/.cache/kernels
apt=$kernels/apt
debian=http://deb.debian.org
ubuntu=http://archive.ubuntu.com/ubuntu

# suite, mirror, keyring, line, flavour. Debian's kernels for the cloud have no drivers, and are otherwise its others.
lines() {
	cat <<EOF
bullseye-security $debian/debian-security debian 5.10 cloud
jammy-updates $ubuntu ubuntu 5.15 generic
bookworm-security $debian/debian-security debian 6.1 cloud
jammy-updates $ubuntu ubuntu 6.5 generic
jammy-updates $ubuntu ubuntu 6.8 generic
bookworm-security $debian/debian-security debian 6.12 cloud
trixie-backports $debian/debian debian 7 cloud
EOF
}

# from SUITE ARGUMENT... runs a command of apt for one suite with lists of its own.
from() {
	suite=$1 command=$2
	shift 2
	"$command" -qq -o Dir::Etc::sourcelist="$apt/$suite.list" -o Dir::Etc::sourceparts=- \
		-o Dir::State::lists="$apt/$suite/lists" -o Dir::Cache="$apt/$suite/cache" -o APT::Architectures::=amd64 \
		-o APT::Architectures::=arm64 -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}

# list SUITE MIRROR KEYRING fetches a suite's lists, once a day.
list() {
	mkdir -p "$apt/$1/lists/partial" "$apt/$1/cache/archives/partial"
	arches=amd64,arm64
	[ "$2" != $ubuntu ] || arches=amd64 # it has others on another mirror
	echo "deb [arch=$arches signed-by=$3] $2 $1 main" >"$apt/$1.list"
	[ -z "$(find "$apt/$1/listed" -mtime -1 2>/dev/null)" ] || return 0
	from "$1" apt-get update >"$apt/$1.log" 2>&1 || return 1
	touch "$apt/$1/listed"
}

# Ubuntu's keys are a package of Debian's.
keyring() {
	case $1 in
	debian) echo /usr/share/keyrings/debian-archive-keyring.gpg ;;
	ubuntu)
		keys=$apt/keys/usr/share/keyrings/ubuntu-archive-keyring.gpg
		if [ ! -e "$keys" ]; then
			list trixie $debian/debian "$(keyring debian)" || return 1
			scratch=$(mktemp -d)
			(cd "$scratch" && from trixie apt-get download ubuntu-keyring >/dev/null 2>&1 &&
				dpkg-deb -x ./*.deb "$apt/keys") || return 1
			rm -rf "$scratch"
		fi
		echo "$keys"
		;;
	esac
}

# newest SUITE LINE FLAVOUR ARCHITECTURE prints the newest version of a line.
newest() {
	pattern="^linux-image-(unsigned-)?$2\\.[^ ]*-$3-$4\$"
	[ "$3" = cloud ] || pattern="^linux-image-unsigned-$2\\.[^ ]*-$3\$"
	from "$1" apt-cache search --names-only "$pattern" | sed 's/ .*//; s/:.*//; s/^linux-image-//; s/^unsigned-//' |
		grep -v -e '-rt-' | sort -V | tail -n 1
}

# unpacked SUITE VERSION ARCHITECTURE puts one kernel into its place.
unpacked() {
	to=$kernels/$3/$2
	[ ! -e "$to/vmlinuz" ] || return 0
	scratch=$(mktemp -d)
	# which of these a kernel consists of differs by distribution and by year
	for package in linux-image-unsigned linux-image linux-binary linux-modules; do
		name=$package-$2:$3
		from "$1" apt-cache show "$name" >/dev/null 2>&1 || continue
		[ "$package" != linux-image ] || [ ! -e "$scratch/root/boot" ] || continue # the same, signed
		(cd "$scratch" && from "$1" apt-get download "$name" >/dev/null 2>&1) || return 1
		dpkg-deb -x "$scratch/$package-$2"_*.deb "$scratch/root" || return 1
	done
	mkdir -p "$to"
	for module in inet_diag tcp_diag; do # in the order in which they are loaded
		file=$(find "$scratch/root" -name "$module.ko*" | head -n 1)
		case $file in
		*.xz) xz -dc "$file" >"$to/$module.ko" ;;
		*.zst) zstd -qdc "$file" >"$to/$module.ko" ;;
		*.ko) cp "$file" "$to/$module.ko" ;;
		esac
	done
	cp "$(find "$scratch/root" -name 'vmlinuz*' -type f | head -n 1)" "$to/vmlinuz"
	rm -rf "$scratch"
	echo "$3 $2"
}

lines | while read -r suite mirror keys line flavour; do
	case " ${KERNEL_LINES:-$line} " in *" $line "*) ;; *) continue ;; esac
	for arch in "$@"; do
		case $keys-$arch in ubuntu-arm64) continue ;; esac # see list
		missing="fetch.sh: no Linux $line for $arch: $mirror $suite"
		signed=$(keyring "$keys") && list "$suite" "$mirror" "$signed" || {
			echo "$missing can't be read" >&2
			continue
		}
		version=$(newest "$suite" "$line" "$flavour" "$arch")
		if [ -z "$version" ]; then
			echo "$missing does not have it" >&2
		elif ! unpacked "$suite" "$version" "$arch"; then
			echo "$missing: $version can't be downloaded" >&2
		fi
	done
done
