// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Rounds of computing that a price takes: about a millisecond on a processor of today, and for /quote, which compares
// more discounts, five.
const (
	priceRounds = 1_000_000
	quoteRounds = 5 * priceRounds
)

func runPricing(ctx context.Context) error {
	c, err := dial(address("RATES_PORT"))
	if err != nil {
		return err
	}
	outside := milliseconds("OUTSIDE")
	return serve(ctx, "pricing", number("STREAMS"), func(ctx context.Context, page string) (string, error) {
		if err := pause(ctx, outside); err != nil {
			return "", err
		}
		rounds := priceRounds
		if strings.HasPrefix(page, "/quote") {
			rounds = quoteRounds
		}
		cents := price(page, rounds)
		rate, err := ask(ctx, c, "EUR")
		return fmt.Sprintf("%d.%02d at %s", cents/100, cents%100, rate), err
	})
}

// price is the best of many discounts, each of which depends on the one before.
func price(page string, rounds int) uint64 {
	h := fnv.New64a()
	h.Write([]byte(page))
	best, state := uint64(1_000_000), h.Sum64()|1
	for range rounds {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		best = min(best, 500+state>>36)
	}
	return best
}

// codePrefix begins a question that rates answers with a code.
const codePrefix = "code "

// rates tells what a currency is worth; asked for a number, it answers with as many bytes, and asked for a code of gRPC
// it fails with that.
func rates(_ context.Context, currency string) (string, error) {
	if code, found := strings.CutPrefix(currency, codePrefix); found {
		n, err := strconv.ParseUint(code, 10, 32)
		if err != nil {
			return "", status.Error(codes.InvalidArgument, err.Error())
		}
		return "", status.Error(codes.Code(n), "as "+currency)
	}
	if n, err := strconv.Atoi(currency); err == nil {
		return strings.Repeat("x", min(max(n, 0), 1<<20)), nil
	}
	return currency + " 1.0837", nil
}
