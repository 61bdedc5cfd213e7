// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"math"
	"net"
	"syscall"
	"time"
)

// What clients far away have, and this machine's own connections have not: packets of a usual size, and room for a part
// of an answer only, so that a server notices how slowly they read.
const (
	packet     = 1448
	socketRoom = 32 << 10
)

// piece is how much is read at a time at most, so that bytes come evenly.
const piece = 4 << 10

// dialer connects users. Those who are slow are far away.
func dialer(c config) *net.Dialer {
	d := &net.Dialer{Timeout: 5 * time.Second}
	if c.readRate > 0 || c.sendRate > 0 {
		d.Control = func(_, _ string, raw syscall.RawConn) (err error) {
			refused := raw.Control(func(fd uintptr) { err = distant(int(fd)) })
			if refused != nil {
				return refused
			}
			return err
		}
	}
	return d
}

// distant makes a socket one of a client far away.
func distant(fd int) error {
	if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, packet); err != nil {
		return err
	}
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_RCVBUF, socketRoom); err != nil {
		return err
	}
	return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_SNDBUF, socketRoom)
}

// pace is a user's own rate: half of the mean for the first who joins, and twice of it for the last.
func (u user) pace(rate int64) int64 { return int64(float64(rate) * math.Exp2(2*u.rank-1)) }

// paced reads no faster than so many bytes a second; as fast as it can where that is 0.
func paced(r io.Reader, rate int64) io.Reader {
	if rate == 0 {
		return r
	}
	return &slowReader{from: r, rate: rate, begin: time.Now()}
}

type slowReader struct {
	from  io.Reader
	rate  int64
	begin time.Time
	read  int64
}

func (s *slowReader) Read(b []byte) (int, error) {
	n, err := s.from.Read(b[:min(len(b), piece)])
	s.read += int64(n)
	time.Sleep(time.Until(s.begin.Add(time.Duration(float64(s.read) / float64(s.rate) * float64(time.Second)))))
	return n, err
}

// zeros is a body of any length.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
