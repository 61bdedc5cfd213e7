// SPDX-License-Identifier: Apache-2.0

package main

// mayBeEmpty are the only queries that a healthy system under load need not answer, and why.
var mayBeEmpty = map[string]string{
	"Bottlenecks/Alerts firing/since":                            "no alert may fire",
	"Bottlenecks/annotation/Alerts":                              "no alert may have fired",
	"Bottlenecks/Verdict/cost":                                   "only a bottleneck costs something",
	"Bottlenecks/Verdict/share":                                  "only a bottleneck costs something",
	"Bottlenecks/What the time is charged to/tail":               "nothing may be in anybody's way",
	"Bottlenecks/Tiers now/saturationPoint":                      "the limits of the tiers must be known for it",
	"Bottlenecks/Tiers now/maxThroughput":                        "the limits of the tiers must be known for it",
	"Bottlenecks/States of every window/saturation_point":        "the limits of the tiers must be known for it",
	"Bottlenecks/States of every window/saturation_point_low":    "the limits of the tiers must be known for it",
	"Bottlenecks/States of every window/saturation_point_high":   "the limits of the tiers must be known for it",
	"Bottlenecks/States of every window/max_throughput":          "the limits of the tiers must be known for it",
	"Bottlenecks/Main sequence of $tier/saturation_point":        "the limits of the tiers must be known for it",
	"Bottlenecks/Main sequence of $tier/saturation_point_low":    "the limits of the tiers must be known for it",
	"Bottlenecks/Main sequence of $tier/saturation_point_high":   "the limits of the tiers must be known for it",
	"Bottlenecks/Main sequence of $tier/max_throughput":          "the limits of the tiers must be known for it",
	"Bottlenecks/Correlation of own queue and calls/correlation": "one of them may have stood still",
	"Bottlenecks/Correlation of own queue and cause/cause":       "one of them may have stood still",
	"Bottlenecks/Both saturated or frozen/beyond":                "the limits of the tiers must be known for it",
	"Bottlenecks/Throughput/best":                                "the limits of the tiers must be known for it",
	"Bottlenecks/Mean queue length/point":                        "the limits of the tiers must be known for it",
	"Bottlenecks/Cost of the kernel programs/run":                "the kernel's statistics may be off",
	"Bottlenecks/Cost of the kernel programs/cost":               "the kernel's statistics may be off",
}
