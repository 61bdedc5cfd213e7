// SPDX-License-Identifier: Apache-2.0

package monitor

import "time"

const (
	// scanShare is the share of a processor that scans may use which the kernel side asks for. Any program that may
	// listen on a socket can cause such a scan with every call of listen(2).
	scanShare = 0.02
	// failuresBorne is how many scans in a row may fail before the loop ends. Without discovery the exporter would
	// be blind, but the host may be short of files or memory for a moment.
	failuresBorne = 5
)

// pace says when a scan may follow the last one.
type pace struct {
	next    time.Duration // monotonic
	putOff  bool          // a scan is wanted and has to wait
	delayed uint64        // scans that had to wait
	failed  uint64
	row     int // failures in a row
}

// wantsScan reports whether a socket began to listen, or another exporter gave names, and it is time to look.
func (m *Monitor) wantsScan() bool {
	if m.probe.Listens() == m.listens && !m.options.Peers.Fresh() {
		return false
	}
	if m.now() >= m.pace.next {
		return true
	}
	if !m.pace.putOff {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.pace.putOff = true
		m.pace.delayed++
	}
	return false
}

// look scans, and tolerates some failures.
func (m *Monitor) look() error {
	began := m.now()
	err := m.scan()
	ended := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pace.next = ended + min(time.Duration(float64(ended-began)/scanShare), scanInterval)
	m.pace.putOff = false
	if err == nil {
		m.pace.row = 0
		return nil
	}
	m.pace.failed++
	if m.pace.row++; m.pace.row > failuresBorne {
		return err
	}
	m.options.Log.Warn("A scan failed; what was known stays", "err", err)
	return nil
}
