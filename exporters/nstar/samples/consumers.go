// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/answer"
)

// Limits of the cursors kept. A cursor in use never makes room for another one: no client can take another client's
// place.
const (
	maxConsumers          = 32
	maxConsumersPerClient = 8
)

// patience is how long a consumer that asks again on another connection waits until it is known if its last answer
// arrived: a client may have read the answer before the server returns from writing it, and before the client's TCP
// acknowledges it.
const patience = 500 * time.Millisecond

// consumers knows how far each consumer is. A consumer is a name together with its user: the same name from another
// address, or under another login, is another consumer and takes nothing away.
type consumers struct {
	buffer *Buffer
	log    *slog.Logger

	mu      sync.Mutex // never held while anything is sent
	cursors map[identity]*cursor
	refused uint64
}

// identity is a consumer's name and its user.
type identity struct{ name, whose string }

// cursor is how far a consumer is.
type cursor struct {
	client netip.Addr
	used   time.Time
	after  time.Duration // the windows until then arrived
	sent   *sent         // the last answer; nil when it is known to have arrived
}

// sent is an answer that may have arrived.
type sent struct {
	last  time.Duration // end of its last window
	conn  *answer.Conn  // nil if connections are not known
	done  chan struct{} // closed when the rest is known
	taken bool          // the connection took all of it
	end   int64         // where on the connection it ended
}

// settle waits until it is known whether an answer arrived, at most for patience.
func (s *sent) settle() {
	deadline := time.Now().Add(patience)
	select {
	case <-s.done:
	case <-time.After(patience):
	}
	for !s.conn.Settled() && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
}

// arrived reports, when the consumer asks again on a connection, whether its last answer got through. A client asks
// again on the same connection only when it has read the answer to its end. On another connection, the old one must
// not have failed: a client that gives up while an answer comes resets the connection.
func (s *sent) arrived(next *answer.Conn) bool {
	return s.taken && (s.conn == nil || s.conn == next || s.conn.Delivered(s.end))
}

func newConsumers(b *Buffer, log *slog.Logger) *consumers {
	return &consumers{buffer: b, log: log, cursors: make(map[identity]*cursor)}
}

func (c *consumers) count() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
}

// next are the samples that a consumer has not got yet. The request acknowledges the previous answer; done records
// whether the connection took this one.
func (c *consumers) next(name string, r *http.Request) (batches []Batch, done func(taken bool), err error) {
	id, conn := identity{name, whose(r)}, answer.Of(r.Context())
	if last := c.last(id); last != nil && last.conn != nil && last.conn != conn {
		last.settle()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at, err := c.cursor(id, answer.Client(r))
	if err != nil {
		return nil, nil, err
	}
	if at.sent != nil && at.sent.arrived(conn) {
		at.after = at.sent.last
	}
	if last := c.buffer.Last(); at.after > last { // the buffer began again
		at.after = last - View
	}
	batches = c.buffer.oldest(at.after, maxSamples)
	now := &sent{last: at.after, conn: conn, done: make(chan struct{})}
	if len(batches) > 0 {
		now.last = batches[len(batches)-1].End
	}
	at.sent = now
	return batches, func(taken bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		defer close(now.done)
		now.taken = taken // if the consumer asked again meanwhile, this is not used any more
		if conn != nil {
			now.end = conn.Written()
		}
	}, nil
}

// last is the last answer to a consumer; nil if there is none.
func (c *consumers) last(id identity) *sent {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.cursors[id]; at != nil {
		return at.sent
	}
	return nil
}

// whose is the user that asks: a client's certificate or login, which the server has checked if it requires them,
// otherwise the address.
func whose(r *http.Request) string {
	if r.TLS != nil && len(r.TLS.VerifiedChains) > 0 {
		return "certificate " + r.TLS.VerifiedChains[0][0].Subject.String()
	}
	if user, _, ok := r.BasicAuth(); ok {
		return "user " + user
	}
	return "address " + answer.Client(r).String()
}

// cursor finds or makes a consumer's cursor.
func (c *consumers) cursor(id identity, client netip.Addr) (*cursor, error) {
	if at := c.cursors[id]; at != nil {
		at.used = time.Now()
		return at, nil
	}
	c.forgetUnused()
	same := 0
	for _, at := range c.cursors {
		if at.client == client {
			same++
		}
	}
	if len(c.cursors) >= maxConsumers || same >= maxConsumersPerClient {
		c.refused++
		c.log.Warn("Too many consumers of /windows: one is refused", "consumer", id.name, "client", client)
		return nil, errConsumers
	}
	at := &cursor{client: client, used: time.Now(), after: c.begin(id.name)}
	c.cursors[id] = at
	c.log.Info("New consumer of /windows", "consumer", id.name, "of", id.whose)
	return at, nil
}

// begin is where a new consumer begins: with a view or, if others have the same name, with the one of these that
// is furthest behind. It may be that consumer, with a new address.
func (c *consumers) begin(name string) time.Duration {
	after := c.buffer.Last() - View
	for id, at := range c.cursors {
		if id.name == name {
			after = min(after, at.after)
		}
	}
	return after
}

// forgetUnused drops the cursors that are of no use any more: a new one would begin with all that is kept.
func (c *consumers) forgetUnused() {
	for id, at := range c.cursors {
		if time.Since(at.used) > c.buffer.retain {
			delete(c.cursors, id)
		}
	}
}
