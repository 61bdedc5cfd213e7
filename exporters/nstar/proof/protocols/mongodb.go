// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"strconv"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

var (
	//go:embed mongodb.py
	mongoClient string
	//go:embed MongoServer.java
	mongoServer string
)

// startMongoDB is a server of MongoDB's protocol, not MongoDB itself, under MongoDB's own driver, which counts its commands.
func startMongoDB(b *bed.Bed, _, python string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &subject{name: "mongodb", port: port}
	class, _ := java("mongodb")
	if python == "" || class == "" {
		return s, nil
	}
	script, err := b.Write("client.py", mongoClient)
	if err != nil {
		return nil, err
	}
	source, err := b.Write("MongoServer.java", mongoServer)
	if err != nil {
		return nil, err
	}
	if _, err := b.Start("mongodb", "taskset", "-c", "0", "java", "-Xmx256m", "-XX:+UseSerialGC", "-cp", class, source, strconv.Itoa(port)); err != nil {
		return nil, err
	}
	count := &clientCount{}
	run := func() error { return count.run("taskset", "-c", "0", python, script, strconv.Itoa(port)) }
	if err := bed.WaitFor(javaStart, run); err != nil {
		return nil, err
	}
	s.loads = append(s.loads, load{
		name: "PyMongo, eight threads, cursors, large documents, and writes that nobody acknowledges", run: run, source: "the driver's own count",
		answered: count.answered,
	})
	return s, nil
}
