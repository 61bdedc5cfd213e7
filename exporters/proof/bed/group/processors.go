// SPDX-License-Identifier: Apache-2.0

package group

import (
	"fmt"
	"time"
)

// UsualPeriod is the kernel's own period of quotas.
const UsualPeriod = 100 * time.Millisecond

// leastQuota is the smallest quota that Linux allows: small shares need longer periods.
const leastQuota = time.Millisecond

// quota is this many processors as a time in each period, which is as long as asked or longer, in microseconds.
func quota(processors float64, period time.Duration) (us, length int64) {
	period = max(period, time.Duration(float64(leastQuota)/processors))
	return max(leastQuota.Microseconds(), int64(processors*float64(period.Microseconds()))), period.Microseconds()
}

// Quota limits the group to this many processors; 0 is no limit. In a short period a tier that has used its
// share waits for milliseconds, not for whole windows.
func (g *Group) Quota(processors float64, period time.Duration) error {
	if processors == 0 {
		if g.first {
			return g.set("cpu.cfs_quota_us", "-1")
		}
		return g.set("cpu.max", "max")
	}
	us, length := quota(processors, period)
	if !g.first {
		return g.set("cpu.max", fmt.Sprintf("%d %d", us, length))
	}
	// A quota of an earlier period may be too much for a shorter one.
	if err := g.set("cpu.cfs_quota_us", "-1"); err != nil {
		return err
	}
	if err := g.set("cpu.cfs_period_us", fmt.Sprint(length)); err != nil {
		return err
	}
	return g.set("cpu.cfs_quota_us", fmt.Sprint(us))
}

// Weight gives the group's processes a share of the processors, from 1 to 10,000, beside other groups; 100 is the
// usual.
func (g *Group) Weight(n int) error {
	if g.first { // 1024 is the usual
		return g.set("cpu.shares", fmt.Sprint(n*1024/100))
	}
	return g.set("cpu.weight", fmt.Sprint(n))
}

// Freeze stops the processes of the group, or lets them go on.
func (g *Group) Freeze(on bool) error {
	if g.first {
		return g.set("freezer.state", map[bool]string{true: "FROZEN", false: "THAWED"}[on])
	}
	return g.set("cgroup.freeze", map[bool]string{true: "1", false: "0"}[on])
}
