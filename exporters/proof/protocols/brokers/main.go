// SPDX-License-Identifier: Apache-2.0

// Command brokers is two brokers of messages, NATS and NSQ, and clients of them that use their own drivers for Go. It
// is a module of its own because they have many dependencies that nothing else here needs.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"time"
)

const usage = "usage: brokers serve nats|nsq ADDRESS DIRECTORY | nats|nsq LOAD ADDRESS END"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "brokers:", err)
		os.Exit(1)
	}
}

var (
	servers = map[string]func(address, dir string) (stop func(), _ error){"nats": serveNATS, "nsq": serveNSQ}
	clients = map[string]map[string]func(address string, until end) (connections int, _ error){
		"nats": natsLoads, "nsq": nsqLoads,
	}
)

func run(argv []string) error {
	if len(argv) != 4 {
		return fmt.Errorf("%s", usage)
	}
	if argv[0] == "serve" && servers[argv[1]] != nil {
		stop, err := servers[argv[1]](argv[2], argv[3])
		if err != nil {
			return err
		}
		ended := make(chan os.Signal, 1)
		signal.Notify(ended, os.Interrupt)
		<-ended
		stop()
		return nil
	}
	load := clients[argv[0]][argv[1]]
	if load == nil {
		return fmt.Errorf("%s", usage)
	}
	n, err := load(argv[2], end(argv[3]))
	if err != nil {
		return err
	}
	fmt.Println("connections", n)
	return nil
}

// pause lies between messages, so that most segments hold one.
const pause = 5 * time.Millisecond

// large is a message of many segments.
var large = make([]byte, 300_000)

// end is a file; when it is there the clients end.
type end string

func (e end) reached() bool {
	_, err := os.Stat(string(e))
	return err == nil
}

func (e end) wait() {
	for !e.reached() {
		time.Sleep(100 * time.Millisecond)
	}
}

// repeat does something again and again.
func (e end) repeat(do func(i int) error) error {
	for i := 0; !e.reached(); i++ {
		if err := do(i); err != nil {
			return err
		}
		time.Sleep(pause)
	}
	return nil
}
