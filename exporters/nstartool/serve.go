// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/exporter-toolkit/web"
	"github.com/prometheus/exporter-toolkit/web/kingpinflag"

	"github.com/nstar-project/nstar/exporters/nstartool/page"
)

const serveHelp = `Serve the Bottlenecks page, if you have no Grafana.

The page asks Prometheus through this server, which passes on queries only. By default the server listens on loopback; --web.config.file adds TLS and passwords.`

// serving is the command line of `nstartool serve`.
type serving struct {
	server    server
	directory string
	web       *web.FlagConfig
}

func (s *serving) addFlags(cmd *kingpin.CmdClause) {
	s.server.addFlags(cmd)
	cmd.Flag("page.directory", "Where `make page` has put the page.").Default(
		"grafana-plugin/page/dist").StringVar(&s.directory)
	s.web = kingpinflag.AddFlags(cmd, "localhost:9966")
}

// run serves until it is interrupted.
func (s *serving) run(stderr io.Writer) error {
	u, err := s.server.parse()
	if err != nil {
		return err
	}
	transport, err := s.server.transport()
	if err != nil {
		return err
	}
	handler, err := page.New(os.DirFS(s.directory), u, transport)
	if err != nil {
		return fmt.Errorf("--page.directory %s: %v", s.directory, err)
	}
	if err := web.Validate(*s.web.WebConfigFile); err != nil {
		return fmt.Errorf("--web.config.file: %v", err)
	}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- web.ListenAndServe(server, s.web, log) }()
	select {
	case err := <-failed:
		var network *net.OpError
		if errors.As(err, &network) {
			return fmt.Errorf("--web.listen-address: %v; stop the program that listens there (ss -ltnp) or choose "+
				"another address", err)
		}
		return err
	case <-ctx.Done():
	}
	shutdown, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_ = server.Shutdown(shutdown) // answers under way end; others are cut after the timeout
	return nil
}
