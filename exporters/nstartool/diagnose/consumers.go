// SPDX-License-Identifier: Apache-2.0

package diagnose

import "fmt"

// Consumer takes its work from a log or a queue of jobs, and can't follow. Nobody waits for its answers, so that it
// costs no response time.
type Consumer struct {
	Name string `json:"name"`
	// Share of its time, 0 to 1, in which it waits for the bottleneck; if it is the bottleneck itself, for a
	// processor or its own work.
	Share float64 `json:"share"`
	// tier and cause that it waits for; its own name if it is the bottleneck.
	tier, cause string
}

// consumers reads which consumers can't follow, and which tiers they wait for.
func (q *querier) consumers(apps map[string]*Application) {
	for _, s := range q.vector("sort_desc(avg_over_time(" + q.over("nstar:consumer_bottleneck:ratio", "") + "))") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Consumers = append(a.Consumers, Consumer{label(s.Metric, "from"), float64(s.Value),
				label(s.Metric, "tier"), label(s.Metric, "cause")})
		}
	}
	for _, s := range q.vector("sort_desc(" + q.selector("nstar:consumer_restless:requests", "") +
		fmt.Sprintf(" >= %g)", hadTime)) {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Restless = append(a.Restless, label(s.Metric, "from"))
		}
	}
	for _, s := range q.vector("sort_desc(" + q.selector("nstar:tier_workers_restless:requests", "") + ")") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.JobsWait = append(a.JobsWait, label(s.Metric, "tier"))
		}
	}
}

// hadTime is how many requests for work of a consumer waited at a time, on average over a minute, when it had time.
const hadTime = 0.5

// restless says which consumers and workers have no time any more, though they had some, and that why is not known.
func (d diagnosis) restless() (s string) {
	if len(d.Restless) > 0 {
		s = fmt.Sprintf("; %s takes its work from a log or a queue and can't follow: it had time before, and has not "+
			"waited for more work for half a minute; the reason is not known yet", list(d.Restless))
	}
	if len(d.JobsWait) > 0 {
		s += fmt.Sprintf("; programs that waited for jobs at %s have not waited there for half a minute: they have "+
			"more to do than they can, or have ended, and the jobs may become older and older; they are no tiers, so "+
			"what holds them cannot be seen", list(d.JobsWait))
	}
	return s
}

// consumer is the consumer that can't follow because of the bottleneck; nil if answers wait for the bottleneck, or
// if no such consumer is known.
func (d diagnosis) consumer() *Consumer {
	if !d.bottleneck() || d.excess(d.finding.Tier, d.finding.Cause) >= causeShare*d.total() {
		return nil
	}
	for i, c := range d.Consumers {
		if c.tier == d.finding.Tier && c.cause == d.finding.Cause {
			return &d.Consumers[i]
		}
	}
	return nil
}

// blameConsumed says which consumer can't follow and which tier it waits for.
func (d diagnosis) blameConsumed(c Consumer) string {
	what := "waits for the work of " + c.tier
	switch {
	case c.tier == c.Name && c.cause == causePlace:
		what = "neither computes nor waits for a call that can be seen, but had time before: it waits for a pool of " +
			"its own or for a lock, or it sleeps"
	case c.tier == c.Name && (c.cause == causeCollection || c.cause == causeThrottled):
		what = "computes, or " + causeName(c.cause) + " keeps it from computing"
	case c.tier == c.Name:
		what = "computes, or waits for a processor"
	case c.cause != causeDemand:
		what = fmt.Sprintf("waits for %s (cause: %s)", c.tier, causeName(c.cause))
	}
	s := fmt.Sprintf("%s can't follow: it takes its work from a log or a queue, and for %s of its time it %s.",
		c.Name, percent(c.Share), what)
	if d.total() > 0 {
		s += fmt.Sprintf(" No answer waits for that (mean response time %s), but the work that waits for %s becomes "+
			"older and older: watch its lag.", millis(d.total()), c.Name)
	}
	return s
}

// cureConsumed is what helps a consumer that waits for the work of a tier, or does too much itself.
func (d diagnosis) cureConsumed(c Consumer) (first, useless string) {
	if c.tier == c.Name && c.cause == causePlace {
		return fmt.Sprintf("Look where the threads of %s wait (a thread dump shows it): a pool of connections that "+
				"is smaller than their number, a lock, a limit of its own.", c.Name),
			"More capacity for it, or for the servers that it calls, would gain nothing."
	}
	if c.tier == c.Name {
		return fmt.Sprintf("Make the work of %s cheaper, give it a faster processor, or let more consumers share it "+
				"(with Kafka one for each partition at most).", c.Name), "More capacity for the servers that it " +
				"calls would gain nothing."
	}
	return fmt.Sprintf("Make the requests of %s to %s cheaper, send several at a time (batches), or give %[2]s more "+
			"capacity (%s). More consumers at a time gain only while %[2]s has processors to spare.", c.Name, c.tier,
			d.capacity()),
		fmt.Sprintf("More capacity for %s would gain nothing: it waits.", c.Name)
}
