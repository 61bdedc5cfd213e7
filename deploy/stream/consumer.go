// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"
)

// atATime bounds what is taken from Kafka before all of it is written.
const atATime = 200

// Statements that write a reading, see HEAVY in main.go.
const (
	plain = "INSERT INTO readings (device, value, taken) VALUES ($1, $2, $3)"
	heavy = `INSERT INTO readings (device, value, taken, usual)
		SELECT $1, $2, $3, avg(value) FROM history WHERE device = $1 % 1000`
)

func runConsumer(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE"))
	if err != nil {
		return err
	}
	defer pool.Close()
	client, err := kgo.NewClient(kgo.SeedBrokers(address("KAFKA_PORT")), kgo.ClientID("consumer"),
		kgo.ConsumerGroup("writers"), kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return err
	}
	statement := plain
	if number("HEAVY") > 0 {
		statement = heavy
	}
	checks := number("CHECK") > 0
	var d delay
	write := func(ctx context.Context, r *kgo.Record) error {
		var read reading
		if err := json.Unmarshal(r.Value, &read); err != nil {
			log.Print(err) // it would not be better the next time
			return nil
		}
		if checks {
			signature(string(r.Value))
		}
		if _, err := pool.Exec(ctx, statement, read.Device, read.Value, r.Timestamp); err != nil {
			return err
		}
		d.add(time.Since(r.Timestamp))
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return d.tell(ctx, os.Getenv("WRITTEN")) })
	group.Go(func() error {
		for ctx.Err() == nil {
			if err := writeAll(ctx, client.PollRecords(ctx, atATime), write); err != nil && ctx.Err() == nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}

// writeAll writes what came, partitions at the same time, and each in its order. The client tells Kafka that it is done
// when it asks for more.
func writeAll(ctx context.Context, came kgo.Fetches, write func(context.Context, *kgo.Record) error) error {
	group, ctx := errgroup.WithContext(ctx)
	came.EachError(func(_ string, partition int32, err error) { log.Printf("partition %d: %v", partition, err) })
	came.EachPartition(func(p kgo.FetchTopicPartition) {
		group.Go(func() error {
			for _, r := range p.Records {
				if err := write(ctx, r); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return group.Wait()
}

// delay is how old readings were when they were written: what a user of the stream sees, and ingest's answers don't.
type delay struct {
	mu        sync.Mutex
	n         int64
	sum, most time.Duration
}

func (d *delay) add(age time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	d.sum += age
	d.most = max(d.most, age)
}

// tell writes into a file, anew every ten seconds, how it was since the last time.
func (d *delay) tell(ctx context.Context, file string) error {
	for {
		if err := os.WriteFile(file, []byte(d.told()+"\n"), 0o600); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(10 * time.Second):
		}
	}
}

// told is how old readings were, and forgets them.
func (d *delay) told() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	mean := d.sum / time.Duration(max(d.n, 1))
	said := fmt.Sprintf("%d written, %d ms after they were taken, at most %d ms", d.n, mean.Milliseconds(),
		d.most.Milliseconds())
	d.n, d.sum, d.most = 0, 0, 0
	return said
}
