// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// pgMessage frames a message: its type, its length without the type, its content.
func pgMessage(kind byte, content ...[]byte) []byte {
	c := concat(content...)
	return concat(binary.BigEndian.AppendUint32([]byte{kind}, uint32(4+len(c))), c)
}

// pgUntyped is the first message of a connection: a length, a version or code.
func pgUntyped(code uint32, content ...[]byte) []byte {
	c := concat(content...)
	return concat(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(8+len(c))), code), c)
}

func pgQuery(sql string) []byte { return pgMessage('Q', []byte(sql), []byte{0}) }

var (
	pgStartup  = pgUntyped(3<<16, text("user\x00u\x00\x00"))
	pgAskTLS   = pgUntyped(80877103)
	pgCancel   = pgUntyped(80877102, make([]byte, 8))
	pgReady    = pgMessage('Z', []byte("I"))
	pgAuthOK   = pgMessage('R', make([]byte, 4))
	pgSASL     = pgMessage('R', []byte{0, 0, 0, 10}, text("SCRAM-SHA-256\x00\x00"))
	pgSASLMore = pgMessage('R', []byte{0, 0, 0, 11}, make([]byte, 80))
	pgPassword = pgMessage('p', make([]byte, 55))
	pgWelcome  = concat(pgAuthOK, pgMessage('S', text("server_version\x0015\x00")), pgMessage('K', make([]byte, 8)),
		pgReady)
	pgSync      = pgMessage('S')
	pgFlush     = pgMessage('H')
	pgTerminate = pgMessage('X')
	pgParse     = pgMessage('P', text("s\x00select $1\x00\x00\x00"))
	pgBind      = pgMessage('B', text("\x00s\x00"), make([]byte, 20))
	pgDescribe  = pgMessage('D', text("P\x00"))
	pgExecute   = pgMessage('E', make([]byte, 5))
	pgBatch     = concat(pgParse, pgBind, pgDescribe, pgExecute, pgSync)
	pgRow       = pgMessage('D', make([]byte, 30))
	pgComplete  = pgMessage('C', text("SELECT 1\x00"))
	pgRows      = concat(pgMessage('T', make([]byte, 40)), pgRow, pgComplete, pgReady)
	pgCopyIn    = pgMessage('G', make([]byte, 5))
	pgCopyData  = pgMessage('d', make([]byte, 300))
	pgCopyDone  = pgMessage('c')
	pgNotice    = pgMessage('N', make([]byte, 60))
	pgNotify    = pgMessage('A', make([]byte, 20))
	// a standby's reports while it follows: the log positions and its clock; the oldest transactions that it reads
	pgStandbyStatus = pgMessage('d', text("r"), make([]byte, 33))
	pgStandbyReads  = pgMessage('d', text("h"), make([]byte, 24))
	pgError         = pgMessage('E', make([]byte, 60))
)

// pgLogin is a login with SCRAM that ends at 7 ms.
func pgLogin(more ...step) []step {
	return append([]step{
		at(1 * ms).request(pgStartup), at(2 * ms).answer(pgSASL), at(3 * ms).request(pgPassword),
		at(4 * ms).answer(pgSASLMore),
		at(5 * ms).request(pgPassword), at(7 * ms).answer(pgWelcome),
	}, more...)
}

func TestPostgreSQL(t *testing.T) {
	twice := []turn{served(9*ms, 60*ms), open(70*ms, 72*ms)}
	playAll(t, []scenario{
		{
			name: "login and Terminate are no requests, a query is",
			steps: pgLogin(at(9*ms).request(pgQuery("select 1")), at(60*ms).answer(pgRows),
				at(70*ms).request(pgTerminate),
				at(71*ms).close()),
			want: []turn{served(9*ms, 60*ms)}, protocol: postgres, turn: idle,
		},
		{
			name: "refused TLS in front of the login",
			steps: append([]step{at(0).request(pgAskTLS), at(0).answer([]byte("N"))},
				pgLogin(at(9*ms).request(pgQuery("select 1")), at(60*ms).answer(pgRows))...),
			want: []turn{open(9*ms, 60*ms)}, protocol: postgres, turn: answered,
		},
		{
			name: "extended protocol: all up to Sync is one request, in one segment or in several",
			steps: pgLogin(
				at(9*ms).request(pgBatch), at(60*ms).answer(pgMessage('1'), pgMessage('2'), pgRows),
				at(70*ms).request(pgParse, pgBind[:7]), at(70*ms).request(pgBind[7:], pgExecute),
				at(71*ms).request(pgSync[:1]),
				at(71*ms).request(pgSync[1:]),
				at(72*ms).answer(pgMessage('1'), pgMessage('2'), pgRows)),
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "answers to Flush do not end the request, and belong to none before it",
			steps: pgLogin(
				at(9*ms).request(pgParse, pgDescribe, pgFlush),
				at(40*ms).answer(pgMessage('1'), pgMessage('t', make([]byte, 6)), pgMessage('T', make([]byte, 40))),
				at(41*ms).request(pgBind, pgExecute, pgSync),
				at(60*ms).answer(pgMessage('2'), pgRow, pgComplete, pgReady),
				at(70*ms).request(pgParse, pgDescribe, pgFlush), at(71*ms).answer(pgMessage('1'), pgMessage('n')),
				at(71*ms).request(pgParse), at(71*ms).request(pgBind, pgExecute, pgSync),
				at(72*ms).answer(pgMessage('1'), pgMessage('2'), pgComplete, pgReady)),
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "an error in answer to Flush: the Sync's ReadyForQuery ends the request",
			steps: pgLogin(
				at(9*ms).request(pgParse, pgFlush), at(40*ms).answer(pgError), at(41*ms).request(pgSync),
				at(60*ms).answer(pgReady)),
			want: []turn{open(9*ms, 60*ms)}, protocol: postgres, turn: answered,
		},
		{
			name: "a query behind a batch that has no Sync: one ReadyForQuery, one request",
			steps: pgLogin(
				at(9*ms).request(pgParse), at(12*ms).request(pgQuery("select 1")),
				at(60*ms).answer(pgMessage('1'), pgRows),
				at(70*ms).request(pgQuery("")), at(72*ms).answer(pgMessage('I'), pgReady)),
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "result of many segments",
			steps: pgLogin(
				at(9*ms).request(pgQuery("select *")), at(12*ms).answer(bytes.Repeat(pgRow, 30)),
				at(59*ms).answer(bytes.Repeat(pgRow, 30)[:99]),
				at(60*ms).answer(pgComplete, pgReady), at(70*ms).request(pgQuery("")),
				at(72*ms).answer(pgMessage('I'), pgReady)),
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "statement of many segments is one request",
			steps: pgLogin(
				at(9*ms).request(pgQuery(string(body(6000)))[:3000]),
				at(30*ms).request(pgQuery(string(body(6000)))[3000:]),
				at(60*ms).answer(pgRows)),
			want: []turn{open(9*ms, 60*ms)}, protocol: postgres, turn: answered,
		},
		{
			name: "pipeline: each Sync is a request",
			steps: pgLogin(
				at(9*ms).request(pgBatch, pgBatch), at(20*ms).request(pgBatch), at(30*ms).answer(pgRows),
				at(60*ms).answer(pgRows, pgRows[:50]),
				at(70*ms).answer(pgRows[50:])),
			want: []turn{served(9*ms, 30*ms), served(9*ms, 60*ms), served(20*ms, 70*ms)}, protocol: postgres,
			turn: idle,
		},
		{
			name: "pipeline: an answer's last message is cut in its header, and behind it",
			steps: pgLogin(
				at(9*ms).request(pgBatch, pgBatch), at(20*ms).answer(pgRows[:len(pgRows)-3]),
				at(30*ms).answer(pgRows[len(pgRows)-3:len(pgRows)-1]),
				at(40*ms).answer(pgRows[len(pgRows)-1:], pgRows[:len(pgRows)-1]),
				at(60*ms).answer(pgRows[len(pgRows)-1:])),
			want: []turn{served(9*ms, 40*ms), served(9*ms, 60*ms)}, protocol: postgres, turn: idle,
		},
		{
			name: "pipeline, then one request at a time",
			steps: pgLogin(
				at(9*ms).request(pgBatch, pgBatch), at(30*ms).answer(pgRows, pgRows),
				at(59*ms).request(pgQuery("select 1")),
				at(60*ms).answer(pgRows[:40]),
				at(70*ms).answer(pgRows[40:]), at(80*ms).request(pgTerminate), at(81*ms).close()),
			want: []turn{served(9*ms, 30*ms), served(9*ms, 30*ms), served(59*ms, 70*ms)}, protocol: postgres,
			turn: idle,
		},
		{
			name:  "the connection ends with a pipeline under way",
			steps: pgLogin(at(9*ms).request(pgBatch, pgBatch, pgBatch), at(30*ms).answer(pgRows), at(60*ms).close()),
			want:  []turn{served(9*ms, 30*ms), aborted(9*ms, 60*ms), aborted(9*ms, 60*ms)}, protocol: postgres,
			turn: idle,
		},
		{
			name: "COPY IN: the data belongs to the request",
			steps: pgLogin(
				at(9*ms).request(pgQuery("copy t from stdin")), at(12*ms).answer(pgCopyIn),
				at(13*ms).request(bytes.Repeat(pgCopyData, 9)),
				at(50*ms).request(pgCopyData, pgCopyDone), at(60*ms).answer(pgComplete, pgReady),
				at(70*ms).request(pgQuery("")),
				at(72*ms).answer(pgReady)),
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "COPY IN of the extended protocol: the first Sync is lost in it",
			steps: pgLogin(
				at(9*ms).request(pgBatch), at(12*ms).answer(pgMessage('1'), pgMessage('2'), pgMessage('n'), pgCopyIn),
				at(13*ms).request(pgCopyData),
				at(50*ms).request(pgCopyDone, pgSync), at(60*ms).answer(pgComplete, pgReady), at(70*ms).request(pgSync),
				at(72*ms).answer(pgReady)),
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "notices and notifications answer nothing",
			steps: pgLogin(
				at(9*ms).request(pgQuery("select f()")), at(12*ms).answer(pgNotice), at(60*ms).answer(pgRows),
				at(65*ms).answer(pgNotify),
				at(70*ms).request(pgQuery("")), at(72*ms).answer(pgReady), at(150*ms).answer(pgNotify)),
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "an error ends the batch", steps: pgLogin(at(9*ms).request(pgBatch),
				at(60*ms).answer(pgMessage('1'), pgError, pgReady)),
			want: []turn{open(9*ms, 60*ms)}, protocol: postgres, turn: answered,
		},
		{
			name:  "a connection that cancels asks nothing",
			steps: []step{at(1 * ms).request(pgCancel), at(2 * ms).close()}, protocol: postgres, turn: idle,
		},
		{
			name: "replication is a stream",
			steps: pgLogin(
				at(9*ms).request(pgQuery("START_REPLICATION")), at(12*ms).answer(pgMessage('W', make([]byte, 3))),
				at(60*ms).answer(pgCopyData), at(70*ms).close()),
			want: []turn{aborted(9*ms, 12*ms)}, protocol: opaque, turn: idle,
		},
		{
			name: "joined in the middle of replication: what a standby has written",
			steps: []step{
				at(1 * ms).answer(pgCopyData), at(2 * ms).request(pgStandbyStatus), at(30 * ms).answer(pgCopyData),
				at(40 * ms).request(pgStandbyStatus),
			},
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name:     "joined in the middle of replication: what a standby reads",
			steps:    []step{at(2 * ms).request(pgStandbyReads), at(30 * ms).answer(pgCopyData)},
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "joined in the middle: a query and its answer show it",
			steps: []step{
				at(9 * ms).request(pgQuery("select 1")), at(60 * ms).answer(pgRows), at(70 * ms).request(pgBatch),
				at(72 * ms).answer(pgRows),
				at(80 * ms).request(pgTerminate),
			},
			want: twice, protocol: postgres, turn: answered,
		},
		{
			name: "joined in the middle: a batch and its answer show it",
			steps: []step{
				at(9 * ms).request(pgBatch), at(60 * ms).answer(pgRows), at(70*ms).request(pgBatch, pgBatch),
				at(72*ms).answer(pgRows, pgRows),
				at(80 * ms).request(pgTerminate),
			},
			want: []turn{served(9*ms, 60*ms), served(70*ms, 72*ms), served(70*ms, 72*ms)}, protocol: postgres,
			turn: idle,
		},
		{
			name: "joined in the middle of an upload, configured", hint: postgres,
			steps: []step{
				at(1 * ms).request(body(3000)), at(2 * ms).answer(pgRows), at(3 * ms).request(pgTerminate),
				at(9 * ms).request(pgQuery("select 1")),
				at(60 * ms).answer(pgRows),
			},
			want: []turn{open(9*ms, 60*ms)}, protocol: postgres, turn: answered,
		},
		{
			name:     "joined in the middle on an edge where it is known: Terminate asks nothing",
			edge:     &TurntestEdgeState{Learned: postgres},
			steps:    []step{at(1 * ms).request(pgTerminate), at(2 * ms).close()},
			protocol: postgres, turn: idle,
		},
		{
			name: "a segment is missing, and what follows is found again",
			steps: pgLogin(
				at(9*ms).request(pgBatch), at(20*ms).answer(pgRows), at(30*ms).request(pgBatch).ahead(500),
				at(60*ms).answer(pgRows),
				at(70*ms).request(pgBatch), at(72*ms).answer(pgRows)),
			want: []turn{served(9*ms, 20*ms), served(30*ms, 60*ms), open(70*ms, 72*ms)}, protocol: postgres,
			turn: answered,
		},
	})
}
