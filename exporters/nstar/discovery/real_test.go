// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// helperEnv makes the test binary act as another process, at the place of pathEnv.
const (
	helperEnv = "NSTAR_DISCOVERY_HELPER"
	pathEnv   = "NSTAR_DISCOVERY_PATH"
)

func TestMain(m *testing.M) {
	switch os.Getenv(helperEnv) {
	case "":
		os.Exit(m.Run())
	case "listen": // until standard input ends
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fmt.Println(l.Addr(), err)
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	case "listen-unix": // the same at a Unix socket, where only the first connection is accepted
		l, err := net.Listen("unix", os.Getenv(pathEnv))
		fmt.Println(err)
		_, _ = l.Accept()
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	case "scan":
		snap, err := NewScanner("/proc", 0).Scan(nil)
		fmt.Println(err, snap.Problem(), errors.Is(snap.Problem(), ErrPermission))
	}
}

// helper runs the test binary in a role and returns its first line of output.
func helper(t *testing.T, role string, command []string, change func(*exec.Cmd)) (line string, pid int) {
	t.Helper()
	command = append(command, os.Args[0])
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), helperEnv+"="+role)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cmd)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); _ = cmd.Wait() })
	line, err = bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: no answer: %v", role, err)
	}
	return strings.TrimSpace(line), cmd.Process.Pid
}

// tierAt is the tier that listens there, as the port of a listener of the test.
func tierAt(t *testing.T, snap Snapshot, place string) (Tier, Listener) {
	t.Helper()
	want := netip.MustParseAddrPort(place)
	for _, tier := range snap.Tiers {
		for _, l := range tier.Listeners {
			if l.Port == want.Port() && l.Addr == want.Addr() {
				return tier, l
			}
		}
	}
	t.Fatalf("no tier at %s in %+v", place, snap.Tiers)
	return Tier{}, Listener{}
}

func listenAt(t *testing.T, network, address string) *net.TCPListener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Skipf("cannot listen at %s: %v", address, err)
	}
	t.Cleanup(func() { l.Close() })
	return l.(*net.TCPListener)
}

func TestRealSockets(t *testing.T) {
	s := NewScanner("/proc", -1) // this process is a tier for once
	v4 := listenAt(t, "tcp4", "127.0.0.1:0")
	v6 := listenAt(t, "tcp6", "[::1]:0")
	snap := scan(t, s)
	me := int32(os.Getpid())
	for _, l := range []net.Listener{v4, v6} {
		tier, _ := tierAt(t, snap, l.Addr().String())
		if !slices.Equal(tier.PIDs, []int32{me}) || tier.JVM || tier.Program != "go" {
			t.Errorf("tier at %s is %+v, want process %d", l.Addr(), tier, me)
		}
	}
	if _, err := NewScanner("/proc", 0).Scan(nil); err != nil {
		t.Error(err)
	}

	conn, err := net.Dial("tcp", v4.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	accepted, err := v4.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	_, l := tierAt(t, snap, v4.Addr().String())
	want := Connection{NetNS: l.NetNS, PID: me,
		Local: conn.LocalAddr().(*net.TCPAddr).AddrPort(), Remote: conn.RemoteAddr().(*net.TCPAddr).AddrPort()}
	if out := scan(t, s).Outgoing; !slices.Contains(out, want) {
		t.Errorf("outgoing %v lacks %v", out, want)
	} else if slices.ContainsFunc(out, func(c Connection) bool {
		return c.Local == want.Remote &&
			c.Remote == want.Local
	}) {
		t.Error("the accepted end counts as outgoing")
	}
}

func TestRealInheritedSocket(t *testing.T) {
	l := listenAt(t, "tcp4", "127.0.0.1:0")
	file, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	child := exec.Command("sleep", "60")
	child.ExtraFiles = []*os.File{file}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()

	s := NewScanner("/proc", -1)
	tier, _ := tierAt(t, scan(t, s), l.Addr().String())
	want := []int32{int32(os.Getpid()), int32(child.Process.Pid)}
	slices.Sort(want)
	if !slices.Equal(tier.PIDs, want) {
		t.Errorf("processes %v, want %v", tier.PIDs, want)
	}
	// The child alone, where this process is the exporter.
	tier, _ = tierAt(t, scan(t, NewScanner("/proc", 0)), l.Addr().String())
	if tier.Name != "sleep" || !slices.Equal(tier.PIDs, []int32{int32(child.Process.Pid)}) {
		t.Errorf("without this process: %+v", tier)
	}
}

// The two ways to read sockets must agree; others may come and go meanwhile.
func TestRealDiagAgreesWithProcfs(t *testing.T) {
	mine := []*net.TCPListener{listenAt(t, "tcp4", "127.0.0.1:0"), listenAt(t, "tcp6", "[::1]:0"),
		listenAt(t, "tcp", ":0")}
	conn, err := net.Dial("tcp", mine[2].Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	byDiag, err := diagSockets(nil, 7)
	if err != nil {
		t.Fatal(err)
	}
	var byTable []socket
	fs := procfs{root: "/proc"}
	for _, name := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		if b, err := fs.read(name); err == nil {
			byTable = appendSockets(byTable, b, 7)
		}
	}
	ports := []uint16{uint16(conn.LocalAddr().(*net.TCPAddr).Port)}
	for _, l := range mine {
		ports = append(ports, uint16(l.Addr().(*net.TCPAddr).Port))
	}
	pick := func(all []socket) map[uint64]socket {
		out := make(map[uint64]socket)
		for _, s := range all {
			if slices.Contains(ports, s.local.Port()) {
				out[s.inode] = s
			}
		}
		return out
	}
	if diff := cmp.Diff(pick(byTable), pick(byDiag), compare); diff != "" || len(pick(byDiag)) < 4 {
		t.Errorf("%d sockets, tables against diagnosis: %s", len(pick(byDiag)), diff)
	}
}

func TestRealNamespace(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to make a network namespace")
	}
	name := fmt.Sprintf("nstar-discovery-%d", os.Getpid())
	if out, err := exec.Command("ip", "netns", "add", name).CombinedOutput(); err != nil {
		t.Skipf("no network namespaces here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "delete", name).Run() })
	enter := []string{"ip", "netns", "exec", name}
	if out, err := exec.Command(enter[0], append(enter[1:], "ip", "link", "set", "lo",
		"up")...).CombinedOutput(); err != nil {
		t.Skipf("no loopback in the namespace: %v: %s", err, out)
	}
	line, pid := helper(t, "listen", enter, nil)
	place, _, _ := strings.Cut(line, " ")
	tier, l := tierAt(t, scan(t, NewScanner("/proc", 0)), place)
	fs := procfs{root: "/proc"}
	if ns, err := fs.netns(int32(pid)); err != nil || ns != l.NetNS || ns == fs.netnsOfCaller() {
		t.Errorf("namespace %d (%v), found %d, ours %d", ns, err, l.NetNS, fs.netnsOfCaller())
	}
	if !slices.Equal(tier.PIDs, []int32{int32(pid)}) {
		t.Errorf("processes %v, want %d", tier.PIDs, pid)
	}
}

func TestRealPermission(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to run a process as nobody")
	}
	listenAt(t, "tcp4", "127.0.0.1:0") // ours, into which the user nobody may not look
	dir, err := os.MkdirTemp("", "nstar")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// The user nobody may not enter the folder where go test puts its binary.
	if out, err := exec.Command("sh", "-c",
		"chmod 755 "+dir+" && cp "+os.Args[0]+" "+dir+"/discovery").CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	line, _ := helper(t, "scan", []string{dir + "/discovery"}, func(cmd *exec.Cmd) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir = "/"
	})
	if !strings.HasPrefix(line, "<nil> listening sockets without a visible owner: ") ||
		!strings.HasSuffix(line, " true") {
		t.Errorf("scan as nobody said: %s", line)
	}
}
