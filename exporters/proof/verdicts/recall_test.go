// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// A stop from 1.01 to 1.22 s holds three whole windows: ends at 1.10, 1.15, 1.20. The first has no request.
func TestStoppedWindows(t *testing.T) {
	text := `{"t":1010,"stop":{"tier":"db","begin":"1970-01-01T00:00:01.010Z","end":"1970-01-01T00:00:01.220Z"}}` + "\n"
	windows := map[int][2]float64{ // queue and state by the window's end
		1000: {1, 1}, 1050: {2, 3}, 1100: {0, 0}, 1150: {3, 3}, 1200: {4, 1}, 1250: {5, 3}, 1300: {2, 1}, 2000: {3, 3},
	}
	for end, w := range windows {
		text += fmt.Sprintf(`{"t":%d,"v":{"queue_length{db}":%g}}`+"\n", end, w[0])
		text += fmt.Sprintf(`{"t":%d,"v":{"state{db}":%g}}`+"\n", end, w[1])
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "shop.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := stopped(figures.New("verdicts", &out), dir); err != nil {
		t.Fatal(err)
	}
	const want = "FAIL shop, db: of 2 windows fully in a stop, with a request, 50.0 % found (at least 97); " +
		"of 4 said to be frozen 75.0 % were (at least 99)"
	if !strings.Contains(out.String(), want) {
		t.Errorf("got %s\nwant %s", out.String(), want)
	}
}
