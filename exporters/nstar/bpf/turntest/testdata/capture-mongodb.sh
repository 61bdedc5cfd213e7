#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Records what MongoDB's driver for Python and FerretDB, a server of MongoDB's protocol, say to each other on loopback,
# for replay_test.go: a file for each connection, and the server's own counts of commands before and after.
# Usage, from the project's root: capture-mongodb.sh DIRECTORY [LOAD] (needs root, tcpdump, tshark, python3 with
# pymongo)
set -eu
out=$1
load=${2:-tails}
port=18550
proof=exporters/proof/protocols
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; sleep 2; rm -rf "$work"' EXIT
go build -C $proof/ferretdb -o "$work/ferretdb" .
mkdir "$work/data"
"$work/ferretdb" serve 127.0.0.1:$port "$work/socket" "$work/data" >"$work/log" 2>&1 &
server=$!
sleep 5
"$work/ferretdb" counts "$work/socket" >"$out/mongodb.before"
tcpdump --immediate-mode -B 65536 -i lo -w "$work/pcap" "tcp port $port" 2>/dev/null &
dump=$!
sleep 1
case $load in
mixed | hundred | ahead) "$work/ferretdb" "$load" 127.0.0.1:$port ;;
*) python3 $proof/mongodb.py "$load" $port ;;
esac
sleep 1
kill "$dump"
wait "$dump" 2>/dev/null || true
"$work/ferretdb" counts "$work/socket" >"$out/mongodb.after"
tshark -r "$work/pcap" -Y 'tcp.len > 0' -T fields -e tcp.stream -e tcp.dstport -e tcp.payload 2>/dev/null |
	awk -v out="$out" -v port=$port '{ print ($2 == port ? ">" : "<") " " $3 >(out "/mongodb-" $1 + 1 ".hex") }'
