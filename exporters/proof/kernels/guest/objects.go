// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/bpf/cores"
	"github.com/nstar-project/nstar/exporters/nstar/bpf/disk"
	"github.com/nstar-project/nstar/exporters/nstar/bpf/sched"
	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

// objects puts each object of the exporter before the verifier.
func objects() []console.Object {
	var all []console.Object
	for _, o := range []struct {
		name      string
		load      func() (*ebpf.CollectionSpec, error)
		constants map[string]any
	}{
		{"nstar", bpf.LoadNstar, nil},
		{"nstar with kinds", bpf.LoadNstar, map[string]any{"kinds_on": uint8(1)}},
		{"sched", sched.LoadSched, nil},
		{"sched with locks", sched.LoadSched, map[string]any{"locks": true}},
		{"migrate", cores.LoadMigrate, nil},
		{"misses", cores.LoadMisses, nil},
		{"disk", disk.LoadDisk, nil},
	} {
		all = append(all, verify(o.name, o.load, o.constants))
	}
	return all
}

func verify(name string, load func() (*ebpf.CollectionSpec, error), constants map[string]any) console.Object {
	o := console.Object{Name: name}
	if err := rlimit.RemoveMemlock(); err != nil {
		o.Error = err.Error()
		return o
	}
	spec, err := load()
	if err == nil {
		err = bpf.SetConstants(spec, constants)
	}
	if err != nil {
		o.Error = err.Error()
		return o
	}
	loaded, err := ebpf.NewCollection(spec)
	if err != nil {
		o.Error = lastWord(err)
		return o
	}
	defer loaded.Close()
	for _, program := range loaded.Programs {
		info, err := program.Info()
		if err != nil {
			continue
		}
		if n, ok := info.VerifiedInstructions(); ok {
			o.Walked = max(o.Walked, n)
		}
	}
	return o
}

// lastWord is an error with the last lines that the verifier printed, without its statistics: they say what the
// verifier refused.
func lastWord(err error) string {
	var verifier *ebpf.VerifierError
	if !errors.As(err, &verifier) {
		return err.Error()
	}
	said := verifier.Log
	for len(said) > 0 && (said[len(said)-1] == "" || strings.HasPrefix(said[len(said)-1], "processed ")) {
		said = said[:len(said)-1]
	}
	const most = 3
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first + ": ... " + strings.Join(said[max(0, len(said)-most):], "; ")
}
