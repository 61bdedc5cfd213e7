// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// runAsk is a client of one service: so many calls, so many at a time on each of its connections. With -pause every
// connection rests after each round of calls, so that its calls begin at the same moment.
func runAsk(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("ask", flag.ContinueOnError)
	to := f.String("address", address("RATES_PORT"), "service to ask")
	question := f.String("question", "EUR", "what to ask")
	connections := f.Int("connections", 1, "connections")
	streams := f.Int("streams", 1, "calls at a time on each connection")
	calls := f.Int("calls", 1000, "calls on each connection")
	code := f.Int("code", 0, "code with which each third call shall fail; 0 for none")
	rest := f.Duration("pause", 0, "rest after every round of calls")
	if err := f.Parse(args); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	for range *connections {
		group.Go(func() error { return rounds(ctx, *to, *question, codes.Code(*code), *streams, *calls, *rest) })
	}
	return group.Wait()
}

// rounds makes the calls of one connection.
func rounds(ctx context.Context, to, question string, code codes.Code, streams, calls int, rest time.Duration) error {
	c, err := dial(to)
	if err != nil {
		return err
	}
	defer c.Close()
	group, ctx := errgroup.WithContext(ctx)
	for i := range streams {
		group.Go(func() error {
			for n := i; n < calls; n += streams {
				if err := askOrFail(ctx, c, question, code, n); err != nil {
					return err
				}
				if err := pause(ctx, rest); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// askOrFail makes the nth call, which may have to fail.
func askOrFail(ctx context.Context, c *grpc.ClientConn, question string, code codes.Code, n int) error {
	if code == codes.OK || n%3 != 0 {
		_, err := ask(ctx, c, question)
		return err
	}
	if _, err := ask(ctx, c, codePrefix+strconv.Itoa(int(code))); status.Code(err) != code {
		return fmt.Errorf("call %d should fail with code %d: %w", n, code, err)
	}
	return nil
}
