// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2/hpack"
)

// h2Server writes answers of HTTP/2, on one connection, so that later headers refer to earlier ones.
type h2Server struct {
	block   bytes.Buffer
	encoder *hpack.Encoder
}

func newH2Server() *h2Server {
	s := &h2Server{}
	s.encoder = hpack.NewEncoder(&s.block)
	return s
}

// headers is a frame of HEADERS with names and values.
func (s *h2Server) headers(flags byte, stream uint32, fields ...string) []byte {
	s.block.Reset()
	for pair := range slices.Chunk(fields, 2) {
		if err := s.encoder.WriteField(hpack.HeaderField{Name: pair[0], Value: pair[1]}); err != nil {
			panic(err)
		}
	}
	return rawHeaders(flags|endHeaders, stream, s.block.Bytes())
}

func rawHeaders(flags byte, stream uint32, block []byte) []byte {
	return h2Frame(1, flags, stream, block)
}

func (s *h2Server) page(stream uint32, status string) []byte {
	return concat(s.headers(0, stream, ":status", status, "content-type", "text/html", "server", "some"),
		frame(0, endStream, stream, 30))
}

// called is an answer of gRPC with a message.
func (s *h2Server) called(stream uint32, outcome string) []byte {
	return concat(s.headers(0, stream, ":status", "200", "content-type", "application/grpc"), frame(0, 0, stream, 30),
		s.headers(endStream, stream, "grpc-status", outcome, "grpc-message", ""))
}

// refused is one without.
func (s *h2Server) refused(stream uint32, outcome string) []byte {
	return s.headers(endStream, stream, ":status", "200", "content-type", "application/grpc", "grpc-status", outcome,
		"grpc-message", "no "+outcome)
}

// errorsOf plays answers to streams 1, 3, 5 and so on, each in a segment of its own if it is not cut.
func errorsOf(t *testing.T, m *machine, station uint32, cut func([]byte) [][]byte, answers ...[]byte) int {
	t.Helper()
	m.reset(t, TurntestConn{}, 0)
	c := &crew{machine: m, t: t}
	c.place(ms, 0, station)
	c.send(c.objects.TestRequest, towardsServer, 2*ms, 0, h2Preface)
	c.send(c.objects.TestAnswer, towardsClient, 2*ms, 0, concat(h2Settings, h2Ack))
	for i, answer := range answers {
		at := 3*ms + time.Duration(i)*ms/10
		c.send(c.objects.TestRequest, towardsServer, at, 0, h2Get(uint32(2*i+1)))
		for _, piece := range cut(answer) {
			c.send(c.objects.TestAnswer, towardsClient, at, 0, piece)
		}
	}
	return c.errors(1)[0]
}

func whole(answer []byte) [][]byte { return [][]byte{answer} }

func code(b byte) []byte { return h2Frame(3, 0, 1, []byte{0, 0, 0, b}) }

// The status of HTTP/2 and that of gRPC are read, wherever they stand in the tables of compressed headers.
func TestErrorsOfHTTP2(t *testing.T) {
	m, s := loadMachine(t), newH2Server
	a, b, c, d, e := s(), s(), s(), s(), s()
	huffman := func(value string) []byte {
		coded := hpack.AppendHuffmanString(nil, value)
		return concat([]byte{0x80 | byte(len(coded))}, coded)
	}
	plain := func(value string) []byte { return concat([]byte{byte(len(value))}, []byte(value)) }
	table := func(size int) []byte { return hpackNumber(0x20, 0x1f, size) }
	for name, test := range map[string]struct {
		answers [][]byte
		errors  int
	}{
		"pages": {[][]byte{a.page(1, "200"), a.page(3, "500"), a.page(5, "404"), a.page(7, "500"),
			a.page(9, "200")}, 2},
		"pages whose status is no entry at first": {[][]byte{b.page(1, "503"), b.page(3, "503"), b.page(5, "403"),
			b.page(7, "503"), b.page(9, "403"), b.page(11, "502"), b.page(13, "503"), b.page(15, "502")}, 6},
		"calls": {[][]byte{c.called(1, "0"), c.called(3, "13"), c.called(5, "0"), c.called(7, "13"), c.called(9, "5"),
			c.called(11, "14"), c.called(13, "14"), c.called(15, "16"), c.called(17, "0"), c.called(19, "2")}, 5},
		"calls without a message": {[][]byte{d.refused(1, "14"), d.refused(3, "5"), d.refused(5, "14"),
			d.refused(7, "4"), d.refused(9, "5"), d.called(11, "0"), d.refused(13, "12"), d.called(15, "15")}, 5},
		"never an entry": {[][]byte{
			rawHeaders(5, 1, concat([]byte{0x08}, plain("503"))),
			rawHeaders(5, 3, concat([]byte{0x18}, huffman("504"))),
			rawHeaders(5, 5, concat([]byte{0x08}, plain("404"))),
			rawHeaders(5, 7, concat([]byte{0x88, 0x00}, plain("grpc-status"), plain("13"))),
			rawHeaders(5, 9, concat([]byte{0x88, 0x10}, huffman("grpc-status"), plain("2"))),
			rawHeaders(5, 11, concat([]byte{0x88, 0x00}, plain("grpc-statut"), plain("2"))),
			rawHeaders(5, 13, concat([]byte{0x88, 0x00}, huffman("grpc-status"), huffman("0"))),
		}, 4},
		"the size of the table changes": {[][]byte{
			concat(rawHeaders(4, 1, concat(table(0), table(100_000), []byte{0x48}, plain("503"))),
				frame(0, endStream, 1, 0)),
			rawHeaders(5, 3, []byte{0xbe}),
			rawHeaders(5, 5, concat([]byte{0x48}, plain("502"))),
			rawHeaders(5, 7, []byte{0xbf}),
			rawHeaders(5, 9, []byte{0xc0}),
		}, 4},
		"padded, and in several parts: what was an entry is not known any more": {[][]byte{
			rawHeaders(5, 1, concat([]byte{0x48}, plain("503"))),
			rawHeaders(5|8, 3, concat([]byte{1, 0xbe}, []byte{0})),
			rawHeaders(5, 5, []byte{0xbe}),
			rawHeaders(5, 7, concat([]byte{0x48}, plain("503"))),
			concat(rawHeaders(1, 9, []byte{0xbe}), h2Frame(9, 4, 9, []byte{0x88})),
			rawHeaders(5, 11, []byte{0xbe}),
			rawHeaders(5, 13, []byte{0x8e}),
		}, 3},
		"longer than what is read": {[][]byte{
			rawHeaders(5, 1, concat([]byte{0x48}, plain("503"), bytes.Repeat([]byte{0x88}, 200))),
			rawHeaders(5, 3, []byte{0xbe}),
		}, 1},
		"beyond the end": {[][]byte{rawHeaders(5, 1, []byte{0x48, 3, '5'}), rawHeaders(5, 3, []byte{0xbe}),
			rawHeaders(5, 5, []byte{0x00, 0xff, 0xff, 0xff, 0xff, 0x7f}), rawHeaders(5, 7, nil)}, 0},
		"the server resets, as it failed":     {[][]byte{code(2)}, 1},
		"because it is too busy":              {[][]byte{code(7)}, 1},
		"or by a code that is not known":      {[][]byte{h2Frame(3, 0, 1, []byte{1, 0, 0, 8})}, 1},
		"because the client has gone":         {[][]byte{code(8)}, 0},
		"because it needs no more to answer":  {[][]byte{concat(e.page(1, "200"), code(0))}, 0},
		"or after all":                        {[][]byte{concat(e.page(1, "200"), code(2))}, 0},
		"a stream that is not open":           {[][]byte{e.page(2, "500")}, 0},
		"a failure in the middle of a stream": {[][]byte{rawHeaders(4, 1, []byte{0x8e})}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := errorsOf(t, m, 0, whole, test.answers...); got != test.errors {
				t.Errorf("%d errors, want %d", got, test.errors)
			}
			if got := errorsOf(t, m, 1, whole, test.answers...); got != 0 {
				t.Errorf("%d errors of the caller, want none", got)
			}
		})
	}
}

// A connection that was there before the exporter refers to headers that were sent before. What fails then is seen
// still, if it is a call of gRPC: its outcome is new, and stands at the end.
func TestErrorsOfJoinedHTTP2(t *testing.T) {
	m := loadMachine(t)
	call := func(stream uint32) []byte {
		message := []byte{0, 0, 0, 0, 3, 'a', 'b', 'c'}
		return concat(frame(1, endHeaders, stream, 40), h2Frame(0, endStream, stream, message))
	}
	post := func(stream uint32) []byte {
		return concat(frame(1, endHeaders, stream, 40), h2Frame(0, endStream, stream, []byte("a=b&c=ddd")))
	}
	for name, test := range map[string]struct {
		request func(uint32) []byte
		errors  int
	}{"calls": {call, 3}, "posts": {post, 0}} {
		s := newH2Server()
		s.called(1, "0")
		s.called(3, "5")
		m.reset(t, TurntestConn{}, 0)
		c := &crew{machine: m, t: t}
		c.place(ms, 0, 0)
		for i, answer := range [][]byte{
			s.called(11, "0"), s.called(13, "5"), s.refused(15, "13"), s.refused(17, "13"), s.called(19, "0"),
			s.called(21, "14"), s.called(23, "16"), // a name that is an entry from before
			s.headers(endStream, 25, ":status", "200", "grpc-status", "0", "grpc-message", "13"),
		} {
			at := 3*ms + time.Duration(i)*ms
			c.send(c.objects.TestRequest, towardsServer, at, 0, test.request(uint32(2*i+11)))
			c.send(c.objects.TestAnswer, towardsClient, at, 0, answer)
		}
		if got := c.errors(1)[0]; got != test.errors {
			t.Errorf("%s: %d errors, want %d", name, got, test.errors)
		}
	}
}

// hpackNumber is an integer of HPACK (RFC 7541, 5.1).
func hpackNumber(first byte, most, n int) []byte {
	if n < most {
		return []byte{first | byte(n)}
	}
	return binary.AppendUvarint([]byte{first | byte(most)}, uint64(n-most))
}

// Each outcome of gRPC and each status, as it is and in Huffman's code.
func TestValuesOfErrors(t *testing.T) {
	m, outcomes := loadMachine(t), []int{2, 4, 12, 13, 14, 15}
	for n := range 17 {
		value := strconv.Itoa(n)
		coded := hpack.AppendHuffmanString(nil, value)
		want := map[bool]int{true: 1}[slices.Contains(outcomes, n)]
		for _, block := range [][]byte{
			concat([]byte{0x00, 11}, []byte("grpc-status"), []byte{byte(len(value))}, []byte(value)),
			concat([]byte{0x40, 11}, []byte("grpc-status"), []byte{0x80 | byte(len(coded))}, coded),
		} {
			if got := errorsOf(t, m, 0, whole, rawHeaders(5, 1, block)); got != want {
				t.Errorf("% x: %d errors, want %d", block, got, want)
			}
		}
	}
	for _, status := range []int{101, 200, 204, 304, 404, 450, 499, 500, 502, 511, 599, 600} {
		coded := hpack.AppendHuffmanString(nil, strconv.Itoa(status))
		want := map[bool]int{true: 1}[status/100 == 5]
		block := concat([]byte{0x48, 0x80 | byte(len(coded))}, coded)
		if got := errorsOf(t, m, 0, whole, rawHeaders(5, 1, block)); got != want {
			t.Errorf("%d: %d errors, want %d", status, got, want)
		}
	}
}

// Random answers, by an encoder that is not ours. In segments that are cut anywhere some errors may be missed, as
// headers that are cut are not read; there are never more.
func TestRandomErrorsOfHTTP2(t *testing.T) {
	m, r := loadMachine(t), rand.New(rand.NewPCG(1, 2))
	for range 40 {
		s := newH2Server()
		var answers [][]byte
		want := 0
		for i := range 60 {
			stream := uint32(2*i + 1)
			if r.IntN(15) == 0 {
				s.encoder.SetMaxDynamicTableSize(uint32([]int{0, 300, 4096}[r.IntN(3)]))
			}
			status := []string{"200", "200", "204", "404", "500", "502", "503"}[r.IntN(7)]
			outcome := []string{"0", "0", "1", "5", "13", "14", "16"}[r.IntN(7)]
			other := func() []string {
				return []string{fmt.Sprint("x-", r.IntN(9)), strings.Repeat(fmt.Sprint(r.IntN(5)), 30+r.IntN(60))}
			}
			switch r.IntN(3) {
			case 0:
				fields := slices.Concat(other(), []string{":status", status}, other())
				page := concat(s.headers(0, stream, fields...), frame(0, endStream, stream, r.IntN(50)))
				answers = append(answers, page)
				want += map[bool]int{true: 1}[status[0] == '5']
			case 1:
				first := s.headers(0, stream, append([]string{":status", "200"}, other()...)...)
				last := s.headers(endStream, stream, append(other(), "grpc-status", outcome)...)
				answers = append(answers, concat(first, frame(0, 0, stream, r.IntN(50)), last))
				want += map[bool]int{true: 1}[outcome == "13" || outcome == "14"]
			default:
				fields := append([]string{":status", "200", "grpc-status", outcome}, other()...)
				answers = append(answers, s.headers(endStream, stream, fields...))
				want += map[bool]int{true: 1}[outcome == "13" || outcome == "14"]
			}
		}
		if got := errorsOf(t, m, 0, whole, answers...); got != want {
			t.Errorf("%d errors, want %d", got, want)
		}
		cut := func(b []byte) (pieces [][]byte) {
			for len(b) > 0 {
				n := 1 + r.IntN(len(b))
				pieces, b = append(pieces, b[:n]), b[n:]
			}
			return pieces
		}
		if got := errorsOf(t, m, 0, cut, answers...); got > want {
			t.Errorf("cut: %d errors, more than the %d that there are", got, want)
		}
	}
}
