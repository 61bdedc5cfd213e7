// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"testing"
)

// produce is a request of Kafka to write n bytes, which wants an answer from the leader.
func produce(id uint32, n int) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(10+5+4+n))
	b = binary.BigEndian.AppendUint32(b, 9) // Produce, version 9
	b = binary.BigEndian.AppendUint32(b, id)
	b = append(binary.BigEndian.AppendUint16(b, 5), "proof"...)
	return append(append(b, 0, 0, 0, 1), make([]byte, n)...)
}

// serveKafka answers each request with its number, as soon as all of it is there.
func serveKafka(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	in := bufio.NewReader(c)
	for {
		var header [12]byte
		if _, err := io.ReadFull(in, header[:]); err != nil {
			return
		}
		n := binary.BigEndian.Uint32(header[:])
		if _, err := io.CopyN(io.Discard, in, int64(n)-8); err != nil {
			return
		}
		answer := binary.BigEndian.AppendUint32(nil, 14)
		answer = append(append(answer, header[8:]...), make([]byte, 10)...)
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
}

// Requests of a megabyte, five ahead of their answers, between small ones.
func TestKafka(t *testing.T) {
	onOneCPU(t)
	l := listen(t, "tcp", "127.0.0.1:0")
	go serveKafka(l)
	b := newLonelyBench(t, Options{})
	b.set(b.tables(l))
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const requests = 60
	ahead := make(chan bool, 5)
	go func() {
		for id := range uint32(requests) {
			ahead <- true
			size := 1_000_000
			if id%3 == 0 {
				size = 100
			}
			if _, err := c.Write(produce(id, size)); err != nil {
				return
			}
		}
	}()
	for range requests {
		if _, err := io.ReadFull(c, make([]byte, 18)); err != nil {
			t.Fatal(err)
		}
		<-ahead
	}
	b.expect(0, counts{Arrivals: requests, Completions: requests})
}
