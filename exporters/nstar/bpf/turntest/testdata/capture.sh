#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Records the segments of real TLS sessions on loopback for replay_test.go. Each session asks "hello" and "world"
# one after the other of a server that reverses lines (openssl s_server -rev), then closes.
# Usage: capture.sh DIRECTORY (needs root, openssl, tcpdump and tshark)
set -eu
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for who in server client; do
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/$who.key" \
		-out "$work/$who.crt" -days 30 -subj "/CN=$who" 2>/dev/null
done

# session NAME PORT "server options" "client options"
session() {
	name=$1 port=$2
	tcpdump --immediate-mode -i lo -U -w "$work/$name.pcap" "tcp port $port" 2>/dev/null &
	dump=$!
	# shellcheck disable=SC2086 # the options are meant to be split
	openssl s_server -accept "127.0.0.1:$port" -key "$work/server.key" -cert "$work/server.crt" -rev \
		-quiet $3 >/dev/null 2>&1 &
	server=$!
	sleep 1
	# shellcheck disable=SC2086
	{ sleep 0.4; echo hello; sleep 0.3; echo world; sleep 0.3; } |
		openssl s_client -connect "127.0.0.1:$port" -quiet -no_ign_eof $4 >/dev/null 2>&1 || true
	sleep 0.5
	kill "$server" "$dump"
	wait "$server" "$dump" 2>/dev/null || true
	{
		echo "# $name: openssl s_server -rev $3 / s_client $4 (client and server certificates made for the capture)"
		tshark -r "$work/$name.pcap" -Y 'tcp.len > 0' -T fields -e tcp.dstport -e tcp.payload 2>/dev/null |
			sed -e "s/^$port	/> /" -e 's/^[0-9]*	/< /'
	} >"$out/$name.hex"
}

mutual="-Verify 1 -CAfile $work/client.crt -verify_quiet"
identity="-key $work/client.key -cert $work/client.crt"
session tls12 18531 "-tls1_2" ""
session tls12-mutual 18532 "-tls1_2 $mutual" "$identity"
session tls13-sha384 18533 "-tls1_3 -ciphersuites TLS_AES_256_GCM_SHA384" ""
session tls13-sha256 18534 "-tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256" ""
session tls13-mutual 18535 "-tls1_3 $mutual" "$identity"
session tls13-no-certificate 18536 "-tls1_3 -verify 1 -CAfile $work/client.crt" ""
session tls13-retry 18537 "-tls1_3 -curves P-384" "-curves X25519:P-384"
session tls12-cbc 18538 "-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA256" ""
sed -i "s|$work/||g" "$out"/*.hex
