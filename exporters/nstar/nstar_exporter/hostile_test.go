// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// Any local user chooses the names of processes; no name may take the endpoints away from the others.
func TestNameThatIsNotText(t *testing.T) {
	address := neighbour(t, "\xff\xfe\n\"}", nil).address
	e := start(t, "", 1)
	const shown = `tier="???\"}`
	e.eventually("the tier is known", func() bool { return strings.Contains(e.get("/metrics"), shown) })
	response, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	e.eventually("its windows", func() bool { return strings.Contains(e.get("/windows"), shown) })
	for _, path := range []string{"/metrics", "/windows"} {
		if text := e.get(path); !utf8.ValidString(text) {
			t.Errorf("%s is not text", path)
		}
	}
	e.stop()
}
