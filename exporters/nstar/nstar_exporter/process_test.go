// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// asExporter makes this test's binary behave as nstar_exporter, so that tests can run it as a process.
const asExporter = "NSTAR_TEST_AS_EXPORTER"

func TestMain(m *testing.M) {
	if os.Getenv(asExporter) != "" {
		_ = called("nstar_exporter")
		main()
		return
	}
	if name := os.Getenv(asNeighbour); name != "" {
		neighbourMain(name)
		return
	}
	if machine := os.Getenv(asCollectors); machine != "" {
		collectorsMain(machine)
		return
	}
	os.Exit(m.Run())
}

// called gives the process a name, instead of that of the test's binary. It must be the first thread that sets it:
// TestMain runs there.
func called(name string) error {
	bytes := append([]byte(name), 0)
	return unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&bytes[0])), 0, 0, 0)
}

// command is the exporter, to be run with the arguments; a shell script before it may prepare its surroundings.
func command(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	if script != "" {
		cmd = exec.CommandContext(ctx, "unshare",
			append([]string{"-m", "sh", "-ec", script + "\nexec \"$@\"", "sh", self},
				args...)...)
	}
	cmd.Env = append(os.Environ(), asExporter+"=1")
	return cmd
}

// finish runs a command that ends by itself.
func finish(t *testing.T, cmd *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// fails expects exit code 1 and one line that holds the words.
func fails(t *testing.T, cmd *exec.Cmd, words ...string) {
	t.Helper()
	_, stderr, code := finish(t, cmd)
	if code != 1 || !strings.HasPrefix(stderr, "nstar_exporter: ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, want 1 and one line:\n%s", code, stderr)
	}
	for _, w := range words {
		if !strings.Contains(stderr, w) {
			t.Errorf("%q is not in: %s", w, stderr)
		}
	}
}

// exporter is a running process.
type exporter struct {
	*exec.Cmd
	t      *testing.T
	mu     sync.Mutex
	stderr bytes.Buffer
	client *http.Client
	base   []string // of the addresses it listens on
}

func (e *exporter) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stderr.Write(p)
}

func (e *exporter) log() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stderr.String()
}

var listening = regexp.MustCompile(`msg="Listening on" address=(\S+)`)

// needsBPF skips the test if the exporter can't run; under CI, where it must run, the test goes on and fails.
func needsBPF(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 && os.Getenv("CI") != "true" {
		t.Skip("needs root and a kernel with BPF")
	}
}

// start runs the exporter on a free port of loopback until it listens on as many addresses.
func start(t *testing.T, script string, addresses int, args ...string) *exporter {
	t.Helper()
	needsBPF(t)
	for range addresses {
		args = append(args, "--web.listen-address=127.0.0.1:0")
	}
	e := &exporter{Cmd: command(t, script, args...), t: t, client: &http.Client{Timeout: time.Minute}}
	e.Stderr = e
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		e.Process.Kill()
		e.Wait()
		if t.Failed() {
			t.Log(e.log())
		}
	})
	e.eventually("it listens", func() bool {
		e.base = nil
		for _, m := range listening.FindAllStringSubmatch(e.log(), -1) {
			e.base = append(e.base, "http://"+m[1])
		}
		return len(e.base) == addresses
	})
	return e
}

func (e *exporter) eventually(what string, ok func() bool) {
	e.t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			e.t.Fatalf("%s: did not happen", what)
		}
	}
}

func (e *exporter) do(method, url string) (body string, status int) {
	e.t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	r.SetBasicAuth("prometheus", "secret")
	response, err := e.client.Do(r)
	if err != nil {
		e.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text), response.StatusCode
}

func (e *exporter) get(path string) string {
	e.t.Helper()
	body, status := e.do(http.MethodGet, e.base[0]+path)
	if status != http.StatusOK {
		e.t.Fatalf("%s: status %d: %s", path, status, body)
	}
	return body
}

// stop ends the exporter as a service manager does.
func (e *exporter) stop() {
	e.t.Helper()
	if err := e.Process.Signal(syscall.SIGTERM); err != nil {
		e.t.Fatal(err)
	}
	if err := e.Wait(); err != nil {
		e.t.Errorf("ended with %v", err)
	}
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, text)
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
