// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/sys/unix"
)

// asNeighbour makes this test's binary a server whose process has this name.
const asNeighbour = "NSTAR_TEST_AS_NEIGHBOUR"

// neighbourMain answers requests until standard input ends. The name is that of the whole process, so it must be the first
// thread that sets it: TestMain runs there.
func neighbourMain(name string) {
	bytes := append([]byte(name), 0)
	if err := unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&bytes[0])), 0, 0, 0); err != nil {
		fmt.Println(err)
		return
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go http.Serve(l, http.NotFoundHandler())
	fmt.Println(l.Addr())
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// neighbour starts such a process and returns its address.
func neighbour(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asNeighbour+"="+name)
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
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(line)
	if _, _, err := net.SplitHostPort(address); err != nil {
		t.Fatal(address)
	}
	return address
}

// Any local user chooses the names of processes; no name may take the endpoints away from the others.
func TestNameThatIsNotText(t *testing.T) {
	address := neighbour(t, "\xff\xfe\n\"}")
	e := start(t, "", 1)
	const shown = `tier="` + "\ufffd\ufffd\ufffd" + `\"}`
	e.eventually("the tier is known", func() bool { return strings.Contains(e.get("/metrics"), shown) })
	response, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	e.eventually("its windows", func() bool { return strings.Contains(e.get("/windows"), shown) })
	for _, path := range []string{"/metrics", "/windows"} {
		if text := e.get(path); !utf8.ValidString(text) {
			t.Errorf("%s is not text", path)
		}
	}
	e.stop()
}
