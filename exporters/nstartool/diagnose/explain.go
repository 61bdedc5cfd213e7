// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

// oldest is the oldest Prometheus whose rules and functions are known to work.
var oldest = [2]int{2, 42}

// checkServer finds out whether the server can answer, before any question is asked.
func (r *Reader) checkServer(ctx context.Context) error {
	info, err := r.api.Buildinfo(ctx)
	if err != nil {
		var problem *v1.Error
		if errors.As(err, &problem) && !strings.Contains(problem.Msg, "401") && !strings.Contains(problem.Msg, "403") {
			return fmt.Errorf("%s answers, but not as Prometheus %d.%d or newer does (%s): check --prometheus",
				r.url, oldest[0], oldest[1], firstLine(problem.Msg))
		}
		return r.explain(err)
	}
	version := strings.SplitN(strings.TrimPrefix(info.Version, "v"), ".", 3)
	if len(version) < 2 {
		return nil // A development build, or a compatible server: try it.
	}
	major, errMajor := strconv.Atoi(version[0])
	minor, errMinor := strconv.Atoi(version[1])
	if errMajor == nil && errMinor == nil && slices.Compare([]int{major, minor}, oldest[:]) < 0 {
		return fmt.Errorf("Prometheus at %s is %s; Nstar needs %d.%d or newer: upgrade it",
			r.url, info.Version, oldest[0], oldest[1])
	}
	return nil
}

// explain turns an error of the API into one line that says what to do.
func (r *Reader) explain(err error) error {
	var problem *v1.Error
	var network *net.OpError
	var name *net.DNSError
	var transport *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("Prometheus at %s did not answer in time: raise --timeout or shorten --last", r.url)
	case errors.As(err, &problem) && (strings.Contains(problem.Msg, "401") || strings.Contains(problem.Msg, "403")):
		return fmt.Errorf("Prometheus at %s asks for credentials: give them with --http.config.file", r.url)
	case errors.As(err, &problem):
		return fmt.Errorf("Prometheus at %s refuses the query: %s", r.url, firstLine(problem.Msg))
	case errors.As(err, &name):
		return fmt.Errorf("cannot reach Prometheus at %s: no such host %s: check --prometheus", r.url, name.Name)
	case errors.As(err, &network):
		return fmt.Errorf("cannot reach Prometheus at %s: %v: check that it runs there, or --prometheus",
			r.url, network.Err)
	case errors.As(err, &transport):
		return fmt.Errorf("cannot reach Prometheus at %s: %v", r.url, transport.Err)
	}
	return fmt.Errorf("Prometheus at %s: %w", r.url, err)
}

// explainAbsence finds out why no verdict was found: a wrong app, rules that are
// not loaded, or an exporter that is not scraped. Rules that have just been
// loaded are no error; the report then says that there is too little data.
func (r *Reader) explainAbsence(ctx context.Context, q *querier, tiers bool) error {
	some := func(expr string) bool { return len(q.vector(expr)) > 0 }
	if q.app != "" && !tiers {
		var apps []string
		for _, s := range q.vector("group by (app) (last_over_time(nstar:tier_state_share:ratio10s[" + q.span + "]))") {
			apps = append(apps, label(s.Metric, "app"))
		}
		if len(apps) > 0 {
			slices.Sort(apps)
			return fmt.Errorf("there is no app %q in this range; there are: %s", q.app, strings.Join(apps, ", "))
		}
	}
	windows := some("group(last_over_time(nstar_window_queue_length[" + q.span + "]))")
	var err error
	switch {
	case q.past && !tiers && !windows:
		err = fmt.Errorf("Prometheus at %s has no data of nstar_exporter from the %s until %s: it began to record "+
			"later, or has deleted that (--storage.tsdb.retention.time); ask for another --time", r.url, q.span,
			q.at.UTC().Format(time.RFC3339))
	case windows && r.rulesLoaded(ctx):
		return q.explained(r)
	case tiers:
		err = fmt.Errorf("Prometheus at %s records no verdicts: its rules are older than this nstartool, "+
			"load the new rules/*.yaml and reload Prometheus", r.url)
	case windows:
		err = fmt.Errorf("Prometheus at %s has Nstar's windows but not its recorded series: "+
			"load rules/*.yaml under rule_files and reload Prometheus", r.url)
	case some(`up{job=~"nstar.*"} == 0`):
		err = fmt.Errorf("Prometheus at %s cannot scrape nstar_exporter (up is 0): "+
			"check that the exporter runs and is reachable", r.url)
	case some("group(last_over_time(nstar_build_info[" + q.span + "]))"):
		err = fmt.Errorf("Prometheus at %s scrapes /metrics of nstar_exporter but not /windows: "+
			"add the job nstar_windows (see deploy/prometheus)", r.url)
	default:
		err = fmt.Errorf("Prometheus at %s has no data of nstar_exporter in the last %s: "+
			"add its two scrape jobs (see deploy/prometheus), or ask for a longer --last", r.url, q.span)
	}
	if q.err != nil {
		return r.explain(q.err)
	}
	return err
}

// explained passes a late error of the querier on.
func (q *querier) explained(r *Reader) error {
	if q.err != nil {
		return r.explain(q.err)
	}
	return nil
}

func (r *Reader) rulesLoaded(ctx context.Context) bool {
	result, err := r.api.Rules(ctx, nil)
	if err != nil {
		return false
	}
	for _, group := range result.Groups {
		for _, rule := range group.Rules {
			if recording, ok := rule.(v1.RecordingRule); ok && recording.Name == "nstar:app_verdict" {
				return true
			}
		}
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
