// SPDX-License-Identifier: Apache-2.0

package clock

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// asked makes this test's binary print the clock instead.
const asked = "NSTAR_TEST_CLOCK"

func TestMain(m *testing.M) {
	if os.Getenv(asked) != "" {
		fmt.Println(int64(Monotonic()))
		return
	}
	os.Exit(m.Run())
}

// In a time namespace whose clock is a day ahead the clock is still that of the kernel programs.
func TestTimeNamespace(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("unshare", "--time", "--fork", "--monotonic", "86400", self)
	cmd.Env = append(os.Environ(), asked+"=1")
	before := Monotonic()
	text, err := cmd.CombinedOutput()
	after := Monotonic()
	if err != nil {
		t.Skipf("no time namespaces, or no right to make one: %v: %s", err, text)
	}
	var ns int64
	if _, err := fmt.Sscan(string(text), &ns); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if there := time.Duration(ns); there < before || there > after {
		t.Errorf("the clock there is %v, here it went from %v to %v", there, before, after)
	}
}

func TestParseOffset(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"monotonic           0         0\nboottime            0         0\n": 0,
		"monotonic       86400 250000000\nboottime           -5         0\n": 24*time.Hour + 250*time.Millisecond,
		"monotonic          -2 900000000\n":                                  -1100 * time.Millisecond,
		"boottime           -5         0\n":                                  0,
		"monotonic    everywhere nothing\n":                                  0,
		"":                                                                   0,
		strings.Repeat("x", 100_000) + "\nmonotonic 1 0\n":                   0,
	} {
		if got := parseOffset(strings.NewReader(text)); got != want {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
	}
}
