// SPDX-License-Identifier: Apache-2.0

// Package mounts reads what a process has mounted, as mountinfo tells it (proc_pid_mountinfo(5)).
package mounts

import (
	"os"
	"path/filepath"
	"strings"
)

// Mount is one file system in a process's tree.
type Mount struct {
	Root    string   // of the file system: the directory of it that is mounted
	Point   string   // where, seen from the process's root
	Type    string   // of the file system
	Options []string // of the file system itself
}

// Of reads the mounts of the process that a directory of procfs describes.
func Of(process string) ([]Mount, error) {
	text, err := os.ReadFile(filepath.Join(process, "mountinfo"))
	if err != nil {
		return nil, err
	}
	return Parse(string(text)), nil
}

// Parse reads the text of a mountinfo file. The fields before the lone dash are as many as the kernel likes, behind it
// the source may be empty; lines that are cut off are left out.
func Parse(mountinfo string) (out []Mount) {
	for line := range strings.Lines(mountinfo) {
		before, after, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 2 {
			continue
		}
		out = append(out, Mount{
			Root: unescape.Replace(left[3]), Point: unescape.Replace(left[4]), Type: right[0],
			Options: strings.Split(right[len(right)-1], ","),
		})
	}
	return out
}

var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
