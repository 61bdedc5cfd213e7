// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// protocol says how the packets of a server are classified, by Wireshark's own dissectors.
type protocol struct {
	decode string   // Wireshark's name of the protocol, empty: payload is enough
	fields []string // further fields
	judge  func(p *packet, fields []string)
	// whole says that the server hands an answer to its socket at once, so that a part that does not leave waits
	// for the client. If it writes part by part, a capture can't show whether the next part was there already.
	whole bool
}

var (
	// In HTTP/1.1 without pipelining, any payload towards the server after an answer begins a request.
	// A file is sent by sendfile.
	http = protocol{judge: func(p *packet, _ []string) { p.begins, p.answers = true, true }, whole: true}

	// AJP: forwarded requests have code 2; GET_BODY_CHUNK (6) and CPONG (9) are no answers.
	ajp = protocol{
		decode: "ajp13", fields: []string{"ajp13.code"},
		judge: func(p *packet, f []string) {
			p.begins = f[0] == "2"
			p.answers = f[0] != "6" && f[0] != "9"
		},
	}

	// MySQL: a command begins a request unless it is never answered (COM_QUIT, COM_STMT_SEND_LONG_DATA,
	// COM_STMT_CLOSE).
	mysql = protocol{
		decode: "mysql", fields: []string{"mysql.command"},
		judge: func(p *packet, f []string) {
			p.answers = true // a greeting answers nothing that was asked, so it is never counted
			for _, command := range strings.Split(f[0], ",") {
				switch command {
				case "", "1", "24", "25":
				default:
					p.begins = true
				}
			}
		},
	}
)

// readCapture lets tshark list the packets of a port: those with payload, and those that say how much room the
// client has.
func readCapture(file string, port int, how protocol) ([]packet, error) {
	argv := []string{"-r", file, "-n", "-Y",
		fmt.Sprintf("tcp.port == %d && (tcp.len > 0 || tcp.dstport == %d)", port, port),
		"-o", "tcp.desegment_tcp_streams:FALSE", "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a"}
	if how.decode != "" {
		argv = append(argv, "-d", fmt.Sprintf("tcp.port==%d,%s", port, how.decode))
	} else {
		argv = append(argv, "--disable-protocol", "http")
	}
	fields := append(slices.Clone(packetFields), how.fields...)
	for _, f := range fields {
		argv = append(argv, "-e", f)
	}
	cmd := exec.Command("tshark", argv...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var packets []packet
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) < len(fields) || f[3] != "" {
			continue // a retransmission carries nothing new
		}
		p, payload, err := parsePacket(f, port)
		if err != nil {
			return nil, err
		}
		if payload {
			how.judge(&p, f[len(packetFields):])
		}
		if !how.whole {
			p.edge = 0
		}
		packets = append(packets, p)
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("tshark: %w: %s", err, complaint.String())
	}
	return packets, lines.Err()
}

// packetFields are what parsePacket needs; sequence numbers count from each connection's beginning.
var packetFields = []string{"frame.time_epoch", "tcp.stream", "tcp.dstport", "tcp.analysis.retransmission",
	"tcp.seq", "tcp.len", "tcp.ack", "tcp.window_size"}

// parsePacket reads these fields, and reports whether the packet has payload.
func parsePacket(f []string, port int) (p packet, payload bool, err error) {
	seconds, fraction, _ := strings.Cut(f[0], ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return packet{}, false, fmt.Errorf("tshark: time %q: %w", f[0], err)
	}
	ns, err := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if err != nil {
		return packet{}, false, fmt.Errorf("tshark: time %q: %w", f[0], err)
	}
	var numbers [5]int64 // the connection, the segment's begin and length, what was acknowledged, the window
	for i, field := range []int{1, 4, 5, 6, 7} {
		if field == 6 && f[field] == "" {
			continue // the first segment of a connection acknowledges nothing
		}
		if numbers[i], err = strconv.ParseInt(f[field], 10, 64); err != nil {
			return packet{}, false, fmt.Errorf("tshark: %s %q: %w", packetFields[field], f[field], err)
		}
	}
	p = packet{at: time.Duration(s)*time.Second + time.Duration(ns), stream: int(numbers[0]),
		toServer: f[2] == strconv.Itoa(port), edge: numbers[1] + numbers[2]}
	if p.toServer {
		p.edge = numbers[3] + numbers[4]
	}
	return p, numbers[2] > 0, nil
}
