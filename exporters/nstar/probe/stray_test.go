// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"encoding/binary"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Anybody may send a segment far beyond the window that TCP accepts. Such a segment does not prevent the
// following requests from being counted.
func TestStraySegment(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp4", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	c.turns(3)
	next := sendQueue(t, c.Conn.(*net.TCPConn))
	for _, ahead := range []uint32{1 << 30, 16 << 20} {
		inject(t, c.Conn, next+ahead, []byte("GET / HTTP/1.1\r\n\r\n"))
		c.turns(10)
		next = sendQueue(t, c.Conn.(*net.TCPConn))
	}
	b.expect(0, counts{Arrivals: 23, Completions: 23})
}

// A connection opens a second after its client, because a listener that waits for the first request drops segments that
// do not fit. No request has come by then.
func TestStrayDeferred(t *testing.T) {
	b := newBench(t, Options{})
	l := listenDeferred(t, "127.0.0.1:0", 1)
	b.set(b.tables(l))
	c := dial(t, l.Addr().String())
	next := sendQueue(t, c.Conn.(*net.TCPConn))
	accepted := make(chan net.Conn, 1)
	go func() {
		s, _ := l.Accept()
		accepted <- s
	}()
	var s net.Conn
	for opens := false; !opens; {
		onEachCPU(t, func() { inject(t, c.Conn, next+1<<30, []byte("GET / HTTP/1.1\r\n\r\n")) })
		select {
		case s = <-accepted:
			opens = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	if s == nil {
		t.Fatal("no connection was accepted")
	}
	defer s.Close()
	b.expect(0, counts{})
	c.ask()
	io.WriteString(s, "HTTP/1.1 204 No Content\r\n\r\n")
	c.answer()
	b.expect(0, counts{Arrivals: 1, Completions: 1})
}

// onEachCPU calls a function once on each CPU that the test may use.
func onEachCPU(t *testing.T, f func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	defer unix.SchedSetaffinity(0, &all)
	for cpu := range 1024 {
		var one unix.CPUSet
		if one.Set(cpu); !all.IsSet(cpu) || unix.SchedSetaffinity(0, &one) != nil {
			continue
		}
		f()
	}
}

// sendQueue is the sequence number of the next byte that the socket sends.
func sendQueue(t *testing.T, c *net.TCPConn) uint32 {
	t.Helper()
	raw, err := c.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var seq int
	err = raw.Control(func(fd uintptr) {
		for _, step := range []func() error{
			func() error {
				return unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_REPAIR, unix.TCP_REPAIR_ON)
			},
			func() error { return unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_REPAIR_QUEUE, 2) },
			func() (err error) {
				seq, err = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_QUEUE_SEQ)
				return err
			},
			func() error {
				return unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_REPAIR, unix.TCP_REPAIR_OFF_NO_WP)
			},
		} {
			if err := step(); err != nil {
				t.Errorf("TCP_REPAIR: %v", err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return uint32(seq)
}

// inject sends a TCP segment of the connection's own addresses that its TCP knows nothing of.
func inject(t *testing.T, c net.Conn, seq uint32, payload []byte) {
	t.Helper()
	from, to := addrPort(c.LocalAddr()), addrPort(c.RemoteAddr())
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_RAW)
	if err != nil {
		t.Skipf("needs a raw socket: %v", err)
	}
	defer unix.Close(fd)
	source, destination := from.Addr().Unmap().As4(), to.Addr().Unmap().As4()
	tcp := make([]byte, 20, 20+len(payload))
	binary.BigEndian.PutUint16(tcp[0:], from.Port())
	binary.BigEndian.PutUint16(tcp[2:], to.Port())
	binary.BigEndian.PutUint32(tcp[4:], seq)
	tcp[12], tcp[13] = 5<<4, 0x18 // PSH, ACK
	binary.BigEndian.PutUint16(tcp[14:], 1000)
	tcp = append(tcp, payload...)
	pseudo := append(append(append([]byte{}, source[:]...), destination[:]...), 0, unix.IPPROTO_TCP, 0, byte(len(tcp)))
	binary.BigEndian.PutUint16(tcp[16:], checksum(append(pseudo, tcp...)))
	ip := make([]byte, 20, 20+len(tcp))
	ip[0], ip[8], ip[9] = 0x45, 64, unix.IPPROTO_TCP
	binary.BigEndian.PutUint16(ip[2:], uint16(20+len(tcp)))
	copy(ip[12:], source[:])
	copy(ip[16:], destination[:])
	if err := unix.Sendto(fd, append(ip, tcp...), 0, &unix.SockaddrInet4{Addr: destination}); err != nil {
		t.Fatal(err)
	}
}

// checksum is that of RFC 1071.
func checksum(b []byte) uint16 {
	var sum uint32
	for i := 0; i < len(b); i += 2 {
		word := uint32(b[i]) << 8
		if i+1 < len(b) {
			word |= uint32(b[i+1])
		}
		sum += word
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}
