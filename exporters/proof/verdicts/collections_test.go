// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A virtual machine executes commands, each time that they are sent, and refuses unknown ones.
func TestAttach(t *testing.T) {
	java, err := filepath.Glob("/usr/lib/jvm/java-17-openjdk-*/bin/java")
	if err != nil || len(java) == 0 {
		t.Skip("no Java 17")
	}
	source := filepath.Join(t.TempDir(), "Collected.java")
	const program = `
		import java.lang.management.*;
		class Collected {
			public static void main(String[] arguments) throws Exception {
				System.out.println("ready");
				while (System.in.read() >= 0) {
					long n = 0;
					for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans()) n += b.getCollectionCount();
					System.out.println(n);
				}
			}
		}`
	if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(java[0], "-XX:+UseSerialGC", "-Xmx64m", source)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = c.Wait() })
	lines := bufio.NewReader(out)
	if text, err := lines.ReadString('\n'); err != nil || text != "ready\n" {
		t.Fatal(text, err)
	}
	counted := func() string {
		t.Helper()
		if _, err := io.WriteString(in, "?"); err != nil {
			t.Fatal(err)
		}
		text, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(text)
	}
	before := counted()
	for range 2 { // its socket is there, the second time
		jvm, err := attach(c.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := jvm.do("GC.run"); err != nil {
			t.Fatal(err)
		}
		if err := jvm.do("No.such.command"); err == nil {
			t.Error("it did what it can't know")
		}
	}
	if after := counted(); after == before {
		t.Errorf("%s collections before and after", before)
	}
}
