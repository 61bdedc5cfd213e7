// SPDX-License-Identifier: Apache-2.0

package main

// Reasons that several queries share, or that are long.
const (
	limits     = "the limits of the tiers must be known for it"
	peak       = "the peak must be known for it"
	restarts   = "no server may have been started anew"
	costs      = "only a bottleneck costs something"
	statistics = "the kernel's statistics may be off"
	misses     = "virtual machines seldom count cache misses"
	disks      = "hardly anything may wait for a disk"
	moves      = "the kernel or the rights may not tell of moves"
	still      = "one of them may have stood still"
	scales     = "only indicators with a natural scale have one"
	counted    = "without a study, those that count have a natural scale"
	rarely     = "it is recorded every five minutes"
)

// mayBeEmpty are the only queries that a healthy system under load need not answer, and why.
var mayBeEmpty = map[string]string{
	"Bottlenecks/Alerts firing/since":                                                "no alert may fire",
	"Bottlenecks/annotation/Alerts":                                                  "no alert may have fired",
	"Bottlenecks/annotation/Restarts":                                                restarts,
	"Capacity/annotation/Restarts":                                                   restarts,
	"Bottlenecks/Verdict/cost":                                                       costs,
	"Bottlenecks/Verdict/share":                                                      costs,
	"Bottlenecks/What the time is charged to/tail":                                   "nothing may be in anybody's way",
	"Bottlenecks/Tiers now/saturationPoint":                                          limits,
	"Bottlenecks/Tiers now/maxThroughput":                                            limits,
	"Bottlenecks/States of every window/saturation_point":                            limits,
	"Bottlenecks/States of every window/saturation_point_low":                        limits,
	"Bottlenecks/States of every window/saturation_point_high":                       limits,
	"Bottlenecks/States of every window/max_throughput":                              limits,
	"Bottlenecks/Main sequence of $tier/saturation_point":                            limits,
	"Bottlenecks/Main sequence of $tier/saturation_point_low":                        limits,
	"Bottlenecks/Main sequence of $tier/saturation_point_high":                       limits,
	"Bottlenecks/Main sequence of $tier/max_throughput":                              limits,
	"Bottlenecks/Correlation of own queue and calls/correlation":                     still,
	"Bottlenecks/Correlation of own queue and cause/cause":                           still,
	"Bottlenecks/Both saturated or frozen/beyond":                                    limits,
	"Bottlenecks/Throughput/best":                                                    limits,
	"Bottlenecks/Mean queue length/point":                                            limits,
	"Bottlenecks/Cost of the kernel programs/run":                                    statistics,
	"Bottlenecks/Users of the processors and disks that tiers waited for/processors": "no program may hold a tier up",
	"Bottlenecks/Users of the processors and disks that tiers waited for/disks":      "no program may hold a tier up",
	"Bottlenecks/Moves between processors/migrations":                                moves,
	"Bottlenecks/Cache misses per request/misses":                                    misses,
	"Bottlenecks/Cache misses by core/misses":                                        misses,
	"Bottlenecks/Waiting for the disk, on the busiest core/tier":                     disks,
	"Bottlenecks/Waiting for the disk, on the busiest core/host":                     disks,
	"Bottlenecks/Processor against disk/turns":                                       disks,
	"Capacity/annotation/Alerts":                                                     "no alert may have fired",
	"Capacity/Capacity now/headroom":                                                 peak,
	"Capacity/Capacity now/peak":                                                     peak,
	"Capacity/Capacity now/th95":                                                     peak,
	"Capacity/Capacity now/limit":                                                    peak,
	"Capacity/Capacity now/source":                                                   peak,
	"Capacity/Capacity now/limiting":                                                 "no tier may be near its limit",
	"Capacity/Throughput against the peak/limit":                                     peak,
	"Capacity/Throughput against the peak/th95":                                      peak,
	"Capacity/Throughput against the peak/peak":                                      peak,
	"Capacity/Headroom/headroom":                                                     peak,
	"Capacity/Share of the last day beyond Th_limit/gray":                            rarely,
	"Capacity/Recommended indicators/ratio":                                          scales,
	"Capacity/Recommended indicators/value":                                          counted,
	"Bottlenecks/Cost of the kernel programs/cost":                                   statistics,
}
