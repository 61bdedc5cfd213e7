// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostCPUs is more than the largest machine on which Linux runs has (NR_CPUS is 8192 at most): a longer list is not
// valid.
const mostCPUs = 8192

// List reads a list of processors as the kernel writes it: "0-3,8". The empty text is the empty list.
func List(text string) ([]int, error) {
	var out []int
	if text = strings.TrimSpace(text); text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := cpu(first)
		if err != nil {
			return nil, err
		}
		to, err := cpu(last)
		if err != nil {
			return nil, err
		}
		for n := from; n <= to; n++ {
			out = append(out, n)
		}
		if len(out) > mostCPUs || to < from {
			return nil, fmt.Errorf("%q is no list of processors", part)
		}
	}
	return out, nil
}

func cpu(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n >= mostCPUs {
		return 0, fmt.Errorf("%q is no processor", text)
	}
	return int(n), nil
}

// Format writes processors as the kernel and taskset do: "0-3,8".
func Format(cpus []int) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(cpus)))
	var b strings.Builder
	for i := 0; i < len(sorted); {
		last := i
		for last+1 < len(sorted) && sorted[last+1] == sorted[last]+1 {
			last++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d", sorted[i])
		if last > i {
			fmt.Fprintf(&b, "-%d", sorted[last])
		}
		i = last + 1
	}
	return b.String()
}
