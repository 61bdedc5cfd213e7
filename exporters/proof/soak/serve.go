// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// counts are what a server itself counted.
type counts struct {
	Answered int64 // requests
	Held     int64 // requests that were never answered
	Calls    int64 // to the server behind
}

// serve is one server: a tier. It answers at one address, shows its counts at another one, and calls the server
// behind.
func serve(address, countAddress, behind string) error {
	var answered, held, calls atomic.Int64
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}, Timeout: 5 * time.Second}
	large := strings.Repeat("x", 256<<10)
	work := func(w http.ResponseWriter, text string) {
		time.Sleep(2 * time.Millisecond)
		if _, err := io.WriteString(w, text); err == nil {
			answered.Add(1)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { work(w, "hello") })
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) { work(w, large) })
	mux.HandleFunc("/chain", func(w http.ResponseWriter, _ *http.Request) {
		if behind != "" {
			calls.Add(1)
			if answer, err := client.Get("http://" + behind); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
		work(w, "hello")
	})
	mux.HandleFunc("/hold", func(_ http.ResponseWriter, r *http.Request) {
		held.Add(1)
		<-r.Context().Done() // the client is gone
		panic(http.ErrAbortHandler)
	})
	failed := make(chan error)
	go func() { failed <- http.ListenAndServe(address, mux) }()
	go func() {
		failed <- http.ListenAndServe(countAddress, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(counts{answered.Load(), held.Load(), calls.Load()})
		}))
	}()
	return <-failed
}

// ask reads the counts of a server.
func ask(countAddress string) (c counts, err error) {
	answer, err := http.Get("http://" + countAddress)
	if err != nil {
		return c, err
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(&c); err != nil {
		return c, fmt.Errorf("counts of %s: %w", countAddress, err)
	}
	return c, nil
}
