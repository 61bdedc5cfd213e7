// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

func runCatalog(ctx context.Context) error {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE"))
	if err != nil {
		return err
	}
	config.MaxConns = int32(cmp.Or(number("POOL"), 20))
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	hold := milliseconds("HOLD")
	return serve(ctx, "catalog", 0, func(ctx context.Context, question string) (shown string, err error) {
		c, err := pool.Acquire(ctx)
		if err != nil {
			return "", err
		}
		defer c.Release()
		if err := pause(ctx, hold); err != nil {
			return "", err
		}
		var lines []string
		for _, q := range queries(question) {
			err := c.QueryRow(ctx, q.text, q.values...).Scan(&shown)
			if err != nil {
				return "", err
			}
			lines = append(lines, shown)
		}
		return strings.Join(lines, "\n"), nil
	})
}

// query asks for one text.
type query struct {
	text   string
	values []any
}

// queries are what a page asks PostgreSQL: most pages find what they ask for by an index, /report reads everything.
func queries(page string) []query {
	u, err := url.Parse(page)
	if err != nil {
		u = &url.URL{}
	}
	id := u.Query().Get("id")
	switch u.Path {
	case "/report":
		return []query{
			{`SELECT coalesce(string_agg(name, ', '), '') FROM items WHERE description LIKE '%' || $1 || '%'`,
				[]any{id}}}
	case "/item":
		return []query{
			{"SELECT coalesce(max(name || ': ' || description), '') FROM items WHERE id = $1::text::integer",
				[]any{id}},
			{`SELECT coalesce(string_agg(name, ', '), '') FROM
				(SELECT name FROM items WHERE kind = $1::text::integer % 50 LIMIT 20) AS kin`, []any{id}},
		}
	}
	return []query{{"SELECT string_agg(name, ', ') FROM (SELECT name FROM items ORDER BY id DESC LIMIT 30) AS newest",
		nil}}
}
