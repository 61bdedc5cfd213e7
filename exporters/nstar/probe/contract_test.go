// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
)

// Every limit that the kernel side counts has its name at its place, and the other way round.
func TestDropReasonsAreTheKernels(t *testing.T) {
	header, err := os.ReadFile("../bpf/maps.h")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^\tDROP_(\w+) = (\d+),`).FindAllStringSubmatch(string(header), -1) {
		want = append(want, m[2]+" "+strings.ToLower(m[1]))
	}
	for i, reason := range DropReasons {
		got = append(got, fmt.Sprint(i, " ", reason))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-maps.h +DropReasons:\n%s", diff)
	}
	spec, err := bpf.LoadNstar()
	if err != nil {
		t.Fatal(err)
	}
	if n := int(spec.Variables["drops"].Size()) / 8; n != len(want) {
		t.Errorf("the kernel side counts %d limits, %d have names", n, len(want))
	}
}
