// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// chart is a picture of an evolution: points by the side of the bottleneck over
// the number of clients. Sides differ in shape as well as in colour.
type chart struct {
	width, height          float64
	left, right, top, base float64 // margins
	x, y, e                []float64
	class                  []study.Class
	line                   []float64 // the evolution without noise, may be nil
	lines                  []rule    // horizontal lines
	more                   []extra   // other curves
	firstGray, firstServer float64
	label                  string
	unit                   string
	low, high              float64 // of the axis
	xlow, xhigh            float64
}

type rule struct {
	at    float64
	name  string
	class string
}

type extra struct {
	x, y  []float64
	class string
}

func (c *chart) fit() {
	c.xlow, c.xhigh = 0, slices.Max(c.x)
	c.low, c.high = slices.Min(c.y), slices.Max(c.y)
	for i, v := range c.y {
		c.low, c.high = min(c.low, v-c.e[i]), max(c.high, v+c.e[i])
	}
	for _, r := range c.lines {
		c.low, c.high = min(c.low, r.at), max(c.high, r.at)
	}
	for _, e := range c.more {
		c.low, c.high = min(c.low, slices.Min(e.y)), max(c.high, slices.Max(e.y))
		c.xhigh = max(c.xhigh, slices.Max(e.x))
	}
	// A metric that hardly varies must look so: the axis begins at 0 unless
	// that would hide half of the picture below the points.
	if c.low > 0 && c.low < 0.8*c.high || c.high-c.low < 0.2*math.Abs(c.high) && c.low > 0 {
		c.low = 0
	}
	if c.high == c.low {
		c.high, c.low = c.high+1, c.low-min(1, math.Abs(c.low))
	}
	c.high += (c.high - c.low) * 0.06
}

func (c *chart) px(x float64) float64 {
	return c.left + (x-c.xlow)/(c.xhigh-c.xlow)*(c.width-c.left-c.right)
}

func (c *chart) py(y float64) float64 {
	return c.height - c.base - (y-c.low)/(c.high-c.low)*(c.height-c.top-c.base)
}

// svg draws the picture.
func (c *chart) svg() template.HTML {
	c.fit()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" role="img" aria-label="%s">`, c.width, c.height,
		html.EscapeString(c.label))
	c.zones(&b)
	c.axes(&b)
	for _, r := range c.lines {
		fmt.Fprintf(&b, `<line class="%s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, r.class, c.left, c.width-c.right,
			c.py(r.at), c.py(r.at))
	}
	for _, e := range c.more {
		c.path(&b, e.class, e.x, e.y)
	}
	if c.line != nil {
		c.path(&b, "line", c.x, c.line)
	}
	for i := range c.x {
		c.point(&b, i)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// zones shades the ranges by where the bottleneck is; a range begins half-way between two points.
func (c *chart) zones(b *strings.Builder) {
	for i := 0; i < len(c.x); {
		n := i
		for n+1 < len(c.x) && c.class[n+1] == c.class[i] {
			n++
		}
		from, to := c.left, c.width-c.right
		if i > 0 {
			from = c.px((c.x[i-1] + c.x[i]) / 2)
		}
		if n+1 < len(c.x) {
			to = c.px((c.x[n] + c.x[n+1]) / 2)
		}
		fmt.Fprintf(b, `<rect class="zone %s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, c.class[i], from,
			c.top, to-from,
			c.height-c.top-c.base)
		i = n + 1
	}
}

func (c *chart) axes(b *strings.Builder) {
	for _, v := range ticks(c.low, c.high, 4) {
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, c.left, c.width-c.right,
			c.py(v), c.py(v))
		fmt.Fprintf(b, `<text class="tick y" x="%.1f" y="%.1f">%s</text>`, c.left-4, c.py(v)+3, short(v))
	}
	for _, v := range ticks(c.xlow, c.xhigh, 6) {
		fmt.Fprintf(b, `<text class="tick x" x="%.1f" y="%.1f">%s</text>`, c.px(v), c.height-c.base+12, short(v))
	}
	fmt.Fprintf(b, `<line class="axis" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, c.left, c.width-c.right,
		c.height-c.base,
		c.height-c.base)
	fmt.Fprintf(b, `<text class="name" x="%.1f" y="%.1f">clients</text>`, c.width-c.right, c.height-3)
	fmt.Fprintf(b, `<text class="unit" x="%.1f" y="%.1f">%s</text>`, 3.0, c.top-5, html.EscapeString(c.unit))
}

func (c *chart) path(b *strings.Builder, class string, x, y []float64) {
	fmt.Fprintf(b, `<polyline class="%s" points="`, class)
	for i := range x {
		fmt.Fprintf(b, "%.1f,%.1f ", c.px(x[i]), c.py(y[i]))
	}
	b.WriteString(`"/>`)
}

// point draws one mean with two standard errors on either side: a circle on the
// clients' side, a square in the gray zone, a triangle on the server's.
func (c *chart) point(b *strings.Builder, i int) {
	x, y := c.px(c.x[i]), c.py(c.y[i])
	class := c.class[i].String()
	if half := 2 * c.e[i]; half > 0 {
		low, high := c.py(max(c.y[i]-half, c.low)), c.py(min(c.y[i]+half, c.high))
		if low-high > 7 {
			fmt.Fprintf(b, `<line class="error %s" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, class, x, x, low, high)
		}
	}
	title := fmt.Sprintf("<title>%s clients: %s %s, %s</title>", short(c.x[i]), short(c.y[i]),
		html.EscapeString(c.unit), class)
	switch c.class[i] {
	case study.Client:
		fmt.Fprintf(b, `<circle class="point %s" cx="%.1f" cy="%.1f" r="3">%s</circle>`, class, x, y, title)
	case study.Gray:
		fmt.Fprintf(b, `<rect class="point %s" x="%.1f" y="%.1f" width="5.6" height="5.6">%s</rect>`, class, x-2.8,
			y-2.8, title)
	default:
		fmt.Fprintf(b, `<path class="point %s" d="M%.1f %.1fl3.6 6.2h-7.2z">%s</path>`, class, x, y-3.9, title)
	}
}

// ticks are about n round numbers from low to high.
func ticks(low, high float64, n int) []float64 {
	raw := (high - low) / float64(n)
	step := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*step >= raw {
			step *= m
			break
		}
	}
	var all []float64
	for v := math.Ceil(low/step-1e-9) * step; v <= high+step*1e-9; v += step {
		all = append(all, math.Round(v/step)*step)
	}
	return all
}

// short writes three significant digits, large numbers in full.
func short(v float64) string {
	if v == 0 {
		return "0"
	}
	if a := math.Abs(v); a >= 1000 && a < 1e6 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
