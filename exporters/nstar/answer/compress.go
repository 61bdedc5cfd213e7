// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// Compressed compresses what a handler answers, where the client takes that. Most of what an answer costs is its
// compression, once a second for /windows, and half of that is saved where it need not be as small as can be.
func Compressed(h http.Handler) http.Handler { return compress(h) }

// compress never fails: its options are fixed.
var compress = func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(gzip.BestSpeed))
	if err != nil {
		panic(err)
	}
	return wrap
}()
