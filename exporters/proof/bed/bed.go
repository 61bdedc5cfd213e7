// SPDX-License-Identifier: Apache-2.0

// Package bed starts the programs that a proof needs in a directory of its own, on loopback, and ends all of them
// by process id.
package bed

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Bed is a temporary directory and the processes started in it.
type Bed struct {
	Dir       string
	Prefix    []string // put before the command line of every program that is started
	processes []*Process
}

// Process is a program that the bed started.
type Process struct {
	Name string
	Log  string // standard output and error
	PID  int
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// New makes the directory; other users (a server's own account) may enter it.
func New() (*Bed, error) {
	dir, err := os.MkdirTemp("", "nstar-proof-")
	if err != nil {
		return nil, err
	}
	return &Bed{Dir: dir}, os.Chmod(dir, 0o755)
}

// Close ends all processes, the last one first, and removes the directory.
func (b *Bed) Close() {
	for i := len(b.processes) - 1; i >= 0; i-- {
		_ = b.processes[i].Stop() // the exit status of a program that was told to end has no meaning
	}
	os.RemoveAll(b.Dir)
}

// Path names a file in the directory.
func (b *Bed) Path(name string) string { return filepath.Join(b.Dir, name) }

// Write writes a file into the directory.
func (b *Bed) Write(name, content string) (string, error) {
	path := b.Path(name)
	return path, os.WriteFile(path, []byte(content), 0o644)
}

// Start starts a program that runs until it is stopped.
func (b *Bed) Start(name string, argv ...string) (*Process, error) {
	p := &Process{Name: name, Log: b.Path(name + ".out"), done: make(chan struct{})}
	log, err := os.Create(p.Log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	argv = append(slices.Clone(b.Prefix), argv...)
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	// a group of its own: an interrupt at the terminal reaches the proof, which then ends its processes in order
	// and if the proof itself is killed, they end with it
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	p.PID = p.cmd.Process.Pid
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	b.processes = append(b.processes, p)
	return p, nil
}

// Stop asks the program to end, waits, and kills it when it does not.
func (p *Process) Stop() error {
	select {
	case <-p.done:
		return p.err
	default:
	}
	_ = p.cmd.Process.Signal(os.Interrupt)
	select {
	case <-p.done:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	return p.err
}

// Ended returns an error with the end of its log if the program has ended on its own.
func (p *Process) Ended() error {
	select {
	case <-p.done:
		if p.err == nil {
			return fmt.Errorf("%s ended by itself: %s", p.Name, p.Tail())
		}
		return fmt.Errorf("%s ended: %w: %s", p.Name, p.err, p.Tail())
	default:
		return nil
	}
}

// Tail is the last line of the log.
func (p *Process) Tail() string {
	out, _ := os.ReadFile(p.Log)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// Run runs a program to its end and returns what it printed.
func Run(argv ...string) (string, error) {
	out, _, err := run(argv...)
	return out, err
}

// run also returns the CPU time that the program took.
func run(argv ...string) (string, time.Duration, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), 0, fmt.Errorf("%s: %w: %s", filepath.Base(argv[0]), err, strings.TrimSpace(string(out)))
	}
	return string(out), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// Need checks that programs are installed.
func Need(programs ...string) error {
	var missing []string
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("not installed: %s; `make proof-tools` installs what the proofs need",
			strings.Join(missing, ", "))
	}
	return nil
}

// FreePort finds a loopback port that nothing listens on.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// WaitFor polls until ready returns nil; the error is its last.
func WaitFor(limit time.Duration, ready func() error) error {
	deadline := time.Now().Add(limit)
	for {
		err := ready()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}
