// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net"
	"os/exec"
	"syscall"
	"testing"
)

// BenchmarkScan is the cost of a scan of a host with 300 more processes and
// 10,000 more sockets, half of them outgoing connections of one process.
func BenchmarkScan(b *testing.B) {
	const processes, connections = 300, 5000
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Cur < 2*connections+100 {
		b.Skipf("the limit of open files is %d, need %d: raise it with ulimit -n", limit.Cur, 2*connections+100)
	}
	for range processes {
		cmd := exec.Command("sleep", "600")
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	for range connections {
		out, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		defer out.Close()
		in, err := l.Accept()
		if err != nil {
			b.Fatal(err)
		}
		defer in.Close()
	}

	for name, prepare := range map[string]func(*Scanner){
		"nothing changed": func(*Scanner) {},
		"new listener":    func(s *Scanner) { s.known = nil },
		"first":           func(s *Scanner) { *s = *NewScanner("/proc", -1) },
	} {
		b.Run(name, func(b *testing.B) {
			s := NewScanner("/proc", -1)
			b.ReportAllocs()
			var snap Snapshot
			before := cpuTime(b)
			for b.Loop() {
				prepare(s)
				if snap, err = s.Scan(nil); err != nil {
					b.Fatal(err)
				}
			}
			// The elapsed time includes everything else that this host does.
			b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns/op")
			if len(snap.Outgoing) < connections {
				b.Fatalf("%d connections found, want %d", len(snap.Outgoing), connections)
			}
		})
	}
}

// cpuTime is the processor time that this process has used so far, in nanoseconds.
func cpuTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
