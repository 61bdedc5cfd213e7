// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"encoding/binary"
	"testing"
)

// amqpFrame is one of AMQP 0-9-1: type, channel, length, content, end mark.
func amqpFrame(kind byte, channel uint16, carried ...byte) []byte {
	out := binary.BigEndian.AppendUint16([]byte{kind}, channel)
	out = binary.BigEndian.AppendUint32(out, uint32(len(carried)))
	return append(append(out, carried...), 0xce)
}

// amqpMethod is a frame that calls a method of a class.
func amqpMethod(class, method byte, arguments ...byte) []byte {
	return amqpFrame(1, 1, append([]byte{0, class, 0, method}, arguments...)...)
}

var (
	amqpHeader = text("AMQP\x00\x00\x09\x01")
	amqpStart  = amqpMethod(10, 10, make([]byte, 400)...)
	// to the queue "triage", by the exchange that has no name
	amqpPublish = concat(amqpMethod(60, 40, 0, 0, 0, 6, 't', 'r', 'i', 'a', 'g', 'e', 0),
		amqpFrame(2, 1, make([]byte, 60)...), amqpFrame(3, 1, text(`{"ticket": 1}`)...))
	// to a queue whose name is longer than the bytes that are read
	amqpReply    = amqpMethod(60, 40, append([]byte{0, 0, 0, 40}, make([]byte, 41)...)...)
	amqpAck      = amqpMethod(60, 80, 0, 0, 0, 0, 0, 0, 0, 7, 0)
	amqpDelivery = concat(amqpMethod(60, 60, make([]byte, 40)...), amqpFrame(2, 1, make([]byte, 60)...),
		amqpFrame(3, 1, make([]byte, 900)...))
	amqpHeartbeat = amqpFrame(8, 0)

	mqttPublish = text("\x30\x0b\x00\x04jobshello")
)

// nsqFrame is one from the server: a length, a kind, and its content.
func nsqFrame(kind byte, carried string) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(4+len(carried)))
	return append(append(out, 0, 0, 0, kind), carried...)
}

// TestPushes: messages to and from brokers are no turns, so that nothing is counted.
func TestPushes(t *testing.T) {
	pushed := func(name string, steps ...step) scenario {
		return scenario{name: name, steps: steps, protocol: opaque, turn: idle, multiplexed: 1}
	}
	taken := func(name string, request []byte, protocol uint8, want turn) scenario {
		return scenario{name: name, steps: []step{at(1 * ms).request(request), at(9 * ms).answer(text("well")),
			at(60 * ms).close()}, want: []turn{want}, protocol: protocol, turn: idle}
	}
	playAll(t, []scenario{
		pushed("AMQP from its beginning", at(1*ms).request(amqpHeader), at(2*ms).answer(amqpStart),
			at(3*ms).request(amqpMethod(10, 11, make([]byte, 300)...)), at(60*ms).answer(amqpDelivery),
			at(70*ms).close()),
		pushed("AMQP 1.0", at(1*ms).request(text("AMQP\x03\x01\x00\x00")),
			at(2*ms).answer(text("AMQP\x03\x01\x00\x00"))),
		pushed("joined in the middle: a message is published", at(1*ms).request(amqpPublish),
			at(60*ms).answer(amqpDelivery)),
		pushed("the same, to a queue with a long name", at(1*ms).request(amqpReply), at(60*ms).answer(amqpDelivery)),
		pushed("a delivery comes first, and is acknowledged", at(1*ms).answer(amqpDelivery), at(2*ms).request(amqpAck)),
		pushed("several are acknowledged in a segment", at(1*ms).request(amqpAck, amqpAck, amqpPublish)),
		pushed("a heartbeat", at(1*ms).request(amqpHeartbeat), at(30*ms).answer(amqpHeartbeat)),
		{
			name: "the first segment is the end of a message: what it began leaves the queue",
			steps: []step{at(1 * ms).request(amqpPublish[30:]), at(9 * ms).answer(amqpDelivery),
				at(60 * ms).request(amqpAck),
				at(70 * ms).answer(amqpDelivery)},
			want: []turn{served(1*ms, 9*ms)}, protocol: opaque, turn: idle, multiplexed: 1,
		},
		pushed("MQTT 5", at(1*ms).request(text("\x10\x1f\x00\x04MQTT\x05\x02\x00\x3c and so on"))),
		pushed("MQTT 3.1, with a long will", at(1*ms).request(text("\x10\xa0\x02\x00\x06MQIsdp\x03\x02\x00\x3c"))),
		pushed("a ping of MQTT", at(1*ms).request([]byte{0xc0, 0}), at(2*ms).answer([]byte{0xd0, 0})),
		pushed("NATS", at(1*ms).answer(text("INFO {\"server_id\":\"a\"}\r\n")),
			at(2*ms).request(text("CONNECT {\"verbose\":false}\r\nPING\r\n")), at(3*ms).answer(text("PONG\r\n"))),
		pushed("NATS, joined in the middle", at(1*ms).request(text("PUB jobs 5\r\nhello\r\n"))),
		pushed("NATS, with headers", at(1*ms).request(text("HPUB jobs answers 22 27\r\nNATS/1.0\r\n"))),
		pushed("a client of NATS that only listens", at(1*ms).answer(text("PING\r\n")),
			at(2*ms).request(text("PONG\r\n"))),
		pushed("STOMP", at(1*ms).request(text("CONNECT\naccept-version:1.2\n\n\x00"))),
		pushed("STOMP, joined in the middle", at(1*ms).request(text("SEND\ndestination:/queue/a\n\n\x00"))),
		pushed("MQTT, joined in the middle: a message is published", at(1*ms).request(mqttPublish)),
		pushed("the same, with a quality of service, to a long topic",
			at(1*ms).request(text("\x32\x2c\x00\x1eplace/building/floor/room/lamp\x00\x01some light"))),
		pushed("the begin of a large message of MQTT",
			at(1*ms).request(concat(text("\x30\xeb\xa7\x12\x00\x04jobs"), make([]byte, 1400)))),
		pushed("several messages of MQTT in a segment", at(1*ms).request(mqttPublish, mqttPublish, mqttPublish[:5])),
		pushed("MQTT delivers, and is acknowledged", at(1*ms).answer(mqttPublish),
			at(2*ms).request(text("\x40\x02\x00\x07")),
			at(60*ms).answer(mqttPublish), at(61*ms).request(text("\x40\x02\x00\x08"))),
		pushed("acknowledgements in one segment", at(1*ms).request(text("\x50\x02\x00\x07\x50\x02\x00\x08"))),
		pushed("an acknowledgement of the third kind", at(1*ms).request(text("\x62\x02\x00\x07"))),
		pushed("the last acknowledgement", at(1*ms).request(text("\x70\x02\x00\x07"))),
		pushed("a client of MQTT says farewell", at(1*ms).request(text("\xe0\x00"))),
		pushed("NATS, joined where a client asks for an answer",
			at(1*ms).request(text("SUB _INBOX.a.b 7\r\nPUB jobs 0\r\n\r\n"))),
		pushed("NATS, joined where a client listens no more", at(1*ms).request(text("UNSUB 7\r\n"))),
		pushed("NATS delivers first", at(1*ms).answer(text("MSG jobs 1 5\r\nhello\r\n")),
			at(2*ms).request(text("PING\r\n")),
			at(3*ms).answer(text("PONG\r\n"))),
		pushed("the same, with headers", at(1*ms).answer(text("HMSG jobs 1 12 17\r\nNATS/1.0\r\n"))),
		{
			name:  "a client of NATS that only listens asks whether the server is there: it was no request",
			steps: []step{at(1 * ms).request(text("PING\r\n")), at(9 * ms).answer(text("PONG\r\n"))},
			want:  []turn{aborted(1*ms, 9*ms)}, protocol: opaque, turn: idle, multiplexed: 1,
		},
		pushed("NSQ", at(1*ms).request(text("  V2")), at(2*ms).request(text("IDENTIFY\n\x00\x00\x00\x02{}")),
			at(3*ms).answer(nsqFrame(0, "OK"))),
		pushed("NSQ, all at once", at(1*ms).request(text("  V2IDENTIFY\n\x00\x00\x00\x02{}"))),
		pushed("NSQ, joined in the middle: several messages", at(1*ms).request(text("MPUB jobs\n\x00\x00\x00\x0a"))),
		pushed("a message for later", at(1*ms).request(text("DPUB jobs 100\n\x00\x00\x00\x01a"))),
		pushed("a consumer is ready", at(1*ms).request(text("RDY 10\n"))),
		pushed("a message is done", at(1*ms).answer(nsqFrame(2, "content")),
			at(2*ms).request(text("FIN 0123456789abcdef\n"))),
		pushed("a message is not done", at(1*ms).request(text("REQ 0123456789abcdef 0\n"))),
		pushed("a message takes time", at(1*ms).request(text("TOUCH 0123456789abcdef\n"))),
		pushed("a heartbeat of NSQ", at(1*ms).answer(nsqFrame(0, "_heartbeat_")), at(2*ms).request(text("NOP\n"))),
		pushed("STOMP is acknowledged", at(1*ms).request(text("ACK\nid:7\n\n\x00"))),
		pushed("STOMP is refused", at(1*ms).request(text("NACK\nid:7\n\n\x00"))),
		pushed("STOMP delivers first", at(1*ms).answer(text("MESSAGE\nsubscription:1\n\nhello\x00")),
			at(2*ms).request(text("\n"))),
		{
			name: "heartbeats of STOMP: both sides send a line that is empty",
			steps: []step{at(1 * ms).request(text("\n")), at(9 * ms).answer(text("\n")),
				at(60 * ms).request(text("\n"))},
			want: []turn{aborted(1*ms, 9*ms)}, protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "the end of a message is not answered: the next one shows the protocol",
			steps: []step{at(1 * ms).request(text("a message's end\r\n")),
				at(9 * ms).request(text("PUB jobs 5\r\nhello\r\n")),
				at(60 * ms).answer(text("PING\r\n"))},
			want: []turn{aborted(1*ms, 9*ms)}, protocol: opaque, turn: idle, multiplexed: 1,
		},
		taken("an empty line that is answered", text("\n"), auto, served(1*ms, 9*ms)),
		taken("LDAP is none of MQTT", text("0\x0c\x02\x01\x01`\x07\x02\x01\x03\x04\x00\x80\x00"), auto,
			served(1*ms, 9*ms)),
		taken("LDAP with long lengths", text("0\x84\x00\x00\x00\x0c\x02\x01\x01`\x84\x00\x00\x00\x07\x02\x01\x03"),
			auto,
			served(1*ms, 9*ms)),
		taken("what is longer than its message of MQTT", concat(mqttPublish, text("xy")), auto, served(1*ms, 9*ms)),
		taken("HTTP's CONNECT is none of NATS", text("CONNECT example.org:443 HTTP/1.1\r\n\r\n"), http,
			served(1*ms, 9*ms)),
		taken("what only begins like a method of AMQP", concat([]byte{1, 0, 1, 0, 0, 0, 20, 0, 60, 0, 40},
			make([]byte, 30)),
			auto, served(1*ms, 9*ms)),
	})
}
