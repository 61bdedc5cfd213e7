// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"

	"go.mongodb.org/mongo-driver/bson"
)

// Offsets in an OP_MSG with one section: header (length, number, number that is answered, kind), flags, kind of the
// section, document.
const (
	header  = 16
	opMsg   = 2013
	content = header + 5
)

// message is a command as an OP_MSG.
func message(number uint32, command bson.D) ([]byte, error) {
	document, err := bson.Marshal(command)
	if err != nil {
		return nil, err
	}
	b := make([]byte, content, content+len(document))
	binary.LittleEndian.PutUint32(b, uint32(content+len(document)))
	binary.LittleEndian.PutUint32(b[4:], number)
	binary.LittleEndian.PutUint32(b[12:], opMsg)
	return append(b, document...), nil
}

// answer reads the next one, with the number of the request that it answers.
func answer(r io.Reader) (number uint32, document bson.Raw, err error) {
	var h [header]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return 0, nil, err
	}
	length := binary.LittleEndian.Uint32(h[:])
	if length < content || length > 64<<20 {
		return 0, nil, fmt.Errorf("an answer of %d bytes", length)
	}
	rest := make([]byte, length-header)
	_, err = io.ReadFull(r, rest)
	return binary.LittleEndian.Uint32(h[8:]), rest[content-header:], err
}

// counts asks the server how many commands of each kind it has answered, and prints them.
func counts(socket string) error {
	c, err := net.Dial("unix", socket)
	if err != nil {
		return err
	}
	defer c.Close()
	m, err := message(1, bson.D{{Key: "serverStatus", Value: 1}, {Key: "$db", Value: "admin"}})
	if err != nil {
		return err
	}
	if _, err := c.Write(m); err != nil {
		return err
	}
	_, document, err := answer(c)
	if err != nil {
		return err
	}
	commands, err := document.LookupErr("metrics", "commands")
	if err != nil {
		return fmt.Errorf("%w in %s", err, document)
	}
	elements, err := commands.Document().Elements()
	if err != nil {
		return err
	}
	for _, e := range elements {
		total, err := e.Value().Document().LookupErr("total")
		if err != nil {
			return err
		}
		fmt.Println(e.Key(), total.AsInt64())
	}
	return nil
}
