// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// reading is what a device measured.
type reading struct {
	Device int     `json:"device"`
	Value  float64 `json:"value"`
}

// publish hands a reading on, and returns when it can't be lost any more.
type publish func(context.Context, reading) error

func runIngest(ctx context.Context) error {
	// Apart from the time to wait for more, all is as the client has it: an answer from all replicas, nothing twice.
	client, err := kgo.NewClient(kgo.SeedBrokers(address("KAFKA_PORT")), kgo.ClientID("ingest"),
		kgo.AllowAutoTopicCreation(), kgo.DefaultProduceTopic(topic),
		kgo.ProducerLinger(time.Duration(number("LINGER"))*time.Millisecond))
	if err != nil {
		return err
	}
	return listen(ctx, address("INGEST_PORT"), ingest(func(ctx context.Context, r reading) error {
		value, err := json.Marshal(r)
		if err != nil {
			return err
		}
		key := strconv.AppendInt(nil, int64(r.Device), 10) // a device's readings stay in order
		return client.ProduceSync(ctx, &kgo.Record{Key: key, Value: value}).FirstErr()
	}))
}

// ingest takes readings: /?device=7&value=3.5, and /signed, which checks a signature first.
func ingest(to publish) http.Handler {
	take := func(w http.ResponseWriter, r *http.Request) {
		asked := r.URL.Query()
		device, _ := strconv.Atoi(asked.Get("device"))
		value, _ := strconv.ParseFloat(asked.Get("value"), 64)
		if err := to(r.Context(), reading{device, value}); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		_, _ = io.WriteString(w, "taken\n") // a device that went away needs no answer
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", take)
	mux.HandleFunc("/signed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Signature", fmt.Sprintf("%x", signature(r.URL.RawQuery)))
		take(w, r)
	})
	return mux
}

// signatureRounds are about five milliseconds on a processor of today.
const signatureRounds = 5_000_000

// signature computes, each round from the one before.
func signature(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	state := h.Sum64() | 1
	for range signatureRounds {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
	}
	return state
}
