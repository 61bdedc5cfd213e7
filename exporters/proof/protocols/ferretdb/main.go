// SPDX-License-Identifier: Apache-2.0

// Command ferretdb is a server that speaks MongoDB's protocol, FerretDB on SQLite, and clients of it: MongoDB's driver
// for Go, and one that sends requests ahead of their answers. It is a module of its own because FerretDB has many
// dependencies that nothing else here needs.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"

	"github.com/FerretDB/FerretDB/ferretdb"
)

const usage = "usage: ferretdb serve ADDRESS SOCKET DIRECTORY | counts SOCKET | mixed | hundred | ahead ADDRESS"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ferretdb:", err)
		os.Exit(1)
	}
}

func run(argv []string) error {
	switch {
	case len(argv) == 4 && argv[0] == "serve":
		return serve(argv[1], argv[2], argv[3])
	case len(argv) != 2:
	case argv[0] == "counts":
		return counts(argv[1])
	case argv[0] == "mixed":
		return together(8, 8, argv[1])
	case argv[0] == "hundred":
		return together(100, 100, argv[1])
	case argv[0] == "ahead":
		return ahead(argv[1])
	}
	return fmt.Errorf("%s", usage)
}

// serve answers on a TCP address and, for clients that ask for counts and must not be measured, on a Unix socket.
func serve(address, socket, dir string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	f, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: address, Unix: socket},
		Handler:   "sqlite",
		SQLiteURL: "file:" + dir + "/",
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	return f.Run(ctx)
}
