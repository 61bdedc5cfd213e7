// SPDX-License-Identifier: Apache-2.0

// Command scrapes holds two scrapes of a system against the list of series that
// the rules need of it:
//
//	scrapes [-record FILE] SERIES BEFORE AFTER
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/nstar-project/nstar/exporters/check"
)

func main() {
	record := flag.String("record", "", "write the needed part of the later scrape to this file")
	flag.Parse()
	if err := run(flag.Args(), *record); err != nil {
		fmt.Fprintln(os.Stderr, "scrapes:", err)
		os.Exit(1)
	}
}

func run(args []string, record string) error {
	if len(args) != 3 {
		return fmt.Errorf("want a list of series and two scrapes, got %d arguments", len(args))
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	list, err := check.ReadList(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	var scrapes [2]check.Scrape
	for i, file := range args[1:] {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if scrapes[i], err = check.ReadScrape(bytes.NewReader(content)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	wrong := check.Compare(list, scrapes[0], scrapes[1])
	for _, w := range wrong {
		fmt.Println("FAIL", w)
	}
	if record != "" {
		var b bytes.Buffer
		if err := check.Record(&b, list, scrapes[1]); err != nil {
			return err
		}
		if err := os.WriteFile(record, b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d of %d series are not as they should be", len(wrong), len(list))
	}
	fmt.Printf("PASS %d series are there, those that should move do\n", len(list))
	return nil
}
