// SPDX-License-Identifier: Apache-2.0

// Package exposition reads what the exporter serves with Prometheus' own parsers.
package exposition

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

func TestGoldenFiles(t *testing.T) {
	const internal = "../../exporters/nstar/"
	for _, tt := range []struct {
		files, contentType string
	}{
		{internal + "metrics/testdata/*.txt", "text/plain; version=0.0.4"},
		{internal + "samples/testdata/*.txt", "text/plain; version=0.0.4"},
		{internal + "*/testdata/*.openmetrics", "application/openmetrics-text; version=1.0.0"},
	} {
		files, err := filepath.Glob(tt.files)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v %v", tt.files, files, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) { parse(t, file, tt.contentType) })
		}
	}
}

// parse also sees that the samples of a series bear ascending times: Prometheus would drop others without a word.
func parse(t *testing.T, file, contentType string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parser, err := textparse.New(text, contentType, labels.NewSymbolTable(), textparse.ParserOptions{})
	if err != nil {
		t.Fatal(err)
	}
	last := make(map[string]int64)
	for {
		entry, err := parser.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		series, at, value := parser.Series()
		if before, seen := last[string(series)]; seen && (at == nil || *at <= before) {
			t.Errorf("%s: %v after %d", series, at, before)
		}
		last[string(series)] = 0
		if at != nil {
			last[string(series)] = *at
		}
		if math.IsNaN(value) {
			t.Errorf("%s: NaN", series)
		}
	}
	if len(last) == 0 {
		t.Error("no series")
	}
}
