// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// answerer answers what a page asks of a service. Question and answer are texts, so that no code has to be generated.
type answerer func(ctx context.Context, question string) (string, error)

// method is the one that every service has.
const method = "/mesh.Service/Ask"

var service = grpc.ServiceDesc{
	ServiceName: "mesh.Service",
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{{
		MethodName: "Ask",
		Handler: func(server any, ctx context.Context, decode func(any) error,
			_ grpc.UnaryServerInterceptor) (any, error) {
			var question wrapperspb.StringValue
			if err := decode(&question); err != nil {
				return nil, err
			}
			answer, err := server.(answerer)(ctx, question.Value)
			return wrapperspb.String(answer), err
		},
	}},
}

// newServer is a service of gRPC that counts what it has answered. With streams above 0, a client may have so many
// calls under way; grpc-go itself sets no limit.
func newServer(streams int, answer answerer) (*grpc.Server, *counter) {
	var c counter
	options := []grpc.ServerOption{grpc.StatsHandler(&c)}
	if streams > 0 {
		options = append(options, grpc.MaxConcurrentStreams(uint32(streams)))
	}
	s := grpc.NewServer(options...)
	s.RegisterService(&service, answer)
	return s, &c
}

// serve runs a service until it is told to end.
func serve(ctx context.Context, name string, streams int, answer answerer) error {
	port := map[string]string{"catalog": "CATALOG_PORT", "pricing": "PRICING_PORT", "rates": "RATES_PORT"}[name]
	l, err := net.Listen("tcp", address(port))
	if err != nil {
		return err
	}
	s, count := newServer(streams, answer)
	if dir := os.Getenv("COUNTS"); dir != "" {
		if err := count.tell(filepath.Join(dir, name+".count")); err != nil {
			return err
		}
	}
	context.AfterFunc(ctx, s.Stop)
	return s.Serve(l)
}

// dial prepares the one connection to a service; it opens with the first call and again when it is lost.
func dial(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
}

// ask asks a service.
func ask(ctx context.Context, c *grpc.ClientConn, question string) (string, error) {
	var answer wrapperspb.StringValue
	err := c.Invoke(ctx, method, wrapperspb.String(question), &answer, grpc.WaitForReady(true))
	return answer.Value, err
}

// counter counts the calls that a server has answered, and those of them in which it failed.
type counter struct{ answered, failed atomic.Int64 }

func (c *counter) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (c *counter) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (c *counter) HandleConn(context.Context, stats.ConnStats)                       {}

func (c *counter) HandleRPC(_ context.Context, s stats.RPCStats) {
	end, ended := s.(*stats.End)
	if !ended {
		return
	}
	c.answered.Add(1)
	if slices.Contains(failures, status.Code(end.Error)) {
		c.failed.Add(1)
	}
}

// failures are the codes that stand for 500 and above in gRPC's mapping to HTTP.
var failures = []codes.Code{codes.Unknown, codes.DeadlineExceeded, codes.Unimplemented, codes.Internal,
	codes.Unavailable, codes.DataLoss}

// tell tells both counts to everybody who connects to a Unix socket.
func (c *counter) tell(path string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	go func() {
		for {
			peer, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(peer, c.answered.Load(), c.failed.Load())
			peer.Close()
		}
	}()
	return nil
}
