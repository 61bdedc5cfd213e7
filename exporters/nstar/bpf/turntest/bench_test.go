// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/cilium/ebpf"
)

// BenchmarkSegment measures how long the kernel takes over one segment: headers, judgement, state and books. The
// exporter adds the look-up of the socket's state and of the clock; the acknowledgement shows what the test run itself
// costs.
func BenchmarkSegment(b *testing.B) {
	m := loadMachine(b)
	for _, row := range []struct {
		name    string
		conn    TurntestConn
		program *ebpf.Program
		payload []byte
	}{
		{"http request line seen before", TurntestConn{Protocol: http, Turn: answered, RequestSeen: 1,
			RequestSeq: 1000},
			m.objects.TestRequest, get},
		{"http answer goes on", TurntestConn{Protocol: http, Turn: answered}, m.objects.TestAnswer, body(1400)},
		{"mysql query seen before", TurntestConn{Protocol: mysql, Turn: answered, RequestSeen: 1, RequestSeq: 1000},
			m.objects.TestRequest, query("select 1")},
		{"ajp request seen before", TurntestConn{Protocol: ajp, Turn: answered, RequestSeen: 1, RequestSeq: 1000},
			m.objects.TestRequest, forward},
		{"tls request seen before", TurntestConn{Protocol: tls, Tls: 2, Turn: answered, RequestSeen: 1,
			RequestSeq: 1000},
			m.objects.TestRequest, data},
		{"acknowledgement", TurntestConn{Protocol: http, Turn: answered}, m.objects.TestRequest, nil},
	} {
		b.Run(row.name, func(b *testing.B) {
			m.reset(b, row.conn, 0)
			ctx := make([]byte, 192)
			binary.NativeEndian.PutUint64(ctx[152:], uint64(epoch))
			const runs = 100_000
			best := time.Hour // the others were disturbed
			for b.Loop() {
				started := time.Now()
				_, err := row.program.Run(&ebpf.RunOptions{Data: packet(ipv4, 0, row.payload),
					Context: ctx, Repeat: runs})
				check(b, err)
				best = min(best, time.Since(started))
			}
			b.ReportMetric(float64(best.Nanoseconds())/runs, "ns/segment")
			b.ReportMetric(0, "ns/op")
		})
	}
}
