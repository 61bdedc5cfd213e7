// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"html"
	"io"
	"net/http"

	"golang.org/x/sync/errgroup"
)

// gateway makes pages of what two services say, which it asks at the same time.
type gateway struct{ catalog, pricing answerer }

func runGateway(ctx context.Context) error {
	var g gateway
	for port, service := range map[string]*answerer{"CATALOG_PORT": &g.catalog, "PRICING_PORT": &g.pricing} {
		c, err := dial(address(port))
		if err != nil {
			return err
		}
		*service = func(ctx context.Context, question string) (string, error) { return ask(ctx, c, question) }
	}
	s := &http.Server{Addr: address("GATEWAY_PORT"), Handler: g}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	if err := s.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (g gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var shown, price string
	group, ctx := errgroup.WithContext(r.Context())
	group.Go(func() (err error) { shown, err = g.catalog(ctx, r.URL.RequestURI()); return err })
	group.Go(func() (err error) { price, err = g.pricing(ctx, r.URL.RequestURI()); return err })
	if err := group.Wait(); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!doctype html><title>Mesh</title><h1>"+html.EscapeString(price)+"</h1><p>"+
		html.EscapeString(shown)+"</p>\n") // a user who went away needs no page
}
