// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServeErrors(t *testing.T) {
	built := pageDirectory(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"--page.directory", t.TempDir()}, "build the page with `make page`"},
		{[]string{"--page.directory", "/nonexistent"}, "/nonexistent"},
		{[]string{"--page.directory", built, "--prometheus", "localhost:9090"}, "must begin with http://"},
		{[]string{"--page.directory", built, "--http.config.file", "/nonexistent.yml"}, "nonexistent.yml"},
		{[]string{"--page.directory", built, "--web.config.file", "/nonexistent.yml"}, "--web.config.file"},
		{[]string{"--page.directory", built, "--web.listen-address", taken.Addr().String()}, "stop the program that " +
			"listens there"},
	} {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"serve"}, test.args...), &stdout, &stderr)
		if code != exitError || !strings.Contains(stderr.String(), test.says) ||
			strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: code %d, stderr %q, want one line with %q", test.args, code, stderr.String(), test.says)
		}
	}
}

func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	ended := make(chan int)
	var stderr bytes.Buffer
	go func() {
		ended <- run([]string{"serve", "--page.directory", pageDirectory(t), "--prometheus", prometheus(t, "idle", ""),
			"--web.listen-address", address}, io.Discard, &stderr)
	}()
	if got := eventually(t, "http://"+address+"/"); got != "<title>Bottlenecks</title>" {
		t.Errorf("the page is %q", got)
	}
	if got := eventually(t, "http://"+address+"/api/v1/query?query=time()"); !strings.Contains(got, `"scalar"`) {
		t.Errorf("the query's answer is %q", got)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case code := <-ended:
		if code != exitOK {
			t.Errorf("ended with %d: %s", code, stderr.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("did not end after SIGTERM")
	}
}

func pageDirectory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<title>Bottlenecks</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// eventually reads an address as soon as something listens there.
func eventually(t *testing.T, address string) string {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		answer, err := http.Get(address)
		if err == nil {
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
