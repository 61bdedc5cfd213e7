// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/answer"
)

// from asks as a client of an address and gives the windows' numbers.
func from(t *testing.T, h http.Handler, address, login, consumer string) ([]int, int) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/windows?consumer="+consumer, nil)
	r.RemoteAddr = address
	if login != "" {
		r.SetBasicAuth(login, "secret")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return nil, w.Code
	}
	return numbers(t, parseText(t, w.Body)), w.Code
}

// A client that knows a consumer's name takes nothing away from that consumer, and gets no place that is in use.
func TestNobodyTakesAConsumersWindows(t *testing.T) {
	b := filled(time.Minute, 10)
	h := handler(b)
	const prometheus, thief = "192.0.2.1:4000", "192.0.2.66:4000"
	got, _ := from(t, h, prometheus, "", "prometheus")
	expect(t, got, 0, 10)
	fill(b, 10, 20)
	for range 3 {
		from(t, h, thief, "", "prometheus")
		from(t, h, prometheus, "thief", "prometheus")
	}
	for i := range 1000 {
		from(t, h, fmt.Sprintf("198.51.100.%d:4000", i%250), "", fmt.Sprint("c", i))
	}
	got, _ = from(t, h, prometheus, "", "prometheus")
	expect(t, got, 10, 20)
	if n := h.Refused(); n < 900 {
		t.Errorf("%d were refused", n)
	}
	if _, status := from(t, h, "203.0.113.1:4000", "", "late"); status != http.StatusServiceUnavailable {
		t.Errorf("status %d, want 503", status)
	}
}

func TestConsumersPerClient(t *testing.T) {
	h := handler(filled(time.Minute, 10))
	for i := range maxConsumersPerClient + 1 {
		_, status := from(t, h, fmt.Sprintf("192.0.2.1:%d", 4000+i), "", fmt.Sprint("c", i))
		if want := map[bool]int{true: 200, false: 503}[i < maxConsumersPerClient]; status != want {
			t.Errorf("consumer %d: status %d, want %d", i, status, want)
		}
	}
	if got, _ := from(t, h, "192.0.2.2:4000", "", "c0"); len(got) != 10 {
		t.Errorf("another client gets %v", got)
	}
}

// A place that was not used for as long as windows are kept is free.
func TestUnusedConsumersMakeRoom(t *testing.T) {
	h := handler(filled(time.Minute, 10))
	for i := range maxConsumers {
		from(t, h, fmt.Sprintf("192.0.2.%d:4000", i), "", "c")
	}
	for _, at := range h.consumers.cursors {
		at.used = at.used.Add(-time.Minute - time.Second)
	}
	if _, status := from(t, h, "203.0.113.1:4000", "", "late"); status != http.StatusOK ||
		len(h.consumers.cursors) != 1 {
		t.Errorf("status %d, %d cursors", status, len(h.consumers.cursors))
	}
}

// A consumer that comes with another address begins where it was, not later.
func TestConsumerMoves(t *testing.T) {
	b := filled(time.Hour, 200)
	h := handler(b)
	from(t, h, "192.0.2.1:4000", "", "prometheus")
	fill(b, 200, 1000) // longer than a view
	got, _ := from(t, h, "192.0.2.2:4000", "", "prometheus")
	if len(got) == 0 || got[0] > 200 || got[len(got)-1] != 999 {
		t.Errorf("windows %v, want all from 200", got)
	}
}

// listen serves the handler over real connections.
func listen(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	return listenOn(t, h, func(l net.Listener) net.Listener { return l })
}

// listenOn does so over connections as a listener makes them.
func listenOn(t *testing.T, h http.Handler, on func(net.Listener) net.Listener) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Listener = answer.Listen(on(s.Listener))
	s.Config.ConnContext = answer.Context
	s.Start()
	t.Cleanup(s.Close)
	return s
}

const request = "GET /windows?consumer=a HTTP/1.1\r\nHost: x\r\n\r\n"

// dial asks on a connection of its own; the answer is not read.
func dial(t *testing.T, s *httptest.Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return c
}

func read(t *testing.T, c net.Conn) []int {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return numbers(t, parseText(t, response.Body))
}

// taken waits until the server has written an answer.
func taken(t *testing.T, h *Handler) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		h.consumers.mu.Lock()
		ok := false
		for _, at := range h.consumers.cursors {
			ok = at.sent != nil && at.sent.taken
		}
		h.consumers.mu.Unlock()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("no answer was written")
		}
	}
}

// The kernel took the whole answer, and the client gave up before it read it: it comes again.
func TestAnswerThatDidNotArriveComesAgain(t *testing.T) {
	h := handler(filled(time.Hour, 50))
	s := listen(t, h)
	c := dial(t, s)
	taken(t, h)
	time.Sleep(10 * time.Millisecond) // it lies in the client's buffer, acknowledged
	c.Close()                         // unread: a reset
	expect(t, read(t, dial(t, s)), 0, 50)
}

// A client that has its connection closed after the answer gets it, though nothing is acknowledged when the server
// closes.
func TestConnectionClose(t *testing.T) {
	b := filled(time.Hour, 50)
	s := listen(t, handler(b))
	for i := range 20 {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, strings.Replace(request, "\r\n\r\n", "\r\nConnection: close\r\n\r\n",
			1)); err != nil {
			t.Fatal(err)
		}
		expect(t, read(t, c), map[bool]int{true: 0, false: 49 + i}[i == 0], 50+i)
		c.Close()
		fill(b, 50+i, 51+i)
	}
}

// lateConn is a connection whose client gets the written bytes long before the server knows that it has written
// them.
type lateConn struct{ *net.TCPConn }

func (c lateConn) Write(b []byte) (int, error) {
	n, err := c.TCPConn.Write(b)
	time.Sleep(20 * time.Millisecond)
	return n, err
}

type lateListener struct{ net.Listener }

func (l lateListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return lateConn{c.(*net.TCPConn)}, nil
}

// A client that asks again on another connection at once is not given the same windows again, though the server is not
// done with the first answer.
func TestClientThatIsFasterThanTheServer(t *testing.T) {
	b := filled(time.Hour, 50)
	s := listenOn(t, handler(b), func(l net.Listener) net.Listener { return lateListener{l} })
	expect(t, read(t, dial(t, s)), 0, 50)
	for i := range 5 {
		fill(b, 50+i, 51+i)
		expect(t, read(t, dial(t, s)), 50+i, 51+i)
	}
}

func TestAnswerThatArrivedDoesNot(t *testing.T) {
	b := filled(time.Hour, 50)
	h := handler(b)
	s := listen(t, h)
	for _, tt := range []struct {
		name string
		next func(c net.Conn) net.Conn
	}{
		{"on the same connection", func(c net.Conn) net.Conn { io.WriteString(c, request); return c }},
		{"on another, the first is left open", func(net.Conn) net.Conn { return dial(t, s) }},
		{"on another, the first carries another answer that nobody reads", func(c net.Conn) net.Conn {
			io.WriteString(c, strings.Replace(request, "?consumer=a", "", 1))
			if _, err := io.ReadFull(c, make([]byte, 1)); err != nil { // it is written
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond) // and the server knows it
			c.Close()                         // a reset
			return dial(t, s)
		}},
		{"on another, the first was closed at once", func(c net.Conn) net.Conn {
			c.Close()
			return dial(t, s)
		}},
		{"on another, the first was closed", func(c net.Conn) net.Conn {
			c.Close()
			time.Sleep(10 * time.Millisecond)
			return dial(t, s)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			last := int((b.Last() - epoch) / width)
			c := dial(t, s)
			read(t, c)
			fill(b, last+1, last+11)
			expect(t, read(t, tt.next(c)), last+1, last+11)
		})
	}
}

// A reader that stalls delays no other consumer, and not its own next request.
func TestStalledReader(t *testing.T) {
	b := NewBuffer(time.Hour)
	label := strings.Repeat("x", 3000)
	for i := range 1000 { // more than the sockets hold
		b.Add(Batch{End: end(i), Tiers: []Tier{{App: label, Tier: "web", Queue: float64(i)}}})
	}
	h := handler(b)
	h.consumers.cursors[identity{"a", "address ::1"}] = &cursor{used: time.Now()}
	s := listen(t, h)
	stalled := dial(t, s)
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		h.consumers.mu.Lock()
		begun := h.consumers.cursors[identity{"a", "address ::1"}].sent != nil
		h.consumers.mu.Unlock()
		if begun {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the answer did not begin")
		}
	}
	got := make(chan int)
	go func() { got <- len(read(t, dial(t, s))) }()
	select {
	case n := <-got:
		if n != 1000 {
			t.Errorf("%d windows, want all", n)
		}
	case <-time.After(20 * time.Second):
		t.Error("the stalled reader holds up the others")
	}
	stalled.Close()
}

// The samples that an outage held back at the largest site come in parts, each bounded, none lost; also when
// two servers come back at the same time.
func TestOutageOfTwoServers(t *testing.T) {
	const tiers, edges, windows = 64, 192, 150
	b := NewBuffer(time.Hour)
	for i := range windows {
		batch := Batch{End: end(i)}
		for j := range tiers {
			batch.Tiers = append(batch.Tiers, Tier{App: "shop", Tier: fmt.Sprint("t", j), Queue: float64(i)})
		}
		for j := range edges {
			batch.Edges = append(batch.Edges, Edge{App: "shop", From: "web", To: fmt.Sprint("e", j)})
		}
		b.Add(batch)
	}
	h := handler(b)
	servers := []string{"192.0.2.1:4000", "192.0.2.2:4000"}
	for i := range servers {
		h.consumers.cursors[identity{"prometheus", fmt.Sprintf("address 192.0.2.%d", i+1)}] = &cursor{used: time.Now()}
	}
	var all sync.WaitGroup
	for _, address := range servers {
		all.Go(func() {
			next := 0
			for range windows {
				r := httptest.NewRequest(http.MethodGet, "/windows?consumer=prometheus", nil)
				r.RemoteAddr = address
				r.Header.Set("Accept-Encoding", "identity")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				lines, first, last := count(w.Body.String())
				if lines == 0 {
					break
				}
				if lines > maxSamples {
					t.Errorf("an answer has %d samples", lines)
				}
				if first != next {
					t.Errorf("an answer begins with window %d, want %d", first, next)
				}
				next = last + 1
			}
			if next != windows {
				t.Errorf("%s got windows until %d", address, next)
			}
		})
	}
	all.Wait()
}

// count gives the number of samples of an answer and the first and last window of the tier t0.
func count(text string) (samples, first, last int) {
	first = -1
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		samples++
		if strings.HasPrefix(line, `nstar_window_queue_length{app="shop",tier="t0"}`) {
			var n int
			fmt.Sscan(strings.Fields(line)[1], &n)
			if first < 0 {
				first = n
			}
			last = n
		}
	}
	return samples, first, last
}
