// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"io"
	"regexp"
)

// placeholder stands in a path for an argument that a user knows from the last answer that had it: {&since=next_batch}
// is &since= and the member next_batch of a JSON object, and nothing before the first such answer.
var placeholder = regexp.MustCompile(`\{(&\w+=)(\w+)\}`)

// memory is what a user knows from the answers, by the names of its members.
type memory map[string]string

// fill puts what is known into a path, and tells which members of the answer are to be remembered.
func (m memory) fill(path string) (filled string, wanted []string) {
	filled = placeholder.ReplaceAllStringFunc(path, func(text string) string {
		part := placeholder.FindStringSubmatch(text)
		wanted = append(wanted, part[2])
		if known := m[part[2]]; known != "" {
			return part[1] + known
		}
		return ""
	})
	return filled, wanted
}

// read reads an answer to its end and remembers what is wanted of it.
func (m memory) read(answer io.Reader, wanted []string) error {
	if len(wanted) == 0 {
		_, err := io.Copy(io.Discard, answer)
		return err
	}
	data, err := io.ReadAll(answer)
	if err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	for _, name := range wanted {
		var value string
		if err := json.Unmarshal(members[name], &value); err != nil {
			return err
		}
		m[name] = value
	}
	return nil
}
