// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// collect has the application server collect all of its garbage again and again, in bursts.
func (s *stack) collect(d time.Duration) error {
	jvm, err := attach(s.pids("tomcat")[0])
	if err != nil {
		return err
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
		began, length := time.Now(), s.halts.length()
		for time.Since(began) < length {
			if err := jvm.do("GC.run"); err != nil {
				return err
			}
		}
		s.halts.add(episode{"tomcat", began, time.Now()})
		time.Sleep(haltEvery - min(time.Since(began), haltEvery))
	}
	return nil
}

// machine is where a Java virtual machine takes commands: the socket that jcmd also uses. jcmd itself would start a
// virtual machine of its own for each command.
type machine string

// attachLimit is how long a virtual machine may take to open its socket, and to do a command.
const attachLimit = 10 * time.Second

// attach asks a virtual machine to open its socket, as HotSpot wants to be asked: by a file in its directory and a
// signal (AttachListener in its sources).
func attach(pid int) (machine, error) {
	socket := fmt.Sprintf("/proc/%d/root/tmp/.java_pid%[1]d", pid)
	if _, err := os.Stat(socket); err == nil {
		return machine(socket), nil
	}
	file := filepath.Join(fmt.Sprintf("/proc/%d/cwd", pid), fmt.Sprintf(".attach_pid%d", pid))
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return "", err
	}
	defer os.Remove(file)
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return "", err
	}
	return machine(socket), bed.WaitFor(attachLimit, func() error {
		_, err := os.Stat(socket)
		return err
	})
}

// do has a diagnostic command done.
func (m machine) do(command string) error {
	c, err := net.Dial("unix", string(m))
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(attachLimit)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(c, "1\x00jcmd\x00%s\x00\x00\x00", command); err != nil {
		return err
	}
	answer, err := io.ReadAll(c)
	if err == nil && (len(answer) == 0 || answer[0] != '0') {
		err = errors.New("it answers " + string(answer))
	}
	return err
}
