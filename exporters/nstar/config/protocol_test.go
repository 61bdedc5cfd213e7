// SPDX-License-Identifier: Apache-2.0

package config

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The kernel programs have the same protocols, by the same numbers.
func TestProtocolsAreTheKernels(t *testing.T) {
	header, err := os.ReadFile("../bpf/conn.h")
	if err != nil {
		t.Fatal(err)
	}
	want, got := make(map[string]uint32), make(map[string]uint32)
	for _, m := range regexp.MustCompile(`(?m)^\tPROTOCOL_(\w+) = (\d+),`).FindAllStringSubmatch(string(header), -1) {
		n, err := strconv.ParseUint(m[2], 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		want[strings.ToLower(m[1])] = uint32(n)
	}
	for _, p := range protocols {
		got[string(p)] = p.Number()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-conn.h +config:\n%s", diff)
	}
}
