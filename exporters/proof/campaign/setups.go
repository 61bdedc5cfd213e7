// SPDX-License-Identifier: Apache-2.0

package main

import (
	"maps"
	"slices"
	"strconv"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// tier is a server of the application.
type tier struct {
	name, protocol string
	port           int
	// pool is the parameter of the tier's places; empty where it has none.
	pool string
}

// The tiers, the front one first.
var tiers = []tier{
	{name: "httpd", protocol: "http", port: 28190, pool: "WORKERS"},
	{name: "php", protocol: "fastcgi", port: 29190, pool: "CHILDREN"},
	{name: "mariadb", protocol: "mysql", port: 23390, pool: "DB_THREADS"},
}

// statusPort is PHP-FPM's for its metrics.
const statusPort = 29191

func tierNames() []string {
	var out []string
	for _, t := range tiers {
		out = append(out, t.name)
	}
	return out
}

// setup is a configuration of the application and what is asked of it.
type setup struct {
	name, what string
	// shares of the servers' processors, by tier; their sum leaves room for one tier to grow.
	shares map[string]float64
	// params of the scripts where they differ from usual.
	params map[string]string
	// mix of pages: each is drawn as often as it is there.
	mix []string
	// disk reads of the database per second; 0 for no limit.
	reads int
}

// usual are the parameters where a setup says nothing else: places for everybody, data in memory.
var usual = map[string]string{"WORKERS": "400", "CHILDREN": "16", "DB_THREADS": "32", "BUFFER_MB": "256"}

// lamp are the setups: in each another component limits, or the same one for another reason.
//
// On the machine where they were tried a page took 29 ms in PHP, 30 ms in the database and 1 ms in httpd, a search
// 100 ms in the database.
var lamp = []setup{
	{name: "usual", what: "PHP has less than it needs to keep up with the database, and limits",
		shares: shares(0.10, 0.30, 0.40),
		mix:    bed.Reading()},
	{name: "php-half", what: "the same with half of PHP's share", shares: shares(0.10, 0.15, 0.40), mix: bed.Reading()},
	{name: "php-pool", what: "two PHP processes, whose pages wait for a lock in the database",
		shares: shares(0.10, 0.30, 0.40),
		params: map[string]string{"CHILDREN": "2"}, mix: []string{"/?p=500&query=300", "/?p=900&query=300"}},
	{name: "php-pool-outside", what: "three PHP processes that wait for somebody who is no tier",
		shares: shares(0.10, 0.30, 0.40),
		params: map[string]string{"CHILDREN": "3"}, mix: []string{"/?p=500&outside=500"}},
	{name: "php-heavy", what: "heavy pages: lists of posts and archives", shares: shares(0.10, 0.25, 0.42),
		mix: []string{"/", "/?paged=7", "/?cat=1", "/?paged=90"}},
	{name: "db-small", what: "the database has little share", shares: shares(0.10, 0.45, 0.12), mix: bed.Reading()},
	{name: "db-search", what: "searches, which read every post", shares: shares(0.10, 0.30, 0.38), mix: bed.Searching()},
	{name: "db-mixed", what: "some searches among the pages", shares: shares(0.10, 0.42, 0.20),
		mix: append(bed.Reading(), bed.Searching()[:3]...)},
	{name: "db-threads", what: "two threads in the database, whose statements wait", shares: shares(0.10, 0.30, 0.40),
		params: map[string]string{"DB_THREADS": "2"}, mix: []string{"/?p=500&query=400", "/?p=900&query=400"}},
	{name: "db-disk", what: "a small buffer and a slow disk", shares: shares(0.10, 0.30, 0.38),
		params: map[string]string{"BUFFER_MB": "6"}, mix: bed.Searching(), reads: 200},
	{name: "httpd-share", what: "httpd has hardly any share", shares: shares(0.006, 0.35, 0.40), mix: bed.Reading()},
	{name: "httpd-static", what: "mostly scripts and styles, which httpd compresses", shares: shares(0.10, 0.35, 0.35),
		mix: append(static(12), bed.Reading()[:2]...)},
	{name: "httpd-workers", what: "four workers in httpd, for pages that wait", shares: shares(0.10, 0.35, 0.35),
		params: map[string]string{"WORKERS": "4"}, mix: []string{"/?p=500&outside=600"}},
	{name: "balanced", what: "PHP and the database near their limits at the same load", shares: shares(0.10, 0.34, 0.36),
		mix: bed.Reading()},
}

func shares(httpd, php, mariadb float64) map[string]float64 {
	return map[string]float64{"httpd": httpd, "php": php, "mariadb": mariadb}
}

// static are so many files of WordPress, some of them large.
func static(n int) []string {
	files := []string{"/wp-includes/js/jquery/jquery.js", "/wp-includes/css/dist/block-library/style.css",
		"/wp-includes/js/underscore.js"}
	var out []string
	for i := range n {
		out = append(out, files[i%len(files)])
	}
	return out
}

// growth is how much bigger a tier is made to see whether it limits: of its share, and of its places.
const (
	growthOfShare  = 1.5
	growthOfPlaces = 2
)

// grown is the setup with a tier made bigger in all that it may lack; none for an empty name.
func (s setup) grown(name string) setup {
	s.shares, s.params = maps.Clone(s.shares), maps.Clone(s.params)
	if s.params == nil {
		s.params = map[string]string{}
	}
	for key, value := range usual {
		if _, ok := s.params[key]; !ok {
			s.params[key] = value
		}
	}
	i := slices.IndexFunc(tiers, func(t tier) bool { return t.name == name })
	if i < 0 {
		return s
	}
	s.shares[name] *= growthOfShare
	if places, err := strconv.Atoi(s.params[tiers[i].pool]); err == nil {
		s.params[tiers[i].pool] = strconv.Itoa(places * growthOfPlaces)
	}
	if name == "mariadb" {
		s.params["BUFFER_MB"] = usual["BUFFER_MB"]
		s.reads *= growthOfPlaces
	}
	return s
}
