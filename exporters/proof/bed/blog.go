// SPDX-License-Identifier: Apache-2.0

package bed

import "fmt"

// Reading are the pages that visitors of the blog (deploy/blog) look at: the newest posts, an older page of them,
// single posts.
func Reading() []string {
	out := []string{"/", "/?paged=7", "/?cat=1"}
	for i := 1; i <= 12; i++ {
		out = append(out, fmt.Sprintf("/?p=%d", 80*i))
	}
	return out
}

// Searching is the work of the blog's database: no index helps, and every post is read.
func Searching() []string {
	var out []string
	for _, word := range []string{"bake", "lomi", "taru", "senvo", "dipel", "noshi", "futor"} {
		out = append(out, "/?s="+word+word+word)
	}
	return out
}
