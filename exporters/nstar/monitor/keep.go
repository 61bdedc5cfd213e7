// SPDX-License-Identifier: Apache-2.0

package monitor

import "github.com/nstar-project/nstar/exporters/nstar/monitor/judging"

// recall reads what an earlier run learned. If the file can't be read, the exporter measures all the same.
func (m *Monitor) recall() {
	if m.options.StateDirectory == "" {
		return
	}
	memory, err := judging.ReadMemory(m.options.StateDirectory)
	if err != nil {
		m.options.Log.Warn("What was learned before can't be read; it is learned again",
			"directory", m.options.StateDirectory, "err", err)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.judges.Remember(memory)
	m.recorder.Known(memory)
}

// keep writes what was learned to the file.
func (m *Monitor) keep() {
	if m.options.StateDirectory == "" {
		return
	}
	m.mu.Lock()
	memory := m.judges.Memory()
	m.mu.Unlock()
	if err := memory.Write(m.options.StateDirectory); err != nil {
		m.options.Log.Warn("What was learned can't be kept", "err", err)
	}
}

// endRecording closes the recording. Scrapes may still come afterwards.
func (m *Monitor) endRecording() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.recorder.Close()
}
