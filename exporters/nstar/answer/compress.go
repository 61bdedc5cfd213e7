// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// Compressed compresses the answers of a handler if the client accepts that. Most of an answer's cost is its
// compression, once a second for /windows. Half of that is saved if the answer need not be as small as possible.
func Compressed(h http.Handler) http.Handler { return compress(h) }

// compress never fails: its options are fixed.
var compress = func() func(http.Handler) http.HandlerFunc {
	wrap, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(gzip.BestSpeed))
	if err != nil {
		panic(err)
	}
	return wrap
}()
