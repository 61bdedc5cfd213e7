// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"
)

// For requests that wait on purpose, an edge has their number, and the time of the answered ones: how long its caller
// had nothing to do. They are no calls; a report that the received work is done is a call.
func TestEdgePatience(t *testing.T) {
	t.Run("numbered messages: among calls that are answered before them", func(t *testing.T) {
		c := newCrew(t)
		fetch := func(id uint32) []byte { return kafkaAsk(1, 11, id, body(60)) }
		ask := func(at int, payload []byte) {
			c.send(c.objects.TestRequest, towardsServer, time.Duration(at)*ms, 0, payload)
		}
		answer := func(at int, payload []byte) {
			c.send(c.objects.TestAnswer, towardsClient, time.Duration(at)*ms, 0, payload)
		}
		c.place(0, 0, 1)
		ask(1, kafkaAsk(18, 3, 1, body(20)))
		answer(2, kafkaAnswer(1, 300))
		ask(10, fetch(2))
		ask(20, kafkaAsk(8, 8, 3, body(30)))
		answer(30, kafkaAnswer(3, 40))
		answer(60, kafkaAnswer(2, 3000))
		ask(61, fetch(4))
		answer(62, kafkaAnswer(4, 3000)) // records were there
		ask(110, fetch(5))
		c.close(160*ms, 0) // without an answer: it is unknown how long it would have taken
		c.expect(0, 0, []edgeWindow{
			{Peak: 1, Used: 1, Gaps: 1, GapTime: 18 * ms, Opened: 1, Patient: 1, Commits: 1},
			{Patient: 1, Patience: 51 * ms},
			{Patient: 1},
			{Opened: -1},
		})
	})
	t.Run("answers in order: between others in one segment", func(t *testing.T) {
		c := newCrew(t)
		pop, popped := command3("BLPOP", "jobs", "0"), text("*2\r\n$4\r\njobs\r\n$1\r\nx\r\n")
		c.place(0, 0, 1)
		c.send(c.objects.TestRequest, towardsServer, 1*ms, 0, concat(get3, pop))
		c.send(c.objects.TestAnswer, towardsClient, 5*ms, 0, value3)
		c.send(c.objects.TestAnswer, towardsClient, 71*ms, 0, popped)
		c.send(c.objects.TestRequest, towardsServer, 80*ms, 0, pop)
		c.close(110*ms, 0)
		c.expect(0, 0, []edgeWindow{
			{Peak: 1, Used: 1, Opened: 1, Patient: 1},
			{Patient: 1, Patience: 70 * ms},
			{Opened: -1},
		})
	})
}
