// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// lamp is WordPress behind Apache httpd and PHP-FPM, with MariaDB. Its clients read a page, think, and ask for the next
// one.
var lamp = application{
	name: "lamp", unit: "pages/s", answer: "response_time",
	tiers: []tier{
		{name: "httpd", protocol: "http", port: 28190, pools: []string{"WORKERS"}},
		{name: "php", protocol: "fastcgi", port: 29190, pools: []string{"CHILDREN"}},
		{name: "mariadb", protocol: "mysql", port: 23390, pools: []string{"DB_THREADS"},
			rescued: []string{"BUFFER_MB"}},
	},
	calls:  [][2]string{{"httpd", "php"}, {"php", "mariadb"}},
	setups: lampSetups,
	// Places for everybody, data in memory.
	usual: map[string]string{"WORKERS": "400", "CHILDREN": "16", "DB_THREADS": "32", "BUFFER_MB": "256"},
	rules: []string{"indicators.yaml", "indicators_systems.yaml"},
	think: 2 * time.Second, warm: 4 * time.Second, measure: 10 * time.Second,
	flood:      flood{16, 10 * time.Millisecond},
	saturating: func(most, alone float64, think time.Duration) float64 { return most * (think.Seconds() + alone) },
	programs: func(o options) map[string][]string {
		return map[string][]string{
			"httpd": {"/usr/sbin/apache2", "-v"}, "mariadb": {"/usr/sbin/mariadbd", "--version"},
			"php": {filepath.Join(o.root, ".cache/debian/usr/bin/php8.2"), "-n", "--version"},
		}
	},
	stack: func(r *servers) stack { return &lampStack{r, filepath.Join(r.output, "site")} },
}

// lampSetups: in each another component limits, or the same one for another reason.
//
// On the machine where they were tried a post took 22 ms in PHP and 15 ms in the database, its feed 12 and 6 ms, a list
// of posts 26 and 15 ms, a search 100 ms in the database, and each 0.5 to 0.8 ms in httpd.
var lampSetups = []setup{
	{name: "usual", what: "PHP has less than it needs to keep up with the database, and limits",
		shares: shares(0.10, 0.30, 0.40), mix: feeds()},
	{name: "php-half", what: "the same with half of PHP's share", shares: shares(0.10, 0.15, 0.40), mix: feeds()},
	{name: "php-pool", what: "two PHP processes, whose pages wait for a lock in the database",
		shares: shares(0.10, 0.30, 0.40),
		params: map[string]string{"CHILDREN": "2"}, mix: waiting},
	{name: "php-pool-outside", what: "three PHP processes that wait for somebody who is no tier",
		shares: shares(0.10, 0.30, 0.40),
		params: map[string]string{"CHILDREN": "3"}, mix: []string{"/?p=500&outside=500"}},
	{name: "php-heavy", what: "heavy pages: lists of posts and archives", shares: shares(0.10, 0.25, 0.42),
		mix: []string{"/", "/?paged=7", "/?cat=1", "/?paged=90"}},
	{name: "db-small", what: "the database has little share", shares: shares(0.10, 0.45, 0.08), mix: feeds()},
	{name: "db-search", what: "searches, which read every post", shares: shares(0.10, 0.30, 0.38),
		mix: bed.Searching()},
	{name: "db-mixed", what: "some searches among the posts", shares: shares(0.10, 0.42, 0.25),
		mix: append(bed.Reading(), bed.Searching()[:2]...)},
	{name: "db-threads", what: "two threads in the database, whose statements wait", shares: shares(0.10, 0.30, 0.40),
		params: map[string]string{"DB_THREADS": "2"}, mix: waiting},
	{name: "db-disk", what: "a small buffer and a slow disk", shares: shares(0.10, 0.30, 0.35),
		params: map[string]string{"BUFFER_MB": "6"}, mix: feeds(), slow: map[string]disk{"mariadb": {reads: 4000}}},
	{name: "httpd-share", what: "httpd has hardly any share", shares: shares(0.008, 0.40, 0.35), mix: feeds()},
	{name: "httpd-static", what: "mostly scripts and styles, which httpd compresses", shares: shares(0.10, 0.35, 0.35),
		mix: append(static(12), bed.Reading()[:2]...)},
	{name: "httpd-posts", what: "httpd has hardly any share, for posts", shares: shares(0.007, 0.42, 0.35),
		mix: bed.Reading()},
	{name: "httpd-scripts", what: "httpd compresses with little share", shares: shares(0.03, 0.35, 0.35),
		mix: append(static(12), bed.Reading()[:2]...)},
	{name: "httpd-workers-8", what: "eight workers in httpd, for pages that wait in the database",
		shares: shares(0.10, 0.35, 0.35), params: map[string]string{"WORKERS": "8"},
		mix: []string{"/?feed=rss2&p=500&query=500", "/?feed=rss2&p=900&query=500"}},
	{name: "httpd-workers", what: "four workers in httpd, for pages that wait", shares: shares(0.10, 0.35, 0.35),
		params: map[string]string{"WORKERS": "4"}, mix: []string{"/?feed=rss2&p=500&outside=300"}},
	{name: "balanced", what: "PHP and the database near their limits at the same load",
		shares: shares(0.10, 0.36, 0.18),
		mix:    feeds()},
}

// waiting are feeds with a query that waits without computing.
var waiting = []string{"/?feed=rss2&p=500&query=150", "/?feed=rss2&p=900&query=150"}

// feeds are those of twelve posts: pages of WordPress that cost little, so that many are counted in a short time.
func feeds() []string {
	var out []string
	for i := 1; i <= 12; i++ {
		out = append(out, fmt.Sprintf("/?feed=rss2&p=%d", 80*i))
	}
	return out
}

func shares(httpd, php, mariadb float64) map[string]float64 {
	return map[string]float64{"httpd": httpd, "php": php, "mariadb": mariadb}
}

// static are this many files of WordPress, some of them large.
func static(n int) []string {
	files := []string{"/wp-includes/js/jquery/jquery.js", "/wp-includes/css/dist/block-library/style.css",
		"/wp-includes/js/jquery/jquery.form.js"}
	var out []string
	for i := range n {
		out = append(out, files[i%len(files)])
	}
	return out
}
