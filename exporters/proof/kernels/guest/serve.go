// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
)

// serveCommand is the first argument of a guest that is a server under load: a process of its own, because an edge
// leads from one process to another.
const serveCommand = "serve"

// serve answers on an address until it is interrupted, and prints how many requests it had. With the address of a
// second server it asks that one first, for each request.
func serve(argv []string) {
	var served atomic.Int64
	behind := &http.Transport{MaxIdleConnsPerHost: 100}
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		served.Add(1)
		if len(argv) < 2 {
			fmt.Fprintln(w, "hello")
			return
		}
		if err := ask(behind, argv[1]); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})}
	listener, err := net.Listen("tcp", argv[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	go server.Serve(listener)
	<-ctx.Done()
	fmt.Println(served.Load())
}

// ask sends one request and reads the answer to its end, so that its connection can be used again.
func ask(t http.RoundTripper, address string) error {
	request, err := http.NewRequest(http.MethodGet, "http://"+address+"/", nil)
	if err != nil {
		return err
	}
	answer, err := t.RoundTrip(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, answer.Status)
	}
	return nil
}
