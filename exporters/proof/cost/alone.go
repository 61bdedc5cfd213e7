// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// alone makes sure that no other exporter runs: "nothing" would not be nothing.
func alone() error {
	names, err := filepath.Glob("/proc/[0-9]*/comm")
	if err != nil {
		return err
	}
	for _, name := range names {
		if text, err := os.ReadFile(name); err == nil && strings.TrimSpace(string(text)) == "nstar_exporter" {
			return fmt.Errorf("an nstar_exporter runs already (process %s): stop it first, it would count as "+
				"nothing; a demo stops by `make demo-stop`",
				filepath.Base(filepath.Dir(name)))
		}
	}
	return nil
}

// busy is how many programs want to run besides this one, averaged over the last minute.
func busy() (string, error) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "", err
	}
	return strings.Fields(string(text))[0], nil
}
