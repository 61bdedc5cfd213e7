# SPDX-License-Identifier: Apache-2.0
#
# What the prepare.sh of several applications do with their databases.

# secret prints a password: made per installation, so there is nothing to guess in the repository.
secret() { od -An -N18 -tx1 /dev/urandom | tr -d ' \n'; }

# kept_secret FILE prints the password in the file, which is made if it is not there.
kept_secret() {
	[ -s "$1" ] || secret >"$1"
	cat "$1"
}

# stamp_of FILE... prints what stands for the files' text: what was made by them need not be made again.
stamp_of() { cat "$@" | sha256sum | cut -c1-16; }

# stamped FILE STAMP reports whether the stamp was left in FILE.
stamped() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }

# new_mariadb DIR makes DIR/data anew, administered by DEMO_USER through the socket.
new_mariadb() {
	rm -rf "$1/data"
	mariadb-install-db --no-defaults --datadir="$1/data" --user="$DEMO_USER" \
		--auth-root-authentication-method=socket --auth-root-socket-user="$DEMO_USER" \
		--skip-test-db --skip-name-resolve >"$1/install.log" 2>&1 || {
		tail -n 20 "$1/install.log" >&2
		return 1
	}
}

# mariadb_as_administrator DIR ARGUMENT... is the client of the MariaDB in DIR, through the socket.
mariadb_as_administrator() {
	socket=$1/socket
	shift
	mariadb --no-defaults --user="$DEMO_USER" --socket="$socket" "$@"
}
