// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"slices"
	"time"
)

// Observations are the recorded series of a range, read but not put into words.
type Observations struct {
	From, To time.Time
	// Tiers are the servers of all applications.
	Tiers []Tier
	Apps  []Application
}

// Application is what was recorded of one application. Times are means in
// seconds over the evaluations with the verdict that prevailed.
type Application struct {
	Name string
	// Evaluations are the recorded verdicts in the range, in order.
	Evaluations []Evaluation
	// Held is when the verdict that prevailed began to hold without a break,
	// which may be before the range; zero where there is none.
	Held time.Time
	// HeldLonger means that the verdict already held at the earliest time that was read (Held).
	HeldLonger bool
	// Throughput in requests/s.
	Throughput float64
	// Latest is how long requests took in the last 15 s, in seconds; 0 if that is not known.
	Latest float64
	// Passed says that hardly half as many requests are there in the last 5 s as in the last 15.
	Passed bool
	// Silent is since when there have been no requests; zero if there are some, or if that is not known.
	Silent time.Time
	// Subsided are causes that are not there any more at the end of the range.
	Subsided []Subsided
	// Took is the mean response time, in seconds; nil if that is not known.
	Took *Growth
	// Times are by tier, along the chain of calls.
	Times []TierTime
	Blame []Excess
	// Consumers are the consumers that can't follow the log that they read, the busiest first.
	Consumers []Consumer
	// Unfollowed are tiers that call others and are asked nothing that is measured: consumers, perhaps, of which nobody
	// knows whether they can follow.
	Unfollowed []string
	// Apart are the parts of the application that have nothing to do with each other, the largest first; fewer than two
	// if it is one application.
	Apart []Apart
	// Restless are consumers that had time and have none any more at the end of the range, whatever holds them.
	Restless []string
	// JobsWait are tiers at which workers that are no tiers waited for jobs, and none has lately.
	JobsWait []string
	// Worst are the windows with the longest queues; nil if they were not read, and WorstMissing says
	// why.
	Worst        []WorstTime
	WorstMissing string
	Edges        []Edge
	// Waiting says what the tiers waited for, along the chain of calls.
	Waiting      []Waiting
	Correlations []CauseCorrelation
	OwnPlaces    []OwnPlace
	// Neighbours are the programs that had the processors for which tiers waited, the longest first; none
	// if not measured.
	Neighbours []Neighbour
	// Clients are the programs that are no tiers and hold connections to tiers, by name, with these tiers.
	Clients map[string][]string
	// Disturbed are the tiers in which it is not known whether their own work or other programs are too much for their
	// processors, by name.
	Disturbed []string
	// Slower is nil if requests take no longer than usual.
	Slower *Slower
	// UsualThroughput is what a quarter of the last hour falls below, in requests/s; 0 if not known.
	UsualThroughput float64
	// Stretched are tiers in which requests take far longer than usual, the one that costs its requests most first.
	Stretched []Stretched
	// DiskNeighbours are the programs that used the disks for which tiers waited, the longest first; none
	// if not measured.
	DiskNeighbours []DiskNeighbour
	// Crowd are the tiers whose processors are full with their work, if requests wait because of that; the tier
	// that has most of them is the first.
	Crowd []Crowded
	// Standstills are what tiers did while nothing left them; none if not measured.
	Standstills []Standstill
	// Evidence is what held the tiers according to the kernel, if that is measured.
	Evidence []Held
	// Placements are where the servers' threads ran, where that is measured.
	Placements []Placement
	// Mirrors are other applications on the same processors. The first one is the one whose processor time is most
	// opposite to the application's.
	Mirrors []Mirror
	// Misses are those of the last-level cache, by tier, where processors count them.
	Misses map[string]Misses
	// Programs are which well-known servers the tiers are, by tier.
	Programs map[string]Program
	// Code is what the interpreters and virtual machines of tiers run, by tier.
	Code map[string]string
	// Accepts are tiers for which connections wait to be accepted.
	Accepts []Accept
	// Outside are tiers that also work for clients that are no tiers.
	Outside []Outside
	// Unread are tiers that have accepted requests and not begun to read them, by name.
	Unread []Unread
	// Blind are causes that can't be measured where tiers run.
	Blind []Blind
	// Faulted are tiers that used pages which had to be read from a disk.
	Faulted []Faulted
	// Unseen are tiers that are called over connections that can't be measured.
	Unseen []string
	// AsksUnseen are those of them that a tier calls, by the name of the caller.
	AsksUnseen map[string][]string
	// OverUnix are Unix sockets that tiers call.
	OverUnix []UnixCall
	// Paused are the tiers whose answers pause for too long.
	Paused []Paused
	// Failed are connections that could not be opened, the most first.
	Failed []Failed
	// Errors are the tiers that answered with errors, the most first.
	Errors []Errors
	// Starts are the tiers that were started in the range, in order.
	Starts []Start
	// Ends are the tiers that are not there any more, in order.
	Ends []End
	// Capacity is nil where the rules record none.
	Capacity *Capacity
}

// TierTime is what a request spends in a tier, all its servers together.
type TierTime struct {
	Tier string
	// Own and Base in seconds per request of the application.
	Own, Base float64
	// Calls is the tier's share of the calls to all tiers of the application.
	Calls float64
	// Speed is the present speed over the learned one; nil while unknown.
	Speed *float64
	// Status says what is known of the saturation point: known, learning, never_near_limit or
	// always_at_limit; empty if the exporter says nothing.
	Status string
	// Clipped is the share of calls outstanding beyond the requests present in
	// the own queue: the tier calls in parallel.
	Clipped float64
	// Collection is the share of time in garbage collection; nil without a JVM.
	Collection *float64
	// Busy is the share of the processors it may run on that were in use by any program; nil if that is
	// not known.
	Busy *float64
	// Wanted is how many threads of it are ready to run and wait for one of
	// these; nil where it is not known.
	Wanted *float64
	// Asleep is the share of the own queue on which no thread worked, was ready to work or waited for a
	// disk; nil if that is not known.
	Asleep *float64
	// Cost is the processor time of a request; nil where that is not known.
	Cost *Growth
	// Thread is the share of the time in which the busiest of its threads ran or was ready to; nil where that is not
	// known.
	Thread *float64
	// GivenUp is the share of its requests whose callers went before they were answered.
	GivenUp float64
	// Active is the share of the time in which some thread of it ran or was ready to, the most of its servers; nil
	// where that is not known.
	Active *float64
}

// Excess is waiting charged to the tier and cause that are to blame.
type Excess struct {
	Tier, Cause string
	// Seconds per request of the application.
	Seconds float64
	// Tail is the share of the tail.
	Tail float64
}

// WorstTime is what a request spends in a tier in the worst windows.
type WorstTime struct {
	Tier string
	// Own is the sum of Base and Causes, in seconds per request.
	Own, Base float64
	Causes    map[string]float64
}

// Edge is the relation of two tiers, of which the first calls the second.
type Edge struct {
	From, To string
	// Pearson is the median coefficient of the own queues; nil if they did not change.
	Pearson *float64
	// Turns is how often the longer queue changed sides in the range.
	Turns float64
	// Calls are made for each request of From; nil where that is not known.
	Calls *Growth
	// Limit is the cap of the calls outstanding; nil where none was seen.
	Limit *float64
	// Connections are open at the end of the range; nil where no window told.
	Connections *float64
	// Peak is how many calls were under way at most, as the mean of the windows of the last 15 s; 0 where that is not
	// known.
	Peak float64
	// Ceased says that no call was under way in the last 15 s.
	Ceased bool
	// Waited is the queue-time that requests waited for a place of this edge and
	// not for the tier behind, in seconds over the range.
	Waited float64
	// Behind is the same for requests that waited because the tier behind took longer than it does with little
	// to do.
	Behind float64
	// Larger is the largest pool of another application to the same host; nil where none is larger than Limit.
	Larger *Pool
}

// OwnPlace is what requests waited, in seconds over the range, for one of a tier's own workers while its processors had
// time.
type OwnPlace struct {
	Tier   string
	Waited float64
}

// Neighbour had processors for which threads of a tier waited.
type Neighbour struct {
	Tier string `json:"-"`
	// Name of the systemd unit, container, command or other tier.
	Name string `json:"name"`
	// Share of the time that the tier waited for processors that others than its
	// own application had, 0 to 1.
	Share float64 `json:"share"`
}

// CauseCorrelation is what a tier's own queue moved with.
type CauseCorrelation struct {
	Tier, Cause string
	Correlation float64
}

// time finds the tier's part of the response time.
func (a Application) time(tier string) (TierTime, bool) {
	i := slices.IndexFunc(a.Times, func(t TierTime) bool { return t.Tier == tier })
	if i < 0 {
		return TierTime{}, false
	}
	return a.Times[i], true
}

// total is the mean response time in seconds.
func (a Application) total() float64 { return a.sum(func(t TierTime) float64 { return t.Own }) }

// base is the mean response time without waiting, in seconds.
func (a Application) base() float64 { return a.sum(func(t TierTime) float64 { return t.Base }) }

func (a Application) sum(of func(TierTime) float64) float64 {
	sum := 0.0
	for _, t := range a.Times {
		sum += of(t)
	}
	return sum
}

// excess finds what is charged to a tier and cause, in seconds.
func (a Application) excess(tier, cause string) float64 {
	sum := 0.0
	for _, e := range a.Blame {
		if e.Tier == tier && (e.Cause == cause || cause == causeBurst && e.Cause == causeDemand) {
			sum += e.Seconds
		}
	}
	return sum
}

// alongChain orders tiers from the front to the back, by the longest chain of
// calls behind each. Chains are short; the bound ends tiers that call each other
// in a circle.
func alongChain(edges []Edge) func(a, b string) int {
	const longest = 16
	behind := map[string]int{}
	for range longest {
		for _, e := range edges {
			if e.From != e.To {
				behind[e.From] = min(longest, max(behind[e.From], behind[e.To]+1))
			}
		}
	}
	return func(a, b string) int { return cmp.Or(cmp.Compare(behind[b], behind[a]), cmp.Compare(a, b)) }
}
