// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"
)

// together lets workers ask at the same time, over this many connections, all of which are there from the start.
func together(workers, connections uint64, address string) error {
	ctx := context.Background()
	client, err := mongo.Connect(ctx, options.Client().ApplyURI("mongodb://"+address).SetMaxPoolSize(connections).
		SetMinPoolSize(connections).SetMaxConnecting(10))
	if err != nil {
		return err
	}
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			errs[w] = ask(ctx, client.Database("proof").Collection(fmt.Sprint("rows", w%8)), int(w), 400/int(workers))
		})
	}
	wait.Wait()
	return errors.Join(append(errs, client.Disconnect(ctx))...)
}

// ask does what an application does: it writes, reads with cursors of several batches, changes, counts, fails, and
// sends and gets messages of many segments.
func ask(ctx context.Context, c *mongo.Collection, worker, rounds int) error {
	large := strings.Repeat("x", 300_000)
	for round := range rounds {
		key := bson.D{{Key: "worker", Value: worker}, {Key: "round", Value: round}}
		var rows []any
		for i := range 10 {
			rows = append(rows, append(key[:2:2], bson.E{Key: "i", Value: i}))
		}
		if _, err := c.InsertMany(ctx, rows); err != nil {
			return err
		}
		found, err := c.Find(ctx, key, options.Find().SetBatchSize(3))
		if err != nil {
			return err
		}
		var all []bson.Raw
		if err := found.All(ctx, &all); err != nil {
			return err
		}
		seen := bson.D{{Key: "$set", Value: bson.D{{Key: "seen", Value: true}}}}
		if _, err := c.UpdateMany(ctx, key, seen); err != nil {
			return err
		}
		if _, err := c.CountDocuments(ctx, key); err != nil {
			return err
		}
		twice := bson.D{{Key: "_id", Value: all[0].Lookup("_id")}}
		if _, err := c.InsertOne(ctx, twice); !mongo.IsDuplicateKeyError(err) {
			return fmt.Errorf("the same row twice: %v", err)
		}
		if round == 0 && worker < 8 {
			if _, err := c.InsertOne(ctx, append(key, bson.E{Key: "large", Value: large})); err != nil {
				return err
			}
			if err := c.FindOne(ctx, append(key, bson.E{Key: "large", Value: large})).Err(); err != nil {
				return err
			}
		}
		if _, err := c.DeleteMany(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// ahead sends many commands in one write, and reads their answers afterwards, which no driver does.
func ahead(address string) error {
	const clients, rounds, commands = 8, 20, 60
	errs := make([]error, clients)
	var wait sync.WaitGroup
	for n := range clients {
		wait.Go(func() { errs[n] = sendAhead(address, rounds, commands) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

func sendAhead(address string, rounds, commands int) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	answers := bufio.NewReader(c)
	for range rounds {
		var out []byte
		for i := range commands {
			command := bson.D{{Key: "ping", Value: 1}, {Key: "$db", Value: "proof"}}
			if i%10 == 3 { // of several segments
				filter := bson.D{{Key: "nothing", Value: strings.Repeat("y", 2000)}}
				command = bson.D{{Key: "find", Value: "rows"}, {Key: "filter", Value: filter},
					{Key: "$db", Value: "proof0"}}
			}
			m, err := message(uint32(i+1), command)
			if err != nil {
				return err
			}
			out = append(out, m...)
		}
		if _, err := c.Write(out); err != nil {
			return err
		}
		for i := range commands {
			number, _, err := answer(answers)
			if err != nil || number != uint32(i+1) {
				return fmt.Errorf("answer %d of %d: to %d, %w", i+1, commands, number, err)
			}
		}
	}
	return nil
}
