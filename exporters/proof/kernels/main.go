// SPDX-License-Identifier: Apache-2.0

// Command kernels tries the exporter on kernels other than the running one, each in a virtual machine: whether its BPF
// objects load, whether the tests that need a kernel pass, and whether it counts requests exactly. `make check-kernels`
// fetches what it needs and runs it; docs/proof.md has the results.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/figures"
	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

func main() {
	dir := flag.String("kernels", ".cache/kernels", "where kernels lie: ARCHITECTURE/VERSION/vmlinuz, with modules")
	programs := flag.String("programs", ".cache/proof/kernels", "where what runs in the machines lies, by architecture")
	emulation := flag.String("emulation", ".cache/debian", "where qemu was unpacked")
	only := flag.String("only", "", "kernels to try, as a regular expression for ARCHITECTURE/VERSION; all if empty")
	quick := flag.Bool("quick", false, "leave the tests out: objects and counts only")
	limit := flag.Duration("limit", 40*time.Minute, "most time for one kernel")
	verbose := flag.Bool("v", false, "show what the machines print")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop() // a machine that is running ends with this program
	r := figures.New("kernels", os.Stdout)
	var serial io.Writer = io.Discard
	if *verbose {
		serial = os.Stdout
	}
	if err := all(ctx, r, *dir, *programs, *emulation, *only, *quick, *limit, serial); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(2)
	}
	if err := r.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

func all(ctx context.Context, r *figures.Report, dir, programs, emulation, only string, quick bool,
	limit time.Duration, serial io.Writer) error {
	kernels, err := find(dir, only)
	if err != nil {
		return err
	}
	leave := ""
	if quick {
		leave = "tests"
	}
	var rows []row
	for _, k := range kernels {
		began := time.Now()
		report, err := k.try(ctx, filepath.Join(programs, k.arch), leave, emulation, limit, serial)
		judge(r, k, report, err)
		rows = append(rows, row{k, report, time.Since(began)})
		if ctx.Err() != nil {
			break
		}
	}
	table(os.Stdout, rows)
	return nil
}

// find lists the kernels that were unpacked, the oldest first.
func find(dir, only string) (all []kernel, err error) {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return nil, err
	}
	images, err := filepath.Glob(filepath.Join(dir, "*/*/vmlinuz"))
	if err != nil {
		return nil, err
	}
	for _, image := range images {
		k := kernel{dir: filepath.Dir(image)}
		k.version, k.arch = filepath.Base(k.dir), filepath.Base(filepath.Dir(k.dir))
		if wanted.MatchString(k.arch + "/" + k.version) {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no kernel in %s fits %q", dir, only)
	}
	slices.SortFunc(all, func(a, b kernel) int {
		if a.arch != b.arch {
			return strings.Compare(a.arch, b.arch)
		}
		return slices.Compare(numbers(a.version), numbers(b.version))
	})
	return all, nil
}

// numbers are those of a version, in order: 6, 12, 117 ... of 6.12.117+deb12-cloud-amd64.
func numbers(version string) (all []int) {
	for _, n := range strings.FieldsFunc(version, func(r rune) bool { return r < '0' || r > '9' }) {
		i, _ := strconv.Atoi(n) // digits only; one too large sorts last
		all = append(all, i)
	}
	return all
}

// judge says which conditions fail on a kernel.
func judge(r *figures.Report, k kernel, found console.Report, err error) {
	r.Section("%s, Linux %s", k.arch, k.version)
	if err != nil {
		r.Check(false, "the machine: %v", err)
	}
	r.Check(found.Done, "the machine came to its end")
	for _, p := range found.Problems {
		r.Check(false, "%s", p)
	}
	if found.Refused != "" {
		plain := !strings.Contains(found.Refused, "\n") && strings.Contains(found.Refused, "or newer is needed")
		r.Check(plain, "the exporter says: %s", found.Refused)
		return
	}
	for _, o := range found.Objects {
		if o.Error != "" {
			r.Check(false, "%s does not load: %s", o.Name, o.Error)
			continue
		}
		r.Check(true, "%s loads; the verifier walked %d instructions", o.Name, o.Walked)
	}
	for _, t := range found.Tests {
		r.Check(t.Tail == "" && len(t.Failed)+len(t.Skipped) == 0 && t.Passed > 0,
			"tests of %s: %d passed, failed: %v, left out: %v", t.Package, t.Passed, t.Failed, t.Skipped)
		for line := range strings.Lines(t.Tail) {
			r.Note("%s", strings.TrimRight(line, "\n"))
		}
	}
	for _, l := range found.Loads {
		r.Check(l.Exact(), "%s: %d requests asked, %d served, %d arrivals, %d completions, %d aborts, drift %g",
			l.Name, l.Asked, l.Served, l.Arrivals, l.Completions, l.Aborts, l.Drift)
	}
	for _, c := range found.Complaints {
		r.Note("the exporter warns: %s", c)
	}
}
