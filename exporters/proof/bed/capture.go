// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Capture is a running tcpdump that writes to a file.
type Capture struct {
	*Process
	File string
}

// Capture starts tcpdump on loopback: the first 128 bytes of each packet, stamped in nanoseconds, with a large buffer.
func (b *Bed) Capture(filter string) (*Capture, error) {
	c := &Capture{File: b.Path("capture.pcap")}
	var err error
	c.Process, err = b.Start("tcpdump", "tcpdump", "-i", "lo", "-n", "-B", "131072", "-s", "128",
		"--time-stamp-precision=nano", "-Z", "root", "-w", c.File, filter)
	if err != nil {
		return nil, err
	}
	return c, WaitFor(10*time.Second, func() error {
		if err := c.Ended(); err != nil {
			return err
		}
		if !strings.Contains(c.Tail(), "listening on") {
			return fmt.Errorf("tcpdump has not begun: %s", c.Tail())
		}
		return nil
	})
}

var (
	captured = regexp.MustCompile(`(\d+) packets? captured`)
	lost     = regexp.MustCompile(`(\d+) packets? dropped by kernel`)
)

// Finish stops the capture and says how many packets it holds and how many it dropped.
func (c *Capture) Finish() (packets, dropped int64, err error) {
	_ = c.Stop()
	out, err := os.ReadFile(c.Log)
	if err != nil {
		return 0, 0, err
	}
	n, d := captured.FindSubmatch(out), lost.FindSubmatch(out)
	if n == nil || d == nil {
		return 0, 0, fmt.Errorf("tcpdump: no counts at its end: %q", out)
	}
	packets, _ = strconv.ParseInt(string(n[1]), 10, 64)
	dropped, _ = strconv.ParseInt(string(d[1]), 10, 64)
	return packets, dropped, nil
}
