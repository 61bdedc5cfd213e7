// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/programs"
)

// identity distinguishes one program in one process from the next one: a process id that was reused has
// another start, and after exec the stack begins elsewhere.
type identity struct {
	pid   int32
	start uint64 // clock ticks since boot
	stack uint64 // address where the stack begins, 0 if hidden from us
	comm  string
}

// process is what a Scanner stores about a process.
type process struct {
	identity
	parent int32
	netns  uint32
	// read is the number of the scan that read the open files last, 0 for never.
	read uint64
	// files is how many sockets were among them.
	files int
	// hidden says that even its network namespace may not be seen, denied that
	// its open files may not.
	hidden, denied bool
	// listens are the inodes of the listening sockets among its open files.
	listens []uint64

	// works says that a rule makes it a tier, though it listens nowhere.
	works bool

	// described says that the fields below were read.
	described bool
	exe       string // base name of the executable, "" if unknown
	home      home
	jvm       bool
	title     string // first of its arguments, which some programs overwrite with a name
	program   string // as package programs calls it, "" if it does not know it
	runtime   string // what a program runs on that package programs does not know, as it calls it
	code      string // what an interpreter runs, as package programs calls it
	user      uint32 // effective user
	arguments uint64 // a sum of them, 0 if unknown
	directory string // in which it works, "" if unknown
}

// sinceBoot is when it was started, on the clock that begins when the machine does.
func (p *process) sinceBoot() time.Duration { return time.Duration(p.start) * tick }

// tick is the unit of times in /proc, on all architectures.
const tick = 10 * time.Millisecond

// owner is as in Tier.
func (p *process) owner() string {
	switch {
	case p.home.container != "":
		return "container " + p.home.container
	case p.user != 0:
		return "user " + strconv.FormatUint(uint64(p.user), 10)
	}
	return ""
}

// commBytes is the length to which the kernel cuts the name of a process.
const commBytes = 15

// command is the name of the process, completed from the executable's name if the kernel cut it. Node.js
// calls its main thread MainThread, which says nothing, and Traffic Server calls it [TS_MAIN]. A script may
// write into it what the process does (starman master, gunicorn: master): only the first word is a name. A
// script that calls itself by its path has the file's name.
func (p *process) command() string {
	switch {
	case strings.HasPrefix(p.comm, "/"):
		path := p.comm
		if strings.HasPrefix(p.title, p.comm) {
			path, _, _ = strings.Cut(p.title, " ")
		}
		return filepath.Base(path)
	case p.exe == "":
	case len(p.comm) == commBytes && len(p.exe) > commBytes && p.exe[:commBytes] == p.comm:
		return p.exe
	case isMainThread(p.comm):
		return p.exe
	case programs.Interprets(p.exe):
		name, _, _ := strings.Cut(strings.TrimSpace(p.comm), " ")
		return strings.TrimSuffix(name, ":")
	}
	return strings.TrimSpace(p.comm)
}

func isMainThread(comm string) bool {
	return comm == "MainThread" || comm == "node-MainThread" || strings.HasPrefix(comm, "[")
}

// name is the name of a tier of this process if no rule says otherwise.
func (p *process) name() string {
	if p.home.name != "" {
		return Visible(p.home.name)
	}
	return Visible(p.command())
}

// app is the application of a tier of this process if no rule names one.
func (p *process) app() string {
	c := p.command()
	if monitors[c] || strings.HasSuffix(c, "_exporter") || strings.HasSuffix(c, "-exporter") {
		return config.MonitoringApp
	}
	return config.DefaultApp
}

// monitors are commands of monitoring stacks; exporters are known by their ending.
var monitors = map[string]bool{
	"prometheus": true, "alertmanager": true, "prometheus-alertmanager": true, "pushgateway": true, "grafana": true,
	"grafana-server": true, "loki": true, "promtail": true, "thanos": true, "mimir": true, "victoria-metrics": true,
	"nstartool": true,
}

// isSystemd reports whether the process is the system's or a user's systemd, which holds the sockets of other
// services before and after it starts them.
func (p *process) isSystemd() bool { return p.comm == "systemd" }

// kernelThread is PF_KTHREAD of include/linux/sched.h.
const kernelThread = 0x00200000

// parseStat reads /proc/PID/stat. It is false for processes that can hold no sockets: kernel threads, and
// processes that ended and wait for their parents.
func parseStat(pid int32, b []byte) (id identity, parent int32, ok bool) {
	// The name may contain anything, also parentheses.
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return id, 0, false
	}
	id.pid, id.comm = pid, string(b[open+1:end])
	rest := bytes.TrimRight(b[end+1:], "\n")
	for n := 3; n <= 28; n++ {
		var word []byte
		if word, rest = field(rest); len(word) == 0 {
			return id, 0, false
		}
		v, _ := decimal(word)
		switch n {
		case 3:
			if word[0] == 'Z' || word[0] == 'X' {
				return id, 0, false
			}
		case 4:
			parent = int32(v)
		case 9:
			if v&kernelThread != 0 {
				return id, 0, false
			}
		case 22:
			id.start = v
		case 28:
			id.stack = v
		}
	}
	return id, parent, true
}
