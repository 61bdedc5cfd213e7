// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// keepName is for how long the name of a tier that is gone is kept for it: its server may be restarting.
	keepName = 2 * time.Minute
	// mostNames bounds how many names are kept of tiers that are gone.
	mostNames = 1024
)

// names gives tiers their names and keeps them over scans. Two tiers of the same name are distinguished by their ports
// or sockets, and the one that was there first keeps the plain name: counters, curves and alerts go on though a second
// "java" starts.
type names struct {
	kept []*named
	now  func() time.Time
}

// key identifies a tier by name.
type key struct{ app, name string }

// named is a tier that has a name.
type named struct {
	key
	base key     // its name if it were alone
	proc running // its oldest process
	home string  // of that process
	// it listens: ports and paths; a container's namespace is another after each start, these are not
	where       map[string]bool
	first, last time.Time // it was seen
	taken       bool      // by a tier of the present scan
}

// running is one process running one program; unlike identity it does not know the name, which a process may change.
type running struct {
	pid          int32
	start, stack uint64
}

func (p *process) running() running { return running{p.pid, p.start, p.stack} }

func newNames() *names { return &names{now: time.Now} }

// assign names the tiers that no rule names; those are sorted by age.
func (n *names) assign(drafts []draft) {
	now := n.now()
	used := make(map[key]bool)
	for _, d := range drafts {
		if d.named {
			used[key{d.app, d.name}] = true
		}
	}
	for _, k := range n.kept {
		k.taken = false
	}
	found := make([]*named, len(drafts))
	for _, same := range []func(*named, draft) bool{(*named).isProcess, (*named).isSuccessor} {
		for i, d := range drafts {
			if d.named || found[i] != nil {
				continue
			}
			at := slices.IndexFunc(n.kept, func(k *named) bool { return !k.taken && !used[k.key] && same(k, d) })
			if at >= 0 {
				found[i] = n.kept[at]
				found[i].taken = true
			}
		}
	}
	for i, d := range drafts {
		if found[i] != nil {
			found[i] = n.restarted(found[i], d, used)
		}
	}
	for _, k := range n.kept {
		used[k.key] = true
	}
	for i, d := range drafts {
		if d.named {
			continue
		}
		if found[i] == nil {
			found[i] = &named{key: unusedName(d, used), first: now, taken: true}
			used[found[i].key] = true
			n.kept = append(n.kept, found[i])
		}
		found[i].observe(d, now)
		drafts[i].app, drafts[i].name = found[i].app, found[i].name
	}
	n.forget(now)
}

// restarted is the name that a tier had before its server started again, if that listened elsewhere at first, and got
// another name there. The other name is given up.
func (n *names) restarted(k *named, d draft, used map[key]bool) *named {
	at := slices.IndexFunc(n.kept, func(gone *named) bool {
		return !gone.taken && !used[gone.key] && k.first.After(gone.last) && gone.isSuccessor(d)
	})
	if at < 0 {
		return k
	}
	before := n.kept[at]
	before.taken = true
	n.kept = slices.DeleteFunc(n.kept, func(other *named) bool { return other == k })
	return before
}

// isProcess reports whether the tier's process is the one that has the name, whatever it calls itself now. A
// process that gets a home (a unit, a container's name) after it began to listen is named after that home.
func (k *named) isProcess(d draft) bool {
	return k.proc == d.leader.running() && k.home == d.leader.home.name
}

// isSuccessor reports whether the tier is a restart of the one that had the name before.
func (k *named) isSuccessor(d draft) bool {
	return k.base == key{d.app, d.name} && d.listensAt(k.where)
}

func (k *named) observe(d draft, now time.Time) {
	if k.base == (key{}) || k.proc != d.leader.running() {
		k.base = key{d.app, d.name}
	}
	k.proc, k.home, k.last = d.leader.running(), d.leader.home.name, now
	k.where = make(map[string]bool)
	for _, s := range d.serves {
		k.where[s.listener.where()] = true
	}
}

func (d draft) listensAt(where map[string]bool) bool {
	return slices.ContainsFunc(d.serves, func(s serving) bool { return where[s.listener.where()] })
}

// where is the port, or the name of a Unix socket's file. Python's multiprocessing puts its sockets under random names
// into a directory of a random name: those would be another tier after each start.
func (l Listener) where() string {
	if strings.HasPrefix(path.Base(path.Dir(l.Path)), "pymp-") {
		return "multiprocessing"
	}
	if l.Path != "" {
		return path.Base(l.Path)
	}
	return strconv.Itoa(int(l.Port))
}

// unusedName is the tier's own name or, if that is used, a name that says where it listens.
func unusedName(d draft, used map[key]bool) key {
	lowest := slices.MinFunc(d.serves, func(a, b serving) int {
		return cmp.Or(cmp.Compare(a.listener.Path, b.listener.Path), cmp.Compare(a.listener.Port, b.listener.Port),
			byPlace(a.listener, b.listener))
	}).listener
	k := key{d.app, d.name}
	suffixes := []string{":" + lowest.where(), fmt.Sprintf("@%d", lowest.NetNS), "/" + lowest.Addr.String()}
	if lowest.Path != "" {
		suffixes = []string{":" + lowest.where(), "@" + lowest.Path}
	}
	for _, suffix := range suffixes {
		if !used[k] {
			return k
		}
		k.name += suffix
	}
	for i, base := 2, k.name; used[k]; i++ {
		k.name = fmt.Sprintf("%s#%d", base, i)
	}
	return k
}

// forget drops the names of tiers that have been gone for long, and, if there are many, of those gone for longest.
func (n *names) forget(now time.Time) {
	n.kept = slices.DeleteFunc(n.kept, func(k *named) bool { return now.Sub(k.last) > keepName })
	if len(n.kept) <= mostNames {
		return
	}
	slices.SortStableFunc(n.kept, func(a, b *named) int { return b.last.Compare(a.last) })
	present := 0
	for _, k := range n.kept {
		if k.taken {
			present++
		}
	}
	n.kept = n.kept[:min(len(n.kept), max(mostNames, present))]
}
