// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
)

// page is one kind of page of the bulletin board.
type page int

const (
	storiesOfTheDay page = iota
	viewStory
	viewComment
	search
	authorPage
	pages // number of kinds of the board

	// elsewhere is any page of another site, whose paths are given.
	elsewhere = pages
	kinds     = pages + 1
)

var pageNames = [kinds]string{"StoriesOfTheDay", "ViewStory", "ViewComment", "Search", "AuthorPage", "elsewhere"}

func (p page) String() string { return pageNames[p] }

// next gives, for each page, the percentages of the page that a reader opens
// after it. The chain is browse-only, as in the study that the demo repeats;
// its stationary mix is about 22, 39, 20, 9 and 10 %.
var next = [pages][pages]int{
	storiesOfTheDay: {10, 65, 5, 15, 5},
	viewStory:       {25, 30, 30, 5, 10},
	viewComment:     {20, 35, 20, 5, 20},
	search:          {20, 40, 15, 20, 5},
	authorPage:      {40, 30, 15, 5, 10},
}

// follow draws the page that a reader opens after p.
func follow(p page, r *rand.Rand) page {
	n := r.IntN(100)
	for to, percent := range next[p] {
		if n -= percent; n < 0 {
			return page(to)
		}
	}
	return storiesOfTheDay // unreachable: the rows add up to 100
}

// visit is what a reader does: it names the page to get and, once that is read, the page after it.
type visit struct {
	paths []string // of another site; empty for the board
	at    page
}

func (c config) firstVisit() visit {
	if len(c.paths) > 0 {
		return visit{c.paths, elsewhere}
	}
	return visit{at: storiesOfTheDay}
}

func (v visit) path(r *rand.Rand) string {
	if v.at == elsewhere {
		return v.paths[r.IntN(len(v.paths))]
	}
	return path(v.at, r)
}

func (v visit) next(r *rand.Rand) visit {
	if v.at != elsewhere {
		v.at = follow(v.at, r)
	}
	return v
}

// Sizes of the generated data; the dataset program writes ids from 1.
const (
	authors  = 2000
	stories  = 4000
	comments = 40000
)

// path draws which story, comment or author the reader looks at.
func path(p page, r *rand.Rand) string {
	switch p {
	case viewStory:
		return fmt.Sprintf("/ViewStory?id=%d", 1+r.IntN(stories-50))
	case viewComment:
		return fmt.Sprintf("/ViewComment?id=%d", 1+r.IntN(comments-500))
	case search:
		const syllables = "bakelomitarusenvodipelnoshifutor"
		at := r.IntN(len(syllables) - 4)
		return fmt.Sprintf("/Search?word=%s&id=%d", syllables[at:at+3], 1+r.IntN(stories-1000))
	case authorPage:
		return fmt.Sprintf("/AuthorPage?id=%d", 1+r.IntN(authors))
	default:
		return fmt.Sprintf("/StoriesOfTheDay?id=%d", r.IntN(50))
	}
}
