// SPDX-License-Identifier: Apache-2.0

package bpf

import (
	"fmt"

	"github.com/cilium/ebpf"
)

// SetConstants gives values to constants of programs that are not loaded yet. Each has the type that the C source says.
func SetConstants(spec *ebpf.CollectionSpec, values map[string]any) error {
	for name, value := range values {
		v := spec.Variables[name]
		if v == nil {
			return fmt.Errorf("the programs have no constant %s", name)
		}
		if err := v.Set(value); err != nil {
			return fmt.Errorf("setting %s: %w", name, err)
		}
	}
	return nil
}
