// SPDX-License-Identifier: Apache-2.0

// Package kinds turns the kinds of requests that a configuration asks for into the automaton that the kernel side
// walks: a request is a row of words (HTTP's method and the parts of its path, SQL's verb, a command), and its end
// says which kind it is. If a request carries a number for its operation (Kafka, CQL), that number is its end. Of
// a request, the kernel side (kinds.h, stream_kinds.h) passes only the number of its kind to user space.
package kinds

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	// Max is how many kinds a tier can have, Other included.
	Max = 16
	// Other is the kind of a request that fits none of a tier's kinds.
	Other = "other"
	// MaxSteps is how many steps the automaton of all tiers can have.
	MaxSteps = 4096

	maxWords = 32
)

// Pattern is a kind of request.
type Pattern struct {
	words []word
	root  uint32 // of its words
	code  uint32 // where it ends without words; 0 if it has words
}

// word is a part of a pattern.
type word struct {
	text string
	role role
}

type role int

const (
	literal role = iota
	variable
	rest // any number of words
)

// Parse reads a kind as the configuration writes it: a path template of HTTP, with its method or for all methods, the
// first word of an SQL statement, a command of Redis or Memcached, or the operation of a request of Kafka or CQL. In
// a path, {name} stands for one part, and ** at the end for any number of parts.
//
//	GET /users/{id}/orders
//	/static/**
//	SELECT
//	Redis GET
//	Memcached set
//	Kafka Produce
//	CQL EXECUTE
func Parse(request string) (Pattern, error) {
	fields := strings.Fields(request)
	switch {
	case len(fields) == 1 && strings.HasPrefix(fields[0], "/"):
		return path(word{role: variable}, fields[0])
	case len(fields) == 2 && strings.HasPrefix(fields[1], "/") && isName(fields[0], "-"):
		return path(word{text: strings.ToUpper(fields[0])}, fields[1])
	case len(fields) == 1 && isName(fields[0], "") && len(fields[0]) <= maxVerb:
		return verb(rootSQL, fields[0]), nil
	case len(fields) == 2 && strings.EqualFold(fields[0], "Redis"):
		return redis(fields[1])
	case len(fields) == 2 && strings.EqualFold(fields[0], "Memcached"):
		return memcached(fields[1])
	case len(fields) == 2 && strings.EqualFold(fields[0], "Kafka"):
		return kafka(fields[1])
	case len(fields) == 2 && strings.EqualFold(fields[0], "CQL"):
		return cql(fields[1])
	}
	return Pattern{}, errors.New("is not a path (GET /users/{id}, /static/**), not the first word of an SQL " +
		"statement (SELECT), and not a request of another protocol (Redis GET, Memcached get, Kafka Produce, CQL " +
		"EXECUTE)")
}

func isName(s, more string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune(more, r)
	})
}

func path(method word, template string) (Pattern, error) {
	p := Pattern{words: []word{method}, root: rootHTTP}
	if strings.ContainsAny(template, "?#") {
		return p, errors.New("has a query; kinds are told by the path alone")
	}
	for part := range strings.SplitSeq(template, "/") {
		switch {
		case len(p.words) > 1 && p.words[len(p.words)-1].role == rest:
			return p, errors.New("has something after **")
		case part == "":
		case part == "**":
			p.words = append(p.words, word{role: rest})
		case part == "*", strings.HasPrefix(part, "{") && strings.HasSuffix(part, "}"):
			p.words = append(p.words, word{role: variable})
		case strings.ContainsAny(part, "{}*"):
			return p, fmt.Errorf("has %q, where a variable must be a whole part of the path", part)
		default:
			p.words = append(p.words, word{text: part})
		}
	}
	if len(p.words) > maxWords {
		return p, fmt.Errorf("has more than %d parts", maxWords)
	}
	return p, nil
}

// Kind is a pattern and what it means: requests of a tier that fit it have this number, from 1.
type Kind struct {
	Tier, Number int
	Pattern
}

// Step leads from a node by a word; End is where a tier's request ends.
type (
	Step struct {
		Node uint32
		Word uint64
	}
	End struct{ Tier, Node uint32 }
)

// Automaton is the automaton that the kernel side walks.
type Automaton struct {
	Steps map[Step]uint32
	Ends  map[End]uint32
}

// Mirrors of the enums in kinds.h.
const (
	wordAny uint64 = iota
	wordCut
	wordPrepare
	wordExecute

	rootHTTP      uint32 = 1
	rootSQL       uint32 = 2
	rootRedis     uint32 = 3
	rootMemcached uint32 = 4
	firstNode     uint32 = 5
)

// maxVerb is how many letters of a verb or a command the kernel side looks at.
const maxVerb = 16

// item is a place in a pattern: all words in front of it were seen.
type item struct{ kind, word int }

// builder finds the nodes: each is a set of items.
type builder struct {
	kinds []Kind
	seed  uint64
	nodes map[string]uint32
	todo  [][]item
	Automaton
}

// ErrTooMany says that the kinds of all tiers together are more than the kernel's tables hold.
var ErrTooMany = fmt.Errorf("the kinds of all tiers make more than %d steps", MaxSteps)

// Build makes the automaton. If several kinds of a tier fit a request, the first in the list counts. Words are hashed
// with the seed, which the kernel side knows, too.
func Build(all []Kind, seed uint64) (Automaton, error) {
	b := &builder{
		kinds: all, seed: seed, nodes: make(map[string]uint32),
		Automaton: Automaton{Steps: make(map[Step]uint32), Ends: make(map[End]uint32)},
	}
	roots := make([][]item, firstNode)
	for i, k := range all {
		if k.code != 0 {
			b.end(k, k.code)
			continue
		}
		roots[k.root] = append(roots[k.root], item{i, 0})
	}
	for root, items := range roots {
		b.expand(uint32(root), items)
	}
	for n := 0; n < len(b.todo) && len(b.Steps) <= MaxSteps; n++ {
		b.expand(firstNode+uint32(n), b.todo[n])
	}
	if len(b.Steps) > MaxSteps || len(b.Ends) > MaxSteps {
		return Automaton{}, ErrTooMany
	}
	return b.Automaton, nil
}

// end says that a tier's request of this kind ends at a node, unless one that comes first in the list does.
func (b *builder) end(k Kind, node uint32) {
	end := End{uint32(k.Tier), node}
	if _, ok := b.Ends[end]; !ok {
		b.Ends[end] = uint32(k.Number)
	}
}

// expand records where a node leads, and which tiers' requests may end there.
func (b *builder) expand(node uint32, items []item) {
	var words []string
	var cut []item
	for _, i := range items {
		k := b.kinds[i.kind]
		if i.word == len(k.words) || k.words[i.word].role == rest {
			b.end(k, node)
		}
		if i.word == len(k.words) {
			continue
		}
		switch w := k.words[i.word]; w.role {
		case literal:
			words = append(words, w.text)
		case rest:
			cut = append(cut, i)
		}
	}
	b.step(node, wordAny, b.behind(items, nil))
	b.step(node, wordCut, cut)
	for _, w := range words {
		next := b.behind(items, &w)
		b.step(node, b.hash(w), next)
		if node == rootSQL && w == "PREPARE" {
			b.step(node, wordPrepare, next)
		}
		if node == rootSQL && w == "EXECUTE" {
			b.step(node, wordExecute, next)
		}
	}
}

// behind are the items after a word; nil stands for a word that no pattern names here.
func (b *builder) behind(items []item, seen *string) (out []item) {
	for _, i := range items {
		k := b.kinds[i.kind]
		if i.word == len(k.words) {
			continue
		}
		switch w := k.words[i.word]; {
		case w.role == rest:
			out = append(out, i)
		case w.role == variable, seen != nil && w.text == *seen:
			out = append(out, item{i.kind, i.word + 1})
		}
	}
	return out
}

func (b *builder) step(node uint32, word uint64, items []item) {
	if len(items) == 0 {
		return
	}
	slices.SortFunc(items, func(x, y item) int { return (x.kind-y.kind)*(maxWords+1) + x.word - y.word })
	key := fmt.Sprint(items)
	next, ok := b.nodes[key]
	if !ok {
		next = firstNode + uint32(len(b.todo))
		b.nodes[key] = next
		b.todo = append(b.todo, items)
	}
	b.Steps[Step{node, word}] = next
}

// hash is FNV-1a from a seed; the highest bit distinguishes words of requests from the others.
func (b *builder) hash(word string) uint64 {
	h := b.seed
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * 0x100000001b3
	}
	return h | 1<<63
}
