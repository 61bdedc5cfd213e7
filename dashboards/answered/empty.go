// SPDX-License-Identifier: Apache-2.0

package main

// mayBeEmpty are the only queries that a healthy system under load need not answer, and why.
var mayBeEmpty = map[string]string{
	"Bottlenecks/Alerts firing/since":              "no alert may fire",
	"Bottlenecks/annotation/Alerts":                "no alert may have fired",
	"Bottlenecks/Who takes turns/verdict":          "N* of both ends must be known for it",
	"Bottlenecks/Who takes turns/bothBeyond":       "N* of both ends must be known for it",
	"Bottlenecks/Both beyond N*/beyond":            "N* of both ends must be known for it",
	"Bottlenecks/Likely cause/verdict":             "N* of the tier must be known for it",
	"Bottlenecks/Cost of the kernel programs/run":  "the kernel's statistics may be off",
	"Bottlenecks/Cost of the kernel programs/cost": "the kernel's statistics may be off",
}
