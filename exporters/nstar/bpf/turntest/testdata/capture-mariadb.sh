#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Records the segments of real MariaDB sessions on loopback for replay_test.go, against a server of its own.
# Each session sends four statements: select 1, a LOAD DATA
# LOCAL of two lines, a result of some 3 kB, select 2; COM_QUIT at the end.
# Usage: capture-mariadb.sh DIRECTORY (needs root, mariadb-server, mariadb-client, openssl, tcpdump and tshark)
set -eu
out=$1
port=18540
work=$(mktemp -d)
chmod 755 "$work"
server=
trap '[ -z "$server" ] || kill "$server"; sleep 2; rm -rf "$work"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/server.key" \
	-out "$work/server.crt" -days 30 -subj "/CN=server" 2>/dev/null
mariadb-install-db --no-defaults --user=root --datadir="$work/data" --auth-root-authentication-method=normal \
	>/dev/null 2>&1
mariadbd --no-defaults --user=root --datadir="$work/data" --socket="$work/socket" --pid-file="$work/pid" \
	--bind-address=127.0.0.1 --port=$port --local-infile=1 --innodb-buffer-pool-size=16M \
	--ssl-cert="$work/server.crt" --ssl-key="$work/server.key" >"$work/log" 2>&1 &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	mariadb --no-defaults -S "$work/socket" -e "create database d; create table d.t (a int);
		create user u@localhost identified by 'secret'; grant all on *.* to u@localhost" 2>/dev/null && break
	sleep 1
done
printf '1\n2\n' >"$work/lines"
cat >"$work/statements" <<END
select 1;
load data local infile '$work/lines' into table d.t;
select repeat('x', 3000);
select 2;
END

# session NAME "client options"
session() {
	tcpdump --immediate-mode -i lo -U -w "$work/$1.pcap" "tcp port $port" 2>/dev/null &
	dump=$!
	sleep 1
	# shellcheck disable=SC2086 # the options are meant to be split
	mariadb --no-defaults -h 127.0.0.1 -P $port -u u -psecret --local-infile=1 --force --batch --no-auto-rehash $2 \
		<"$work/statements" >/dev/null
	sleep 0.5
	kill "$dump"
	wait "$dump" 2>/dev/null || true
	{
		echo "# $1: mariadb $2 (server, account and certificate made for the capture)"
		tshark -r "$work/$1.pcap" -Y 'tcp.len > 0' -T fields -e tcp.dstport -e tcp.payload 2>/dev/null |
			sed -e "s/^$port	/> /" -e 's/^[0-9]*	/< /'
	} >"$out/$1.hex"
}

session mariadb "--skip-ssl"
session mariadb-tls12 "--ssl --tls-version=TLSv1.2"
session mariadb-tls13 "--ssl --tls-version=TLSv1.3"
