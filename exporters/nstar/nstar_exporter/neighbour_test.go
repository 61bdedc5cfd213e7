// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// This test's binary can be a server of its own: its name, where it listens, the server that it calls for each line
// that it reads, how long it takes for a request, the server that it asks meanwhile, and the file that it writes and
// syncs.
const (
	listensToo  = "NSTAR_TEST_LISTENS_TOO" // path of a Unix socket
	asNeighbour = "NSTAR_TEST_AS_NEIGHBOUR"
	listensAt   = "NSTAR_TEST_LISTENS_AT"
	callsThere  = "NSTAR_TEST_CALLS"
	takesSoLong = "NSTAR_TEST_TAKES"
	asksThere   = "NSTAR_TEST_ASKS"
	syncsFile   = "NSTAR_TEST_SYNCS"
)

// neighbourMain serves until standard input ends.
func neighbourMain(name string) {
	if err := called(name); err != nil {
		fmt.Println(err)
		return
	}
	l, err := net.Listen("tcp", cmp.Or(os.Getenv(listensAt), "127.0.0.1:0"))
	if err != nil {
		fmt.Println(err)
		return
	}
	go http.Serve(l, http.HandlerFunc(attend))
	if path := os.Getenv(listensToo); path != "" {
		u, err := net.Listen("unix", path)
		if err != nil {
			fmt.Println(err)
			return
		}
		go http.Serve(u, http.HandlerFunc(attend))
	}
	fmt.Println(l.Addr())
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		response, err := http.Get("http://" + os.Getenv(callsThere))
		if err != nil {
			fmt.Println(err)
			continue
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		fmt.Println("called")
	}
}

// attend is what a neighbour does for a request.
func attend(w http.ResponseWriter, _ *http.Request) {
	if there := os.Getenv(asksThere); there != "" {
		response, err := http.Get("http://" + there)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		_, _ = io.Copy(io.Discard, response.Body)
	}
	if file := os.Getenv(syncsFile); file != "" {
		if err := synced(file); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	long, _ := time.ParseDuration(os.Getenv(takesSoLong)) // at once by default
	time.Sleep(long)
}

// synced writes a file and waits until it is on the disk.
func synced(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(make([]byte, 1<<16), 0); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// server is a neighbour that runs.
type server struct {
	t       *testing.T
	address string
	stdin   io.Writer
	stdout  *bufio.Reader
}

// neighbour starts a server; a prefix of its command line may put it somewhere else, variables change what it does.
func neighbour(t *testing.T, name string, prefix []string, variables ...string) *server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append(prefix, self)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(append(os.Environ(), asNeighbour+"="+name), variables...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	s := &server{t: t, stdin: stdin, stdout: bufio.NewReader(stdout)}
	s.address = s.line()
	if _, _, err := net.SplitHostPort(s.address); err != nil {
		t.Fatal(s.address)
	}
	return s
}

func (s *server) line() string {
	s.t.Helper()
	line, err := s.stdout.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// call has the server call the other one, and waits for the answer.
func (s *server) call() {
	s.t.Helper()
	fmt.Fprintln(s.stdin)
	if got := s.line(); got != "called" {
		s.t.Fatal(got)
	}
}
