// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A tier gets processors of its own: the other tiers keep the rest of the processors that they shared, or move to the
// other processors of their host, beside the programs that run there.
func TestTakeOut(t *testing.T) {
	group := func(host string, processors, others float64, stations ...int) machine {
		return machine{host: host, stations: stations, processors: processors, others: others, follows: 0.5}
	}
	alone := func(host string, processors float64, station int) machine {
		return machine{host: host, stations: []int{station}, processors: processors}
	}
	for _, test := range []struct {
		name       string
		before     []machine
		processors float64
		want       []machine // nil: refused
	}{
		{"some are left", []machine{group("h", 4, 0.4, 0, 1, 2)}, 1,
			[]machine{group("h", 3, 0.4, 1, 2), alone("h", 1, 0)}},
		{"it was alone", []machine{group("h", 2, 0.2, 0)}, 1, []machine{group("h", 1, 0.2), alone("h", 1, 0)}},
		{"none is left, and the host has another one", []machine{group("h", 1, 0.2, 2), group("h", 1, 0.3, 0, 1)}, 1,
			[]machine{group("h", 1, 0.5, 1, 2), alone("h", 1, 0)}},
		{"the other ones are another host's", []machine{group("h", 1, 0.2, 0, 1), group("g", 1, 0.3, 2)}, 1, nil},
		{"nobody knows whose they are", []machine{group("", 1, 0.2, 0, 1), group("", 1, 0.3, 2)}, 1, nil},
		{"more than the host has", []machine{group("h", 1, 0.2, 0, 1), group("h", 1, 0.3, 2)}, 2, nil},
	} {
		n := network{stations: []station{{name: "db"}, {name: "web"}, {name: "app"}}, machines: test.before}
		err := n.takeOut(0, test.processors)
		if test.want == nil {
			if err == nil {
				t.Errorf("%s: not refused: %+v", test.name, n.machines)
			}
			continue
		}
		if diff := cmp.Diff(test.want, n.machines, cmp.AllowUnexported(machine{}), cmpopts.EquateEmpty()); err != nil ||
			diff != "" {
			t.Errorf("%s: %v\n-want +got\n%s", test.name, err, diff)
		}
	}
}
