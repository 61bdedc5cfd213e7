// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const loopback = "--web.listen-address=127.0.0.1:0"

func TestHelpAndVersion(t *testing.T) {
	for _, tt := range []struct {
		flag string
		want []string
	}{
		{"--help", []string{"--window=50ms", "--config.file", "--web.listen-address=:9965", "--web.config.file",
			"--log.level"}},
		{"--version", []string{"nstar_exporter, version"}},
	} {
		stdout, stderr, code := finish(t, command(t, "", tt.flag))
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", tt.flag, code, stderr)
		}
		for _, w := range tt.want {
			if !strings.Contains(stdout+stderr, w) {
				t.Errorf("%s does not say %q:\n%s", tt.flag, w, stdout)
			}
		}
	}
}

func TestBadFlags(t *testing.T) {
	for _, tt := range []struct {
		args  string
		words []string
	}{
		{"--window=abc", []string{"--window=abc", "50ms"}},
		{"--window=50", []string{"--window=50", "50ms"}},
		{"--window=5ms", []string{"--window=5ms", "between 10ms and 1s"}},
		{"--window=2s", []string{"--window=2s", "between"}},
		{"--window=-50ms", []string{"--window", "between"}},
		{"--window=30ms", []string{"--window=30ms", "divide one second"}},
		{"--window=12.5ms", []string{"--window=12.5ms", "whole milliseconds"}},
		{"--settle=50ms", []string{"--settle=50ms", "between"}},
		{"--settle=1m", []string{"--settle=1m", "between"}},
		{"--window=500ms --settle=500ms", []string{"--settle=500ms", "two windows"}},
		{"--windows.retention=1s", []string{"--windows.retention=1s", "between"}},
		{"--windows.retention=abc", []string{"--windows.retention=abc", "duration"}},
		{"--limit.tiers=0", []string{"--limit.tiers=0", "between 1 and 1024"}},
		{"--limit.tiers=many", []string{"--limit.tiers=many", "number"}},
		{"--limit.edges=5000", []string{"--limit.edges=5000", "between"}},
		{"--peers.port=99999", []string{"--peers.port=99999", "between"}},
		{"--peers.address=http://x", []string{"--peers.address", "http://x", "HOST:PORT"}},
		{"--peers.config.file=/nowhere", []string{"--peers.config.file=/nowhere", "no such file"}},
		{"--record.limit=0", []string{"--record.limit=0", "between"}},
		{"--runtime.gomaxprocs=0", []string{"--runtime.gomaxprocs=0", "at least 1"}},
		{"--record.file=/nonexistent/file", []string{"--record.file", "/nonexistent/file", "no such file"}},
		{"--path.procfs=/nonexistent", []string{"--path.procfs=/nonexistent", "procfs"}},
		{"--nosuch", []string{"--nosuch", "--help"}},
		{"extra", []string{"extra", "--help"}},
		{"--log.level=loud", []string{"loud"}},
		{"--config.check", []string{"--config.file"}},
		{"--config.file=/nonexistent.yml", []string{"/nonexistent.yml", "no such file"}},
		{"--web.config.file=/nonexistent.yml", []string{"--web.config.file", "/nonexistent.yml"}},
		{"--web.listen-address=127.0.0.1:99999", []string{"--web.listen-address=127.0.0.1:99999", "port"}},
		{"--web.listen-address=nonsense", []string{"--web.listen-address=nonsense", "port"}},
		{"--web.systemd-socket", []string{"--web.systemd-socket", ".socket"}},
	} {
		t.Run(tt.args, func(t *testing.T) {
			fails(t, command(t, "", strings.Fields(tt.args)...), tt.words...)
		})
	}
}

func TestConfigCheck(t *testing.T) {
	good := file(t, "good.yml", "tiers:\n  - name: web\n    match: {port: 80}\nignore:\n  - command: sshd\n")
	stdout, stderr, code := finish(t, command(t, "", "--config.check", "--config.file="+good))
	if code != 0 || !strings.Contains(stdout, "1 tiers, 1 ignored, 0 remotes: ok") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	bad := file(t, "bad.yml", "tiers:\n  - name: web\n    match:\n      port: http\n")
	fails(t, command(t, "", "--config.check", "--config.file="+bad), bad, "4", "port")
	fails(t, command(t, "", loopback, "--config.file="+bad), bad, "port") // the same without --config.check
}

func TestBadWebConfig(t *testing.T) {
	bad := file(t, "web.yml", "tls_server_config:\n  cert: nothing\nfoo: bar\n")
	fails(t, command(t, "", loopback, "--web.config.file="+bad), "--web.config.file")
}

func TestPortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	at := l.Addr().String()
	fails(t, command(t, "", "--web.listen-address="+at), "--web.listen-address="+at, "in use", "ss -ltnp")
}

func TestNotRoot(t *testing.T) {
	if os.Getuid() != 0 {
		fails(t, command(t, "", loopback), "run as root", "CAP_BPF")
		return
	}
	cmd := command(t, "", loopback)
	cmd.Path, cmd.Dir = programForAll(t), "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	fails(t, cmd, "run as root", "CAP_BPF")
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

// canUnshare skips the test if mounts can't be changed for one process.
func canUnshare(t *testing.T) {
	t.Helper()
	needsBPF(t)
	if err := exec.Command("unshare", "-m", "true").Run(); err != nil {
		t.Skipf("mount namespaces can't be made here: %v", err)
	}
}

func TestNoBTF(t *testing.T) {
	canUnshare(t)
	fails(t, command(t, "mount -t tmpfs none /sys/kernel/btf", loopback), "CONFIG_DEBUG_INFO_BTF")
}

func TestOneLine(t *testing.T) {
	for _, tt := range []struct{ err, want string }{
		{"short", "short"},
		{"yaml: unmarshal errors:\n  line 1: bad\n\n  line 2: worse\n",
			"yaml: unmarshal errors: line 1: bad line 2: worse"},
	} {
		if got := oneLine(errors.New(tt.err)); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
